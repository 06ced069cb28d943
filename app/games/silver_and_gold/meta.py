"""The fixed facts and the options of Silver & Gold."""

from __future__ import annotations

from app.games.contract import Meta, Option

FIRST_BY_CHANCE = -1
"""The value of the option `first` that leaves the first start player to chance."""

META = Meta(
    key="silver_and_gold",
    title="Silver & Gold",
    line="Mark the squares of your treasure maps, all at once, and finish the most valuable ones.",
    seats=(2, 4),
    minutes=25,
    rules_version=1,
    options=(
        Option(
            key="open_expeditions",
            label="Earlier expeditions of a round may be looked up",
            default=False,
            help="Otherwise you have to remember which ones have come.",
        ),
        Option(
            key="first",
            label="First start player",
            kind="choice",
            default=FIRST_BY_CHANCE,
            choices=(
                (FIRST_BY_CHANCE, "By chance"),
                (0, "Seat 1"),
                (1, "Seat 2"),
                (2, "Seat 3"),
                (3, "Seat 4"),
            ),
            help="A seat that is not at the table leaves it to chance.",
        ),
    ),
)
