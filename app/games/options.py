"""What values an option takes."""

from __future__ import annotations

from collections.abc import Mapping

from app.games.contract import Json, Meta, Option


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
