//! Choosing among the legal actions of a node.

use super::Settings;
use super::arithmetic::Roots;
use super::tree::Edge;
use crate::core::{Player, Rng};

/// The edge of a legal action that has none: it was never taken, and with weights the memory is full.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A node at which a player chooses.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    pub(super) players: usize,
    /// Who chooses.
    pub(super) mover: Player,
    /// The arrays of the tree.
    pub(super) edges: &'a mut [Edge],
    pub(super) sums: &'a [f64],
    pub(super) weights: &'a [f32],
    /// For each legal action its edge, or [`NOWHERE`].
    pub(super) slots: &'a [u32],
    /// Whether the memory is full: then what has no edge cannot be chosen.
    pub(super) full: bool,
}

impl Choice<'_> {
    /// Counts the availability of each legal action and scores it as `Selection::Ucb1` says.
    #[inline(never)]
    pub(super) fn score_ucb1(&mut self, settings: &Settings, roots: &Roots, scores: &mut [f64]) {
        let first_play = settings.first_play.unwrap_or(f64::INFINITY);
        let without_edge = if self.full { f64::NEG_INFINITY } else { first_play };
        let mut urgency = (0, 0.0);
        for (&edge, score) in self.slots.iter().zip(scores) {
            let Some(statistics) = self.edges.get_mut(edge as usize) else {
                *score = without_edge;
                continue;
            };
            statistics.availability += 1;
            let Edge { visits, availability, .. } = *statistics;
            if availability != urgency.0 {
                urgency = (availability, settings.exploration * roots.of_ln(availability));
            }
            let root = roots.inverse(visits);
            let mean = self.sums[edge as usize * self.players + self.mover] * root * root;
            *score = if visits == 0 { first_play } else { mean + urgency.1 * root };
        }
    }

    /// Counts the availability of each legal action and scores it as `Selection::Puct` says.
    #[inline(never)]
    pub(super) fn score_puct(&mut self, settings: &Settings, roots: &Roots, scores: &mut [f64]) {
        let (mut total_weight, mut total_visits, mut total_sum) = (0.0, 0.0, 0.0);
        for &edge in self.slots {
            let Some(statistics) = self.edges.get(edge as usize) else { continue };
            total_weight += f64::from(self.weights[edge as usize]);
            total_visits += f64::from(statistics.visits);
            total_sum += self.sums[edge as usize * self.players + self.mover];
        }
        let parent = if total_visits > 0.0 { total_sum / total_visits } else { 0.5 };
        let first_play = settings.first_play.unwrap_or(parent);
        let scale = settings.exploration / total_weight;
        for (&edge, score) in self.slots.iter().zip(scores) {
            let Some(statistics) = self.edges.get_mut(edge as usize) else {
                *score = f64::NEG_INFINITY;
                continue;
            };
            statistics.availability += 1;
            let Edge { visits, availability, .. } = *statistics;
            let root = roots.inverse(visits);
            let mean = self.sums[edge as usize * self.players + self.mover] * root * root;
            let weight = scale * f64::from(self.weights[edge as usize]);
            let urgency = weight * f64::from(availability).sqrt() / (1.0 + f64::from(visits));
            *score = if visits == 0 { first_play } else { mean } + urgency;
        }
    }
}

/// The place of the highest score; equals win by lot, each with the same chance.
#[inline]
pub(super) fn highest(scores: &[f64], rng: &mut Rng) -> usize {
    let (mut best, mut highest, mut equals) = (0, f64::NEG_INFINITY, 0);
    for (slot, &score) in scores.iter().enumerate() {
        let better = score > highest;
        equals = if better { 1 } else { equals + u32::from(score == highest) };
        best = if better { slot } else { best };
        highest = if better { score } else { highest };
    }
    if equals > 1 {
        let lot = rng.below(equals) as usize;
        let equal = scores.iter().enumerate().filter(|&(_, &score)| score == highest);
        return equal.map(|(slot, _)| slot).nth(lot).unwrap_or(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{Choice, NOWHERE, highest};
    use crate::core::Rng;
    use crate::search::arithmetic::Roots;
    use crate::search::tree::Edge;
    use crate::search::{Selection, Settings};

    fn edge(visits: u32, availability: u32) -> Edge {
        Edge { visits, availability, ..Edge::default() }
    }

    fn scores(settings: &Settings, edges: &mut [Edge], slots: &[u32], full: bool) -> Vec<f64> {
        let (sums, weights) = ([9.0, 4.0, 9.0, 3.0, 9.0, 0.0], [0.5, 0.25, 0.25]);
        let mut choice = Choice { players: 2, mover: 1, edges, sums: &sums, weights: &weights, slots, full };
        let mut scores = vec![0.0; slots.len()];
        match settings.selection {
            Selection::Ucb1 => choice.score_ucb1(settings, Roots::table(), &mut scores),
            Selection::Puct => choice.score_puct(settings, Roots::table(), &mut scores),
        }
        scores
    }

    fn assert_close(scores: &[f64], wanted: &[f64]) {
        let close = |(score, wanted): (&f64, &f64)| score == wanted || (score - wanted).abs() < 1e-4;
        assert!(scores.len() == wanted.len() && scores.iter().zip(wanted).all(close), "{scores:?}, not {wanted:?}");
    }

    #[test]
    fn the_scores_are_those_of_the_formulas() {
        let edges = [edge(8, 19), edge(4, 9), edge(0, 2)];
        let score = |settings: &Settings, slots: &[u32], full| scores(settings, &mut edges.clone(), slots, full);
        let never = [f64::NEG_INFINITY];
        let ucb1 = Settings { exploration: 1.2, ..Settings::default() };
        let [first, second] = [0.5 + 1.2 * (20f64.ln() / 8.0).sqrt(), 0.75 + 1.2 * (10f64.ln() / 4.0).sqrt()];
        let mut counted = edges;
        assert_close(&scores(&ucb1, &mut counted, &[0, 1, NOWHERE], false), &[first, second, f64::INFINITY]);
        assert_eq!(counted.map(|edge| edge.availability), [20, 10, 2]);
        assert_close(&score(&ucb1, &[1, 2], false), &[second, f64::INFINITY]);
        assert_close(&score(&ucb1, &[NOWHERE], true), &never);
        let urgent = Settings { first_play: Some(0.3), ..ucb1 };
        assert_close(&score(&urgent, &[2, NOWHERE], false), &[0.3, 0.3]);

        let puct = Settings { selection: Selection::Puct, exploration: 2.0, ..Settings::default() };
        // Legal are actions 1 and 2: half of the weight each, and the mean of the node is that of action 1.
        let [tried, half] = [0.75 + 2.0 * 0.5 * 10f64.sqrt() / 5.0, 2.0 * 0.5 * 3f64.sqrt()];
        assert_close(&score(&puct, &[1, 2], false), &[tried, 0.75 + half]);
        assert_close(&score(&Settings { first_play: Some(0.1), ..puct.clone() }, &[1, 2], false), &[tried, 0.1 + half]);
        assert_close(&score(&puct, &[2], false), &[0.5 + 2.0 * 3f64.sqrt()]);
        assert_close(&score(&puct, &[2, NOWHERE], true), &[0.5 + 2.0 * 3f64.sqrt(), f64::NEG_INFINITY]);
    }

    #[test]
    fn equals_win_by_lot() {
        let mut rng = Rng::new(3);
        let mut wins = [0; 5];
        for _ in 0..3000 {
            wins[highest(&[1.0, 7.0, 2.0, 7.0, 7.0], &mut rng)] += 1;
        }
        assert!(wins[0] == 0 && wins[2] == 0 && [1, 3, 4].iter().all(|&slot: &usize| wins[slot] > 900), "{wins:?}");
        let all_infinite = [f64::INFINITY; 3];
        let seen: Vec<_> = (0..50).map(|_| highest(&all_infinite, &mut rng)).collect();
        assert!([0, 1, 2].iter().all(|slot| seen.contains(slot)));
        assert_eq!(highest(&[f64::NEG_INFINITY, 0.5], &mut rng), 1);
    }
}
