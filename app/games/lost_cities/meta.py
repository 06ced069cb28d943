"""The fixed facts and the options of Lost Cities."""

from __future__ import annotations

from app.games.contract import Meta, Option
from app.games.options import first_player

META = Meta(
    key="lost_cities",
    title="Lost Cities",
    line="Lead expeditions that cost before they pay, card by card, against one rival.",
    seats=(2, 2),
    minutes=15,
    rules_version=1,
    options=(
        Option(
            key="colours",
            label="Colours",
            kind="choice",
            default=5,
            choices=((5, "Five colours"), (6, "Six colours")),
            help="The sixth colour is purple: a longer game with more to choose from.",
        ),
        Option(
            key="rounds",
            label="Rounds",
            kind="choice",
            default=1,
            choices=((1, "One round"), (3, "Three rounds")),
            help="The points of three rounds are added up.",
        ),
        first_player(
            2, help="Seats are numbered at the table, where you can also change who sits where."
        ),
    ),
)
