"""Moves from wire data and from the fields of a page's form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from app.games.contract import Fields, Json, Malformed
from app.games.splendor.cards import CARDS, LEVELS, NOBLES
from app.games.splendor.gems import COLOURS, INDEX, TOKENS, Count
from app.games.splendor.moves import (
    Buy,
    ChooseNoble,
    Move,
    Pass,
    Reserve,
    ReserveBlind,
    Return,
    Take,
)

MOST_GEMS = 10
"""The most tokens a move may name; more than any move may take, so that `apply` says why."""

DECK = "deck"


def parse(data: Json) -> Move:
    """Reads wire data as a move. Raises `Malformed` for anything that is none of the spellings."""
    # Types are compared exactly: unhashable and odd values must never reach a look-up.
    if type(data) is not dict:
        raise Malformed("expected an object with a kind")
    kind = data.get("kind")
    reader = _READERS.get(kind) if type(kind) is str else None
    if reader is None:
        raise Malformed(f"expected a kind: {', '.join(_READERS)}")
    return reader(data)


def _take(data: dict[str, Json]) -> Move:
    gems = data.get("gems")
    if len(data) != 2 or type(gems) is not list or len(gems) > MOST_GEMS:
        raise Malformed('expected "gems" to be a list of colours')
    if not all(type(gem) is str and gem in INDEX for gem in gems):
        raise Malformed(f"expected gems to be of {', '.join(TOKENS)}")
    return Take(tuple(sorted(gems, key=INDEX.__getitem__)))


def _reserve(data: dict[str, Json]) -> Move:
    if len(data) == 2 and _number(data.get("card"), len(CARDS)):
        return Reserve(data["card"])
    level = data.get(DECK)
    if len(data) == 2 and type(level) is int and level in LEVELS:
        return ReserveBlind(level)
    raise Malformed('expected "card", 0 to 89, or "deck", 1 to 3')


def _buy(data: dict[str, Json]) -> Move:
    card = data.get("card")
    if not _number(card, len(CARDS)) or data.keys() - {"kind", "card", "gold"}:
        raise Malformed('expected "card", 0 to 89, and "gold" or nothing else')
    if "gold" not in data:
        return Buy(card)
    return Buy(card, _count(data["gold"], COLOURS))


def _return(data: dict[str, Json]) -> Move:
    if len(data) != 2:
        raise Malformed('expected "tokens" and nothing else')
    return Return(_count(data.get("tokens"), TOKENS))


def _choose_noble(data: dict[str, Json]) -> Move:
    noble = data.get("noble")
    if len(data) != 2 or not _number(noble, len(NOBLES)):
        raise Malformed('expected "noble", 0 to 9')
    return ChooseNoble(noble)


def _pass(data: dict[str, Json]) -> Move:
    if len(data) != 1:
        raise Malformed("expected nothing but a kind")
    return Pass()


_READERS: dict[str, Callable[[dict[str, Json]], Move]] = {
    "take": _take,
    "reserve": _reserve,
    "buy": _buy,
    "return": _return,
    "choose_noble": _choose_noble,
    "pass": _pass,
}


def _number(value: Json, end: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < end


def _count(data: Json, names: tuple[str, ...]) -> Count:
    """Reads `{"red": 1}`; zeros may be spelled out."""
    if type(data) is not dict or not data.keys() <= set(names):
        raise Malformed(f"expected numbers of {', '.join(names)}")
    if not all(_number(number, MOST_GEMS + 1) for number in data.values()):
        raise Malformed(f"expected numbers from 0 to {MOST_GEMS}")
    return tuple(data.get(name, 0) for name in names)


def from_form(fields: Fields) -> Json:
    """Returns the wire data of a form: `kind`, and what belongs to that kind.

    * `take`: any number of `gems`, each one or more colours with spaces between.
    * `reserve`: `card`, a number or `deck1` to `deck3`.
    * `buy`: `card`, and `gold` or not: the colours paid with gold, one for each, with spaces
      between; empty for none. Left out: as little gold as possible.
    * `return`: a field for each token, named as it is, with a number or nothing.
    * `choose_noble`: `noble`. `pass`: nothing more.

    Raises `Malformed` for other, missing or repeated fields; the rest is left to `parse`.
    """
    gems = [word for name, value in fields if name == "gems" for word in value.split()]
    single = [(name, value) for name, value in fields if name != "gems"]
    values = dict(single)
    kind = values.pop("kind", None)
    names = values.keys()
    if len(values) + 1 != len(single) or (kind != "take" and len(single) != len(fields)):
        raise Malformed("expected a kind, and each field once")
    data: dict[str, Json] = {"kind": kind}
    if kind == "take" and not names:
        return {**data, "gems": gems}
    if kind == "return" and names <= set(TOKENS):
        numbers = {name: _whole(value) for name, value in values.items() if value.strip()}
        return {**data, "tokens": numbers}
    if kind == "reserve" and names == {"card"}:
        deck = values["card"].startswith(DECK)
        number = _whole(values["card"].removeprefix(DECK))
        return {**data, DECK if deck else "card": number}
    if kind == "buy" and "card" in names and names <= {"card", "gold"}:
        gold = {"gold": _tally(values["gold"].split())} if "gold" in names else {}
        return {**data, "card": _whole(values["card"]), **gold}
    if kind == "choose_noble" and names == {"noble"}:
        return {**data, "noble": _whole(values["noble"])}
    if kind == "pass" and not names:
        return data
    raise Malformed("expected a kind of move and the fields that belong to it")


def _whole(text: str) -> int:
    # Two digits are enough for every number in a move, and int() stays cheap.
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise Malformed("expected a whole number")
    return int(text)


def _tally(names: list[str]) -> dict[str, int]:
    return {name: names.count(name) for name in dict.fromkeys(names[: MOST_GEMS + 1])}
