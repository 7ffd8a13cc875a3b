"""What a search thinks of every legal action of a position."""

from __future__ import annotations

import hansa


def main() -> None:
    """The first turn of a random game, searched."""
    game = hansa.load_game("queen_of_hansa", players=3)
    state, rng = game.new_initial_state(), hansa.Rng(5)
    while not state.is_player_node() or len(state.legal_actions()) < 3:
        state = state.apply(state.sample_chance(rng))
    view = state.view(state.current_player())
    report = hansa.mcts.search(view, simulations=5000, seed=1)
    print(f"player {report.player} is to decide; {report.simulations} simulations")
    for each in sorted(report.actions, key=lambda each: -each.visits):
        print(f"  {each.action!s:<24} {each.visits:>6} visits, wins {each.value or 0:.1%}")
    print("expected line:", ", ".join(str(action) for action in report.principal_variation[:4]))
    assert sum(each.visits for each in report.actions) == 5000


if __name__ == "__main__":
    main()
