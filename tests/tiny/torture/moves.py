"""The moves, each with its one canonical spelling."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from app.games.contract import Fields, Json, Malformed
from tests.tiny.torture.state import BOXES


@dataclass(frozen=True, slots=True)
class _Move:
    kind: ClassVar[str]

    def wire(self) -> dict[str, Json]:
        """Returns the move as wire data."""
        data = asdict(self)
        return {"kind": self.kind, **{k: list(v) if k == "boxes" else v for k, v in data.items()}}


@dataclass(frozen=True, slots=True)
class Hide(_Move):
    """Puts the nuggets into the boxes, secretly."""

    kind = "hide"
    boxes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bid(_Move):
    """Bids for the first turn, secretly."""

    kind = "bid"
    bid: int


@dataclass(frozen=True, slots=True)
class Shift(_Move):
    """Moves a nugget between two own boxes, once before acting."""

    kind = "shift"
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Peek(_Move):
    """Looks into a box of another seat."""

    kind = "peek"
    seat: int
    box: int


@dataclass(frozen=True, slots=True)
class Raid(_Move):
    """Attacks a box of another seat."""

    kind = "raid"
    seat: int
    box: int


@dataclass(frozen=True, slots=True)
class Respond(_Move):
    """Answers a raid, with a shield or without."""

    kind = "respond"
    shield: bool


Move = Hide | Bid | Shift | Peek | Raid | Respond
_KINDS: dict[str, type[Any]] = {k.kind: k for k in (Hide, Bid, Shift, Peek, Raid, Respond)}
_MOST_DIGITS = 3


def _checked(name: str, value: Json) -> Json:
    wanted = bool if name == "shield" else int
    if name == "boxes":
        if type(value) is not list or len(value) != BOXES:
            raise Malformed(f"expected {BOXES} boxes")
        return tuple(_checked("box", count) for count in value)
    if type(value) is not wanted or abs(value) >= 10**_MOST_DIGITS:
        raise Malformed(f"expected {name} to be a small {wanted.__name__}")
    return value


def parse(data: Json) -> Move:
    """Reads wire data; raises `Malformed` for everything that is no move of this game."""
    if type(data) is not dict or type(data.get("kind")) is not str or data["kind"] not in _KINDS:
        raise Malformed("expected a move of a known kind")
    made = _KINDS[data["kind"]]
    names = [field.name for field in fields(made)]
    if data.keys() != {"kind", *names}:
        raise Malformed(f"expected the fields {names}")
    move: Move = made(**{name: _checked(name, data[name]) for name in names})
    return move


def from_form(fields: Fields) -> Json:
    """Reads the page's form: fields named as on the wire, `boxes` once for each box."""
    data: dict[str, Json] = {}
    for name, text in fields:
        if name == "boxes":
            data.setdefault("boxes", []).append(_number(text))
        else:
            data[name] = text if name == "kind" else _number(text)
    if "shield" in data:
        data["shield"] = data["shield"] == 1
    return data


def _number(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)
    raise Malformed("expected a small whole number")
