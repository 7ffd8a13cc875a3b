"""Rules that differ in one number: an override is a mapping, a text or a file with just what is different."""

from __future__ import annotations

import hansa
from hansa.errors import RulesError

OVERRIDE = """
[final.scoring]
golden_ship = [40, 20, 10, 0]
"""


def main() -> None:
    """Compares mean scores under both rules, and shows what a wrong override is told."""
    ours = hansa.load_game("queen_of_hansa", players=4)
    theirs = hansa.load_game("queen_of_hansa", players=4, rules=OVERRIDE)
    for name, game in (("as published", ours), ("rich Golden Ship", theirs)):
        report = game.playouts(5000, seed=1)
        print(f"{name:<18} mean score {report.mean_scores[0]:.1f}, rules {game.rules_digest[:12]}")
    assert ours.rules_digest != theirs.rules_digest
    try:
        hansa.load_game("queen_of_hansa", rules={"final": {"scoring": {"golden_shop": [40, 20, 10, 0]}}})
    except RulesError as error:
        print("refused:", *error.problems, sep="\n  ")


if __name__ == "__main__":
    main()
