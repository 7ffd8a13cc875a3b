"""A bot of one's own: any object with `act`. It sees views, never states."""

from __future__ import annotations

import hansa
from hansa.arena import play_match


class Shopper:
    """Takes the action after which random play promises the best score."""

    name = "shopper"

    def __init__(self, playouts: int) -> None:
        """A shopper that plays so many games for every action."""
        self.playouts = playouts
        self.rng = hansa.Rng(1)

    def act(self, view: hansa.View) -> hansa.Action:
        """The action with the best mean score, over one state that agrees with the view for each playout."""
        totals: dict[hansa.Action, float] = dict.fromkeys(view.legal_actions(), 0.0)
        if len(totals) > 1:
            for _ in range(self.playouts):
                state = view.determinize(self.rng)
                for action in totals:
                    report = state.apply(action).playouts(1, seed=self.rng.next_seed())
                    totals[action] += report.mean_scores[view.player]
        return max(totals, key=lambda action: totals[action])


def main() -> None:
    """A short match against a built-in bot."""
    game = hansa.load_game("queen_of_hansa", players=2)
    result = play_match(game, [Shopper(playouts=10), "random"], games=10, seed=1)
    for bot in result.bots:
        print(
            f"{bot.bot:<8} mean score {bot.mean_score:6.1f}, wins {bot.win_share:.0%} of {result.games} games"
        )
    assert result.bots[0].mean_score > result.bots[1].mean_score


if __name__ == "__main__":
    main()
