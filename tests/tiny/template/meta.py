"""What the house must know of the game."""

from app.games.contract import Meta, Option

SPARE = Option(
    key="spare",
    label="Cards left over for swapping",
    default=2,
    kind="number",
    least=0,
    most=6,
)

META = Meta(
    key="template",
    title="High card",
    line="Everybody holds one card and may swap it once; the highest card wins.",
    seats=(2, 4),
    minutes=1,
    rules_version=1,
    options=(SPARE,),
)
