"""The one spelling of each move on the wire, and the fields of the page's forms."""

from __future__ import annotations

from app.games.contract import Fields, Json, Malformed
from app.games.gold_hunting.bars import BARS, SIZES, Bars
from app.games.gold_hunting.moves import DIGS, RUSHES, SAFE, Build, Move

GREATEST_BAR = 9
"""Bars up to this size are well-formed, so that a refusal can say which of them there are."""

_MOST = len(BARS)
_FIELDS = {
    "build": {"kind", "mountains"},
    "dig": {"kind", "mountain", "size"},
    "rush": {"kind", "mountain"},
    "safe": {"kind"},
}


def parse(data: Json) -> Move:
    """Reads wire data as a move in canonical spelling. Raises `Malformed`.

    A build of a wrong number of mountains or of wrong bars is well-formed: the rules refuse it
    and say what is missing.
    """
    if type(data) is not dict:
        raise Malformed("expected an object with a kind")
    kind = data.get("kind")
    # Compared by type first: unhashable and odd values must never reach the look-up.
    if type(kind) is not str or kind not in _FIELDS:
        raise Malformed("expected a kind: build, dig, rush or safe")
    if data.keys() != _FIELDS[kind]:
        raise Malformed(f"expected the fields {sorted(_FIELDS[kind])}")
    if kind == "build":
        return Build(tuple(_bars(stack) for stack in _list(data["mountains"])))
    if kind == "safe":
        return SAFE
    mountain = data["mountain"]
    if type(mountain) is not int or mountain not in RUSHES:
        raise Malformed('expected "mountain" to be a number from 0 to 3')
    if kind == "rush":
        return RUSHES[mountain]
    size = data["size"]
    if type(size) is not int or size not in SIZES:
        raise Malformed('expected "size" to be 1, 2 or 3')
    return DIGS[mountain, size]


def _list(data: Json) -> list[Json]:
    if type(data) is not list or len(data) > _MOST:
        raise Malformed(f"expected a list of at most {_MOST}")
    return data


def _bars(data: Json) -> Bars:
    for bar in _list(data):
        if type(bar) is not int or not 0 <= bar <= GREATEST_BAR:
            raise Malformed("expected bars to be 1, 2 or 3")
    return tuple(data)


def from_form(fields: Fields) -> Json:
    """Returns the wire data of a form: `action`, and `mountain` for all but a safe.

    `action` is `build`, the announcement of a dig, `rush` or `safe`. For a build, `mountain` is
    there once for each mountain in order: its bars from bottom to top as digits, `321`; spaces
    and commas between them are passed over. A mountain chosen beside a safe is passed over, too.
    Raises `Malformed` for other, missing or repeated fields; limits are left to `parse`.
    """
    actions = [value for name, value in fields if name == "action"]
    mountains = [value for name, value in fields if name == "mountain"]
    if len(actions) != 1 or len(actions) + len(mountains) != len(fields):
        raise Malformed("expected one field action, and the field mountain")
    (action,) = actions
    if action == "build":
        return {"kind": "build", "mountains": [_digits(text) for text in mountains]}
    if len(mountains) <= 1 and action == "safe":
        return {"kind": "safe"}
    if len(mountains) != 1:
        raise Malformed("expected the field mountain once")
    mountain = _digit(mountains[0])
    if action == "rush":
        return {"kind": "rush", "mountain": mountain}
    return {"kind": "dig", "mountain": mountain, "size": _digit(action)}


def _digits(text: str) -> list[int]:
    return [_digit(one) for one in text if one not in " ,"]


def _digit(text: str) -> int:
    if len(text) == 1 and text in "0123456789":
        return int(text)
    raise Malformed("expected a digit")
