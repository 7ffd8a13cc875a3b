//! What players decide and what chance answers.

/// A card by its place in the rule data, 0 to 59.
pub type Card = u8;
/// A city in board order, 0 to 3; the color of the same number belongs to it.
pub type City = u8;
/// A color of luxury pieces, 0 to 3.
pub type Color = u8;

/// How a card lies in the Kontor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Face {
    /// Trade with the card's city.
    Up,
    /// Attend Parliament.
    Down,
}

/// A decision of a player (notation.md 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Lay a hand card into the Kontor: on a turn, or as the extra placement.
    Play(Card, Face),
    /// Move a prosperity marker one step right.
    Raise(City),
    /// Move a prosperity marker one step left.
    Lower(City),
    /// Take a card from a harbor.
    Take(Card),
    /// Name the next start player.
    Start(u8),
    /// Keep two of the four dealt cards; the first has the lower number.
    Keep(Card, Card),
    /// Keep these pieces, counted by color.
    Store([u8; 4]),
}

/// An answer of chance (notation.md 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Chance {
    /// Lay a card on the first empty space.
    Lay(Card),
    /// Put a piece of this color on the first luxury card without one.
    Draw(Color),
    /// Deal a card to a player.
    Deal(u8, Card),
}
