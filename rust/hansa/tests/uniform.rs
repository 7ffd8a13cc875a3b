//! Law 10: random moves are uniform or by weight, and playouts are distributed like games played step by step.
//!
//! Seeds are fixed; each statistic may pass its limit once in ten thousand. `HANSA_PLAYOUTS` sets the number of playouts
//! of a game at its default options (200,000), an eighth of it with other options.
#![cfg(feature = "conform")]

use hansa::conform::{Fit, Plan, amount, subjects};
use rayon::prelude::*;

fn assert_fits(fits: &[Fit]) {
    assert!(!fits.is_empty(), "something was compared");
    let wrong: Vec<String> = fits.iter().filter(|fit| !fit.holds()).map(Fit::to_string).collect();
    assert!(wrong.is_empty(), "{} of {} do not fit:\n{}", wrong.len(), fits.len(), wrong.join("\n"));
}

#[test]
fn random_moves_are_uniform_or_by_weight() {
    let plan = Plan { seed: 4, games: 300 };
    let fits: Vec<Fit> = subjects().par_iter().flat_map_iter(|subject| subject.moves_fit(plan, 2000)).collect();
    assert_fits(&fits);
}

#[test]
fn playouts_are_distributed_like_games_step_by_step() {
    let count = amount("HANSA_PLAYOUTS", 200_000);
    let fits = subjects().into_par_iter().flat_map_iter(|subject| {
        let default = subject.game().header().options.is_empty();
        subject.playouts_fit(Plan { seed: 6, games: 20 }, if default { count } else { count / 8 })
    });
    assert_fits(&fits.collect::<Vec<Fit>>());
}
