"""The fixed facts and the options of Gold Hunting."""

from __future__ import annotations

from app.games.contract import Meta, Option
from app.games.options import first_player

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
        first_player(
            2, help="Seats are numbered at the table, where you can also change who sits where."
        ),
    ),
)
