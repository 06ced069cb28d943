"""What the house must know of the game."""

from app.games.contract import Meta, Option

ROUNDS = Option(
    key="rounds",
    label="Rounds",
    default=3,
    kind="choice",
    choices=((1, "One"), (3, "Three"), (5, "Five")),
)

META = Meta(
    key="torture",
    title="Strongbox",
    line="Hide nuggets in three boxes and raid the boxes of the others.",
    seats=(2, 4),
    minutes=5,
    rules_version=2,
    options=(ROUNDS,),
)
