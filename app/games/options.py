"""What values an option takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.games.contract import Json, Meta, Option

FIRST: Final = "first"
"""The key of the option by which a seat can be named that begins."""
FIRST_BY_CHANCE = -1
"""The value of the option `first` that leaves the first player to chance."""


def first_player(
    seats: int,
    *,
    label: str = "First player",
    help: str = "A seat that is not at the table leaves it to chance.",  # noqa: A002 as in Option
) -> Option:
    """Returns the option `first`: by chance, or a fixed one of `seats` seats."""
    numbered = tuple((seat, f"Seat {seat + 1}") for seat in range(seats))
    return Option(
        key=FIRST,
        label=label,
        kind="choice",
        default=FIRST_BY_CHANCE,
        choices=((FIRST_BY_CHANCE, "By chance"), *numbered),
        help=help,
    )


def allows(option: Option, value: Json) -> bool:
    """Tells whether the option takes this value; the type must be exact (`1` is no switch)."""
    if option.kind == "switch":
        return type(value) is bool
    if option.kind == "number":
        return type(value) is int and option.least <= value <= option.most
    return any(type(value) is type(choice) and value == choice for choice, _label in option.choices)


def wrong_option(meta: Meta, options: Mapping[str, Json]) -> str | None:
    """Returns the first key that is unknown or has a value it does not take, or None."""
    known = {option.key: option for option in meta.options}
    for key, value in options.items():
        if key not in known or not allows(known[key], value):
            return key
    return None
