//! What a search maximises: one number in `[0, 1]` a player, made from scores and ranks.

use crate::core::{Ending, PerPlayer};

/// The lead, in points, at which [`Utility::Margin`] gives 3/4.
pub const MARGIN_SCALE: f64 = 10.0;

/// How the end of a game becomes one utility in `[0, 1]` a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Utility {
    /// `1 / winners` for every player of rank 0, otherwise 0. Sums to 1.
    #[default]
    Win,
    /// `1 - place / (players - 1)`, where players who share a rank share the average of their places: with ranks
    /// 0, 0, 2 the places are 0.5, 0.5, 2. Sums to `players / 2`; always 1 with one player.
    Rank,
    /// `1/2 + 1/2 * lead / (MARGIN_SCALE + |lead|)`, where the lead is a player's own score less the best other score:
    /// 1/2 with equal scores, 3/4 at a lead of [`MARGIN_SCALE`] points. Tie-breaks do not count. With one player the
    /// lead is the score.
    Margin,
}

impl Utility {
    /// The utilities of a finished game.
    #[must_use]
    pub fn of_ending(self, ending: &Ending) -> PerPlayer<f64> {
        match self {
            Self::Win => win(&ending.ranks),
            Self::Rank => rank(&ending.ranks),
            Self::Margin => margin(ending.scores.len(), |player| f64::from(ending.scores[player])),
        }
    }

    /// The utilities of a game that was cut off, from estimated scores; equal estimates share a rank.
    #[must_use]
    pub fn of_estimate(self, scores: &PerPlayer<f32>) -> PerPlayer<f64> {
        match self {
            Self::Win => win(&ranks_of(scores)),
            Self::Rank => rank(&ranks_of(scores)),
            Self::Margin => margin(scores.len(), |player| f64::from(scores[player])),
        }
    }
}

/// For each player the number of players strictly ahead in estimated scores.
pub(super) fn ranks_of(scores: &PerPlayer<f32>) -> PerPlayer<u8> {
    PerPlayer::from_fn(scores.len(), |player| scores.iter().filter(|&&other| other > scores[player]).count() as u8)
}

#[inline]
fn win(ranks: &PerPlayer<u8>) -> PerPlayer<f64> {
    let winners = ranks.iter().filter(|&&rank| rank == 0).count();
    let share = 1.0 / winners as f64;
    PerPlayer::from_fn(ranks.len(), |player| if ranks[player] == 0 { share } else { 0.0 })
}

fn rank(ranks: &PerPlayer<u8>) -> PerPlayer<f64> {
    let players = ranks.len();
    if players < 2 {
        return PerPlayer::new(players, 1.0);
    }
    PerPlayer::from_fn(players, |player| {
        let sharing = ranks.iter().filter(|&&rank| rank == ranks[player]).count();
        let place = f64::from(ranks[player]) + (sharing - 1) as f64 / 2.0;
        ((players - 1) as f64 - place) / (players - 1) as f64
    })
}

fn margin(players: usize, score: impl Fn(usize) -> f64) -> PerPlayer<f64> {
    PerPlayer::from_fn(players, |player| {
        let best_other = (0..players).filter(|&other| other != player).map(&score).fold(f64::NEG_INFINITY, f64::max);
        let lead = if players > 1 { score(player) - best_other } else { score(player) };
        0.5 + 0.5 * lead / (MARGIN_SCALE + lead.abs())
    })
}

#[cfg(test)]
mod tests {
    use super::Utility;
    use crate::core::{Ending, PerPlayer};

    fn ending(scores: &[i32], ranks: &[u8]) -> Ending {
        Ending {
            scores: PerPlayer::from_fn(scores.len(), |player| scores[player]),
            ranks: PerPlayer::from_fn(ranks.len(), |player| ranks[player]),
            decisions: 0,
        }
    }

    fn of(utility: Utility, scores: &[i32], ranks: &[u8]) -> Vec<f64> {
        utility.of_ending(&ending(scores, ranks)).as_slice().to_vec()
    }

    #[test]
    fn a_shared_win_is_shared() {
        assert_eq!(of(Utility::Win, &[5, 5, 3], &[0, 0, 2]), [0.5, 0.5, 0.0]);
        assert_eq!(of(Utility::Win, &[5, 5, 3], &[0, 1, 2]), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn shared_ranks_share_their_places() {
        assert_eq!(of(Utility::Rank, &[5, 5, 3], &[0, 0, 2]), [0.75, 0.75, 0.0]);
        assert_eq!(of(Utility::Rank, &[1, 9, 1, 1], &[1, 0, 1, 1]), [1.0 / 3.0, 1.0, 1.0 / 3.0, 1.0 / 3.0]);
        assert_eq!(of(Utility::Rank, &[7], &[0]), [1.0]);
    }

    #[test]
    fn the_margin_is_half_at_equality_and_three_quarters_at_ten_points() {
        assert_eq!(of(Utility::Margin, &[5, 5], &[0, 1]), [0.5, 0.5]);
        assert_eq!(of(Utility::Margin, &[30, 20, 7], &[0, 1, 2])[..2], [0.75, 0.25]);
    }

    #[test]
    fn an_estimate_counts_as_its_order() {
        let scores = PerPlayer::from_fn(3, |player| [2.5f32, 4.0, 4.0][player]);
        assert_eq!(Utility::Win.of_estimate(&scores).as_slice(), [0.0, 0.5, 0.5]);
        assert_eq!(Utility::Rank.of_estimate(&scores).as_slice(), [0.0, 0.75, 0.75]);
        assert_eq!(Utility::Margin.of_estimate(&scores)[1], 0.5);
    }
}
