"""The fixed facts and the options of Gold Hunting."""

from __future__ import annotations

from app.games.contract import Meta, Option

FIRST_BY_CHANCE = -1
"""The value of the option `first` that leaves the first player to chance."""

META = Meta(
    key="gold_hunting",
    title="Gold Hunting",
    line="Hide your gold in four mountains, then name the bar you lift from your rival's.",
    seats=(2, 2),
    minutes=10,
    rules_version=1,
    options=(
        Option(
            key="bust_min",
            label="A pile can be lost",
            kind="choice",
            default=3,
            choices=((3, "From 3 nuggets on"), (2, "From 2 nuggets on")),
            help="A wrong call that lifts a bar with fewer nuggets than the pile loses the pile.",
        ),
        Option(
            key="first",
            label="First player",
            kind="choice",
            default=FIRST_BY_CHANCE,
            choices=((FIRST_BY_CHANCE, "By chance"), (0, "Seat 1"), (1, "Seat 2")),
            help="Seats are numbered at the table, where you can also change who sits where.",
        ),
    ),
)
