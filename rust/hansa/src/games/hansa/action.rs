//! What players decide and what chance answers.

/// A type of goods marker: three times its colour, plus its barrels less one. Colours are those in play, in colour order.
pub type Marker = u8;

/// A decision of a player (notation "Player actions"). Cities are numbers in city order, sets of colours are bit sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Two booths into a city, before the first turn.
    Place(u8),
    /// Pay and fill every empty space.
    Refill,
    /// No refill in this turn.
    Pass,
    /// Sail to a city.
    Sail(u8),
    /// Buy such a marker in the ship's city.
    Buy(Marker),
    /// Spend such a marker for booths in the ship's city.
    Build(Marker),
    /// Start a sale of this set of colours.
    Sell(u8),
    /// Go to taxes and tolls.
    End,
    /// Keep such a marker out of the sale.
    Keep(Marker),
    /// Keep no further marker of the colour asked for.
    KeepNone,
    /// Lose such a marker in somebody's sale.
    Lose(Marker),
    /// Put such a marker out of the game.
    Discard(Marker),
}

/// An answer of chance: the marker drawn for the first empty space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chance(pub Marker);
