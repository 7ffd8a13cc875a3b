"""Many games stepped together with numpy: half of the choices are the first legal action, half are random."""

from __future__ import annotations

import numpy as np

import hansa


def main() -> None:
    """Plays 256 games to the end."""
    game = hansa.load_game("queen_of_hansa", players=4)
    batch = game.batch(256, seed=1)
    generator = np.random.default_rng(1)
    steps = 0
    while not batch.terminal().all():
        offsets, actions = batch.legal_actions()
        menus = np.diff(offsets)
        # A finished game has an empty menu, and what is given for it is not looked at.
        chosen = generator.integers(0, np.maximum(menus, 1))
        chosen[generator.random(len(batch)) < 0.5] = 0
        places = np.minimum(offsets[:-1] + chosen, len(actions) - 1)
        batch.step(actions[places])
        steps += 1
    scores = batch.scores()
    print(f"{len(batch)} games in {steps} steps; mean scores {np.round(scores.mean(axis=0), 1)}")
    assert scores.shape == (256, 4)


if __name__ == "__main__":
    main()
