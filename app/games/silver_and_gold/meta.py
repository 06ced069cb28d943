"""The fixed facts and the options of Silver & Gold."""

from __future__ import annotations

from app.games.contract import Meta, Option
from app.games.options import first_player

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
        first_player(4, label="First start player"),
    ),
)
