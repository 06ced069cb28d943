"""The options of a game, checked against what its `Meta` offers."""

from __future__ import annotations

from collections.abc import Mapping

from app.games.contract import Json, Meta, Option
from app.games.options import wrong_option
from app.rooms.room import RoomRefused


def checked_options(
    meta: Meta, given: Mapping[str, Json], current: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """Returns every option of the game: as given, else as it is now, else the default.

    Values have exactly the type that `Meta` says (`1` is no switch, `true` no number). Raises
    `RoomRefused("bad_options")` with the fact `option`: the key that is unknown or wrong; `known`
    tells which.
    """
    wrong = wrong_option(meta, given)
    if wrong is not None:
        known = any(option.key == wrong for option in meta.options)
        raise RoomRefused("bad_options", option=wrong, known=known)
    chosen = {**(current or {}), **given}
    return {option.key: chosen.get(option.key, option.default) for option in meta.options}


def options_from_text(meta: Meta, fields: Mapping[str, str]) -> dict[str, Json]:
    """Reads the option fields of a submitted form, by option key.

    A switch is on if its field is there: browsers leave out a box that is not ticked. Raises
    `RoomRefused("bad_options")`.
    """
    read: dict[str, Json] = {option.key: False for option in meta.options if _is_switch(option)}
    known = {option.key: option for option in meta.options}
    for key, text in fields.items():
        if key not in known:
            raise RoomRefused("bad_options", option=key, known=False)
        read[key] = _value(known[key], text)
    return read


def checked_seats(meta: Meta, seats: object) -> int:
    """Returns the number of seats. Raises `RoomRefused("bad_seats")` with `least` and `most`."""
    least, most = meta.seats
    if type(seats) is not int or not least <= seats <= most:
        raise RoomRefused("bad_seats", least=least, most=most)
    return seats


def _is_switch(option: Option) -> bool:
    return option.kind == "switch"


def _value(option: Option, text: str) -> bool | int | str:
    if option.kind == "switch":
        return text not in {"", "0", "false", "off"}
    if option.kind == "choice":
        for choice, _label in option.choices:
            if str(choice) == text:
                return choice
    elif text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 10:
        return int(text)
    raise RoomRefused("bad_options", option=option.key, known=True)
