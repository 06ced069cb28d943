"""The fixed facts and the options of Take the Gold."""

from __future__ import annotations

from app.games.contract import Meta, Option

META = Meta(
    key="take_the_gold",
    title="Take the Gold",
    line="Steal coins from each other's hands until you hold four, before the krakens come.",
    seats=(2, 6),
    minutes=10,
    rules_version=1,
    options=(
        Option(
            key="krakens",
            label="Krakens",
            kind="choice",
            default=3,
            choices=((3, "Three end the game"), (4, "Four end the game"), (5, "Five end the game")),
            help="When so many krakens have taken a hand, whoever holds the most coins wins.",
        ),
        Option(
            key="advanced",
            label="Advanced: four coins win only at the start of your turn",
            kind="switch",
            default=False,
            help="Until your turn comes round again, everybody can still steal them.",
        ),
    ),
)
