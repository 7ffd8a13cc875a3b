//! What playouts, searches, bots and matches promise, shown on games whose solutions are known.

mod toys;

use hansa::core::{Encode, Game, Rng, Turn};
use hansa::search::{
    Bot, BotSpec, GreedyBot, MatchReport, MatchSettings, MoveIndex, Playout, Policy, Report, SearchError, Searcher,
    Selection, Settings, Source, Stop, Utility, play_match, playouts, search,
};
use toys::{Coin, Corridor, Ladder, Rules, Toy, Wheels};

fn never() -> impl FnMut() -> bool {
    || false
}

fn searched<R: Rules>(toy: &Toy<R>, moves: &[u8], settings: &Settings) -> Report<u8> {
    search(toy, &toy.view_after(moves), settings, &mut never()).unwrap()
}

/// A report without what the clock says.
fn timeless(mut report: Report<u8>) -> Report<u8> {
    report.elapsed = std::time::Duration::ZERO;
    report
}

fn both_selections(simulations: u64) -> [Settings; 2] {
    let ucb1 = Settings::with_simulations(simulations);
    [ucb1.clone(), Settings { selection: Selection::Puct, exploration: 1.5, ..ucb1 }]
}

#[test]
fn hidden_coin_is_not_seen() {
    let hidden = Toy(Coin { visible: false });
    let visible = Toy(Coin { visible: true });
    for settings in both_selections(4000) {
        for coin in [0, 1] {
            // The truth is no argument of the search: both coins give the same report.
            let report = searched(&hidden, &[coin], &settings);
            assert_eq!(report.best, 0, "{report:?}");
            let [safe, call] = [0, 1].map(|place: usize| report.actions[place].values.unwrap()[0]);
            assert!((safe - 0.6).abs() < 0.05 && (call - 0.5).abs() < 0.1, "{safe} {call}");
            assert_eq!(timeless(report), timeless(searched(&hidden, &[1 - coin], &settings)));
            // Whoever sees the coin, or solves every possible coin by itself, calls.
            let cheating = searched(&visible, &[coin], &settings);
            assert_eq!(cheating.best, 1);
            assert_eq!(cheating.principal_variation, [1, 2 + coin]);
            assert!(cheating.actions[1].values.unwrap()[0] > 0.9);
        }
    }
}

#[test]
fn three_players_each_maximise_their_own() {
    // Backward induction, and a check that nobody is ever indifferent.
    let best_of = |player: usize, endings: Vec<([u8; 3], [i32; 3])>| {
        let mut sorted = endings;
        sorted.sort_by_key(|(_, scores)| -lead(player, scores));
        assert_ne!(lead(player, &sorted[0].1), lead(player, &sorted[1].1), "player {player} is indifferent");
        sorted[0]
    };
    let third = |a, b| best_of(2, (0..3).map(|c| ([a, b, c], Ladder::ending([a, b, c]))).collect());
    let second = |a| best_of(1, (0..3).map(|b| third(a, b)).collect());
    let (solution, scores) = best_of(0, (0..3).map(second).collect());
    let toy = Toy(Ladder);
    for settings in both_selections(20_000) {
        let report = searched(&toy, &[], &Settings { utility: Utility::Margin, exploration: 0.4, ..settings });
        assert_eq!(report.principal_variation, solution, "{report:?}");
        let values = report.actions[solution[0] as usize].values.unwrap();
        for (player, value) in values.iter().enumerate() {
            let lead = f64::from(lead(player, &scores));
            let exact = 0.5 + 0.5 * lead / (10.0 + lead.abs());
            assert!((value - exact).abs() < 0.1, "player {player}: {value}, not {exact}");
        }
    }
}

fn lead(player: usize, scores: &[i32; 3]) -> i32 {
    let best_other = (0..3).filter(|&other| other != player).map(|other| scores[other]).max().unwrap();
    scores[player] - best_other
}

#[test]
fn chance_has_its_exact_weight() {
    for settings in both_selections(20_000) {
        let report = searched(&Toy(Wheels), &[], &settings);
        assert_eq!(report.best, 1);
        let best = report.actions[1].values.unwrap();
        assert!((best[0] - 2.0 / 3.0).abs() < 0.02, "{best:?}");
        assert!((best[0] + best[1] - 1.0).abs() < 1e-9);
        let wheel_two = report.actions[2].values.unwrap()[0];
        assert!((wheel_two - 0.5).abs() < 0.08, "{wheel_two}");
    }
}

#[test]
fn visits_and_availability_are_exact() {
    for settings in both_selections(1003) {
        let settings = Settings { workers: 4, ..settings };
        let report = searched(&Toy(Wheels), &[], &settings);
        assert_eq!(report.simulations, 1003);
        assert_eq!(report.inherited, 0);
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), 1003);
        assert!(report.actions.iter().all(|action| action.availability == 1003), "the root's actions are always legal");
        assert!((report.actions.iter().map(|action| action.prior).sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(report.stopped, Stop::Simulations);

        // Below wheel 2 the claim is there for half of the dice, giving in always.
        let mut searcher = Searcher::new(settings).unwrap();
        let toy = Toy(Wheels);
        let first = searcher.search(&toy, &toy.view_after(&[]), 3, &mut never()).unwrap();
        searcher.advance(&toy, 0, 2);
        let second = searcher.search(&toy, &toy.view_after(&[2, 5]), 3, &mut never()).unwrap();
        let [claim, give_in] = [0, 1].map(|place: usize| second.actions[place].clone());
        let passed = give_in.availability - second.simulations;
        let claimable = claim.availability - second.simulations;
        // Each of the 4 trees spends the first visit of wheel 2 on a playout, and counts from when it first gave in.
        let visits = first.actions[2].visits;
        assert!(passed <= visits - 4 && passed + 40 > visits, "{passed} of {visits}");
        let third = passed / 3;
        assert!(claimable > third && claimable < 2 * third, "{claimable} of {passed}");
        assert!(claim.visits <= claim.availability && give_in.visits <= give_in.availability);
    }
}

#[test]
fn seeds_and_workers_decide_and_threads_do_not() {
    let toy = Toy(Coin { visible: false });
    for settings in both_selections(3000) {
        let with = |workers, threads, seed| {
            timeless(searched(&toy, &[0], &Settings { workers, threads, seed, ..settings.clone() }))
        };
        let one = with(3, 1, 0);
        assert_eq!(one, with(3, 2, 0));
        assert_eq!(one, with(3, 8, 0));
        assert_ne!(one, with(2, 1, 0));
        assert_ne!(one, with(3, 1, 1));
        let one = timeless(searched(&Toy(Ladder), &[], &Settings { workers: 2, ..settings.clone() }));
        assert_eq!(
            one,
            timeless(searched(&Toy(Ladder), &[], &Settings { workers: 2, threads: 2, ..settings.clone() }))
        );
    }
}

#[test]
fn exploration_and_first_play_mean_what_they_say() {
    // The less exploration, the more simulations go to the best wheel; below 1 no less than above. (Far less would now
    // and then stay with a worse wheel that was lucky first.)
    let share = |exploration: f64| -> u64 {
        let settings = |seed| Settings { exploration, seed, ..Settings::with_simulations(2000) };
        (0..20).map(|seed| searched(&Toy(Wheels), &[], &settings(seed)).actions[1].visits).sum()
    };
    let shares = [0.6, 0.9, 2.0, 8.0].map(share);
    assert!(shares.is_sorted_by(|more, less| more > less), "{shares:?}");
    // With no exploration, an action that has won is never left for one that was not tried and promises nothing. Each
    // wheel wins its first try at least every other time.
    let stubborn = |seed| Settings { exploration: 0.0, first_play: Some(0.0), seed, ..Settings::with_simulations(200) };
    let untried = (0..40).filter(|&seed| {
        let report = searched(&Toy(Wheels), &[], &stubborn(seed));
        report.actions.iter().any(|action| action.values.is_none())
    });
    assert!(untried.count() > 10);
    let report = searched(&Toy(Wheels), &[], &Settings::with_simulations(3));
    assert!(report.actions.iter().all(|action| action.visits == 1), "each once before any twice");
}

#[test]
fn priors_follow_the_preferences_of_the_game() {
    let settings = Settings { selection: Selection::Puct, ..Settings::with_simulations(10) };
    let report = searched(&Toy(Wheels), &[], &settings);
    let total = 1.0 + (-1f64).exp() + (-2f64).exp();
    for (action, wanted) in report.actions.iter().zip([(-2f64).exp() / total, 1.0 / total, (-1f64).exp() / total]) {
        assert!((action.prior - wanted).abs() < 1e-3, "{action:?}, not {wanted}");
    }
    let hot = searched(&Toy(Wheels), &[], &Settings { temperature: 100.0, ..settings });
    assert!(hot.actions.iter().all(|action| (action.prior - 1.0 / 3.0).abs() < 0.01));
}

#[test]
fn the_memory_cap_stops_growth_and_nothing_else() {
    let toy = Toy(Corridor { length: 400 });
    let free = searched(&toy, &[], &Settings::with_simulations(300));
    assert!(!free.memory_full && free.depth > 250);
    let capped = searched(&toy, &[], &Settings { memory: 4000, ..Settings::with_simulations(300) });
    assert!(capped.memory_full && capped.memory <= 4000, "{}", capped.memory);
    assert_eq!((capped.simulations, capped.actions[0].visits), (300, 300));
    assert!(capped.nodes < free.nodes);
    for settings in both_selections(10) {
        let none =
            search(&Toy(Ladder), &Toy(Ladder).view_after(&[]), &Settings { memory: 0, ..settings }, &mut never());
        let Err(SearchError::Memory { needed, .. }) = none else { panic!("{none:?}") };
        let enough = search(
            &Toy(Ladder),
            &Toy(Ladder).view_after(&[]),
            &Settings { memory: needed, ..Settings::with_simulations(10) },
            &mut never(),
        );
        assert!(enough.is_ok_and(|report| report.memory <= needed && report.simulations == 10));
    }
}

#[test]
fn depth_is_no_danger() {
    let small_stack = std::thread::Builder::new().stack_size(128 * 1024).spawn(|| {
        let toy = Toy(Corridor { length: 30_000 });
        let settings = Settings { cutoff: Some(0), ..Settings::with_simulations(10_001) };
        let mut searcher = Searcher::new(settings).unwrap();
        let report = searcher.search(&toy, &toy.view_after(&[]), 0, &mut never()).unwrap();
        assert_eq!(report.depth, 10_001);
        assert_eq!(report.principal_variation.len(), 10_001);
        searcher.advance(&toy, 0, 7);
        let next = searcher.search(&toy, &toy.view_after(&[7]), 0, &mut || true).unwrap();
        assert_eq!(next.inherited, 10_000);
    });
    small_stack.unwrap().join().unwrap();
}

#[test]
fn budgets_of_time_and_interrupts_end_a_search() {
    let toy = Toy(Ladder);
    let view = toy.view_after(&[]);
    for (workers, threads) in [(1, 1), (2, 2), (3, 2)] {
        let timed = Settings { workers, threads, ..Settings::with_seconds(0.02) };
        let report = search(&toy, &view, &timed, &mut never()).unwrap();
        assert_eq!(report.stopped, Stop::Seconds);
        assert!(report.simulations >= u64::from(workers));
        let both = Settings { simulations: Some(50), seconds: Some(3600.0), ..timed.clone() };
        assert_eq!(search(&toy, &view, &both, &mut never()).unwrap().stopped, Stop::Simulations);
        let long = Settings { seconds: Some(3600.0), ..timed };
        let mut polls = 0;
        let report = search(&toy, &view, &long, &mut || {
            polls += 1;
            polls == 2
        });
        let report = report.unwrap();
        assert_eq!((report.stopped, polls), (Stop::Interrupted, 2));
        assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), report.simulations);
    }
}

#[test]
fn who_is_not_to_move_cannot_search() {
    let toy = Toy(Ladder);
    let settings = Settings::with_simulations(10);
    let other = toy.view(&toy.state_after(&[0]), 2);
    let error = search(&toy, &other, &settings, &mut never()).unwrap_err();
    assert_eq!(error, SearchError::NotToMove { observer: 2, turn: Turn::Act(1) });
    assert!(error.to_string().contains("search the view of player 1"));
    let over = toy.view(&toy.state_after(&[0, 0, 0]), 0);
    assert!(search(&toy, &over, &settings, &mut never()).unwrap_err().to_string().contains("over"));
    let coin = Toy(Coin { visible: false });
    let chance = coin.view(&coin.start(), 0);
    assert!(search(&coin, &chance, &settings, &mut never()).unwrap_err().to_string().contains("chance"));
    for spec in ["random", "greedy", "flat:simulations=10", "mcts:simulations=10"] {
        let mut bot = BotSpec::parse(spec).unwrap().bot::<Toy<Ladder>>().unwrap();
        assert!(bot.act(&toy, &other, 0, &mut never()).is_err(), "{spec}");
    }
}

#[test]
fn kept_trees_keep_their_statistics() {
    let toy = Toy(Ladder);
    let [root, after] = [toy.view_after(&[]), toy.view_after(&[1])];
    for settings in both_selections(600) {
        let mut searcher = Searcher::new(settings.clone()).unwrap();
        let first = searcher.search(&toy, &root, 5, &mut never()).unwrap();
        assert_eq!(
            timeless(first.clone()),
            timeless(search(&toy, &root, &Settings { seed: 5, ..settings.clone() }, &mut never()).unwrap())
        );
        searcher.advance(&toy, 0, 1);
        let next = searcher.search(&toy, &after, 5, &mut never()).unwrap();
        assert_eq!(next.inherited, first.actions[1].visits - 1);
        assert_eq!(next.simulations, 600);
        assert_eq!(next.actions.iter().map(|action| action.visits).sum::<u64>(), 600 + next.inherited);
        // The mean over old and new is between what the old said and what the new ones can have said.
        let old = first.actions[1].values.unwrap()[1] * first.actions[1].visits as f64;
        let both = next.values[1] * (first.actions[1].visits + 600) as f64;
        assert!(both >= old - 1e-6 && both <= old + 600.0 + 1e-6);

        // The same view again goes on; another view without a call of advance, or after forget, starts anew.
        let more = searcher.search(&toy, &after, 5, &mut never()).unwrap();
        assert_eq!(more.inherited, 600 + next.inherited);
        let fresh = timeless(search(&toy, &root, &Settings { seed: 9, ..settings.clone() }, &mut never()).unwrap());
        assert_eq!(timeless(searcher.search(&toy, &root, 9, &mut never()).unwrap()), fresh);
        searcher.forget();
        assert_eq!(timeless(searcher.search(&toy, &root, 9, &mut never()).unwrap()), fresh);
        // An action that the tree does not know empties it.
        searcher.advance(&toy, 0, 9);
        assert_eq!(searcher.search(&toy, &after, 9, &mut never()).unwrap().inherited, 0);
    }
}

#[test]
fn playouts_do_not_depend_on_threads() {
    let toy = Toy(Coin { visible: false });
    let belief = toy.belief(&toy.view_after(&[1]));
    let start = toy.start();
    let policies = [
        Policy::default(),
        Policy { playout: Playout::Heuristic { epsilon: 0.3 }, cutoff: None },
        Policy { playout: Playout::Random, cutoff: Some(1) },
    ];
    for policy in policies {
        for source in [Source::State(&start), Source::Belief(&belief)] {
            let on = |threads, seed| {
                let mut report = playouts(&toy, &source, 5001, seed, threads, policy, &mut never()).unwrap();
                report.elapsed = std::time::Duration::ZERO;
                report
            };
            let one = on(1, 0);
            assert_eq!(one, on(2, 0));
            assert_eq!(one, on(5, 0));
            assert_eq!((one.playouts, one.interrupted), (5001, false));
            // Cut off after one decision, nobody has scored yet.
            assert_eq!(one != on(1, 1), policy.cutoff.is_none());
        }
    }
}

#[test]
fn playouts_are_counted_right() {
    let toy = Toy(Coin { visible: false });
    let start = toy.start();
    let report = playouts(&toy, &Source::State(&start), 20_000, 4, 2, Policy::default(), &mut never()).unwrap();
    // Half plays it safe and wins 0.6, half calls and wins 0.5.
    assert!((report.win_shares()[0] - 0.55).abs() < 0.015, "{:?}", report.win_shares());
    assert_eq!(report.win_parts[0] + report.win_parts[1], 60 * 20_000);
    assert_eq!(report.mean_scores().as_slice(), report.win_shares().as_slice());
    assert_eq!((report.shortest, report.longest), (1, 2));
    assert!((report.mean_decisions() - 1.5).abs() < 0.02);
    let share = report.mean_scores()[1];
    assert!((report.score_deviations()[1] - (share * (1.0 - share)).sqrt()).abs() < 1e-3);
    assert_eq!((report.score_minima[0], report.score_maxima[0], report.cut_off), (0, 1, 0));
    assert!((report.mean_ranks()[0] + report.mean_ranks()[1] - 1.0).abs() < 1e-9);

    // Cut off at once, nobody has scored: both win half.
    let cut = Policy { cutoff: Some(0), ..Policy::default() };
    let state = toy.state_after(&[0]);
    let report = playouts(&toy, &Source::State(&state), 100, 4, 1, cut, &mut never()).unwrap();
    assert_eq!((report.cut_off, report.decisions, report.win_parts[0]), (100, 0, 3000));

    // Always the preferred wheel: two thirds.
    let keen = Policy { playout: Playout::Heuristic { epsilon: 0.0 }, cutoff: None };
    let wheels = Toy(Wheels);
    let report = playouts(&wheels, &Source::State(&wheels.start()), 20_000, 4, 1, keen, &mut never()).unwrap();
    assert!((report.win_shares()[0] - 2.0 / 3.0).abs() < 0.015);
    assert_eq!(report.longest, 1);

    let none = playouts(&wheels, &Source::State(&wheels.start()), 0, 4, 2, keen, &mut never()).unwrap();
    assert_eq!((none.playouts, none.shortest, none.mean_scores()[0]), (0, 0, 0.0));
    assert!(playouts(&wheels, &Source::State(&wheels.start()), 1, 4, 0, keen, &mut never()).is_err());
}

#[test]
fn playouts_can_be_interrupted() {
    let toy = Toy(Coin { visible: true });
    let start = toy.start();
    for threads in [1, 2] {
        let report =
            playouts(&toy, &Source::State(&start), u64::MAX, 0, threads, Policy::default(), &mut || true).unwrap();
        assert!(report.interrupted && report.playouts > 0);
    }
}

#[test]
fn bots_find_the_right_wheel_and_know_only_the_view() {
    let wheels = Toy(Wheels);
    let coin = Toy(Coin { visible: false });
    for spec in ["greedy", "flat:simulations=6000", "mcts:simulations=3000", "mcts:simulations=3000,selection=puct"] {
        let mut bot = BotSpec::parse(spec).unwrap().bot::<Toy<Wheels>>().unwrap();
        assert_eq!(bot.act(&wheels, &wheels.view_after(&[]), 1, &mut never()), Ok(1), "{spec}");
    }
    for spec in ["flat:simulations=6000", "mcts:simulations=3000,playout=heuristic,epsilon=1"] {
        let mut bot = BotSpec::parse(spec).unwrap().bot::<Toy<Coin>>().unwrap();
        for truth in [0, 1] {
            assert_eq!(bot.act(&coin, &coin.view_after(&[truth]), 1, &mut never()), Ok(0), "{spec}");
        }
    }
    // All calls look alike to greedy: the seed decides, not the coin.
    let mut rng = Rng::new(1);
    let mut seen = [false; 2];
    for _ in 0..50 {
        let seed = rng.next_seed();
        let [one, other] =
            [0, 1].map(|truth| GreedyBot.act(&coin, &coin.view_after(&[truth, 1]), seed, &mut never()).unwrap());
        assert_eq!(one, other);
        seen[one as usize - 2] = true;
    }
    assert_eq!(seen, [true; 2]);
}

fn ladder_match(bots: &[&str], settings: &MatchSettings) -> MatchReport {
    let specs: Vec<_> = bots.iter().map(|text| BotSpec::parse(text).unwrap()).collect();
    let mut report = play_match(&Toy(Ladder), &specs, settings, &mut never(), &mut |_, _| {}).unwrap();
    report.elapsed = std::time::Duration::ZERO;
    report
}

#[test]
fn matches_balance_the_seats_and_do_not_depend_on_threads() {
    let settings = MatchSettings { games: 100, seed: 3, threads: 1, keep_moves: true };
    let bots = ["mcts:simulations=200,utility=margin", "random", "greedy"];
    let report = ladder_match(&bots, &settings);
    assert_eq!(report, ladder_match(&bots, &MatchSettings { threads: 2, ..settings.clone() }));
    assert_ne!(report, ladder_match(&bots, &MatchSettings { seed: 4, ..settings.clone() }));
    assert_eq!((report.games, report.rotations), (102, 3));
    let toy = Toy(Ladder);
    for bot in 0..3 {
        for player in 0..3 {
            assert_eq!(report.logs.iter().filter(|log| log.bots[player] == bot).count(), 34);
        }
    }
    for (number, log) in report.logs.iter().enumerate() {
        assert_eq!(log.game, number as u64);
        let mut state = toy.start();
        for &index in &log.moves {
            let MoveIndex::Action(index) = index else { panic!("there is no chance here") };
            toy.try_apply(&mut state, toy.action_at(index as usize).unwrap()).unwrap();
        }
        assert_eq!(toy.turn(&state), Turn::Over);
        assert_eq!((toy.scores(&state), toy.ranks(&state)), (log.scores, log.ranks));
    }
    let total: f64 = report.bots.iter().map(|bot| bot.win_share).sum();
    assert!((total - 1.0).abs() < 1e-9);
    for bot in &report.bots {
        assert!(bot.interval.0 < bot.win_share && bot.win_share < bot.interval.1, "{bot:?}");
        assert_eq!((bot.seats, bot.equal_share), (1, 1.0 / 3.0));
    }
    assert!(report.bots[0].win_share > report.bots[1].win_share);
}

#[test]
fn a_short_list_of_bots_fills_the_table() {
    let settings = MatchSettings { games: 7, seed: 0, threads: 1, keep_moves: false };
    let alone = ladder_match(&["random"], &settings);
    assert_eq!((alone.games, alone.rotations, alone.bots[0].seats, alone.bots[0].win_share), (7, 1, 3, 1.0));
    let pair = ladder_match(&["random", "greedy"], &settings);
    assert_eq!((pair.games, pair.rotations, pair.bots[0].seats, pair.bots[1].seats), (9, 3, 2, 1));
    assert!(pair.logs.iter().all(|log| log.moves.is_empty()));
}

#[test]
fn games_of_one_block_share_their_chance() {
    // Nobody's choice changes the coin, the first thing that chance decides.
    let specs = ["random", "greedy"].map(|text| BotSpec::parse(text).unwrap());
    let settings = MatchSettings { games: 60, seed: 0, threads: 2, keep_moves: true };
    let toy = Toy(Coin { visible: false });
    let report = play_match(&toy, &specs, &settings, &mut never(), &mut |_, _| {}).unwrap();
    let coins: Vec<_> = report.logs.iter().map(|log| log.moves[0]).collect();
    assert!(coins.chunks(2).all(|pair| pair[0] == pair[1]));
    assert!(coins.contains(&MoveIndex::Chance(0)) && coins.contains(&MoveIndex::Chance(1)));
}

#[test]
fn matches_say_what_is_wrong_and_can_be_interrupted() {
    let spec = |text| BotSpec::parse(text).unwrap();
    let settings = MatchSettings { games: 1 << 40, seed: 0, threads: 2, keep_moves: false };
    let play = |specs: &[BotSpec], settings: &MatchSettings| {
        play_match(&Toy(Ladder), specs, settings, &mut || true, &mut |_, _| {})
    };
    assert!(play(&[], &settings).unwrap_err().to_string().contains("give 1 to 3"));
    assert!(play(&vec![spec("random"); 4], &settings).unwrap_err().to_string().contains("give 1 to 3"));
    assert!(play(&[spec("random")], &MatchSettings { games: 0, ..settings.clone() }).is_err());
    assert!(play(&[spec("random")], &MatchSettings { threads: 0, ..settings.clone() }).is_err());
    for threads in [1, 2] {
        let bots = [spec("random"), spec("greedy"), spec("mcts:simulations=20")];
        let report = play(&bots, &MatchSettings { threads, ..settings.clone() }).unwrap();
        assert!(report.interrupted && report.games.is_multiple_of(3) && report.games > 0);
        let mut told = (0, 0);
        let small = MatchSettings { games: 6, threads, ..settings.clone() };
        play_match(&Toy(Ladder), &bots, &small, &mut never(), &mut |over, all| told = (over, all)).unwrap();
        assert_eq!(told, (6, 6));
    }
}
