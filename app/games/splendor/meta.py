"""The fixed facts and the options of Splendor."""

from __future__ import annotations

from app.games.contract import Meta, Option
from app.games.options import first_player

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
        first_player(4),
    ),
)
