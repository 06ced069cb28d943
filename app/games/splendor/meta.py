"""The fixed facts and the options of Splendor."""

from __future__ import annotations

from app.games.contract import Meta, Option

FIRST_BY_CHANCE = -1
"""The value of the option `first` that leaves the first player to chance."""

META = Meta(
    key="splendor",
    title="Splendor",
    line="Collect gems, buy cards that make the next ones cheaper, and win the nobles.",
    seats=(2, 4),
    minutes=30,
    rules_version=1,
    options=(
        Option(
            key="target",
            label="Points that end the game",
            kind="number",
            default=15,
            least=10,
            most=30,
            help="Once somebody has that many, the round is played to its end.",
        ),
        Option(
            key="loose_take",
            label="One to three different gems, as you like",
            default=False,
            help="Otherwise you take three different gems as long as there are three to take.",
        ),
        Option(
            key="first",
            label="First player",
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
