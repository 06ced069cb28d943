"""The moves and their one spelling on the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from app.games.contract import Fields, Json, Malformed
from app.games.take_the_gold.cards import ANSWERS, KINDS, Cards, full_deck, in_order
from app.games.take_the_gold.meta import META
from app.games.value import value

NO_ANSWER = "none"
"""How a form spells an answer with no card."""


@value
class Play:
    """Attacks the seat `target` with a card of one's hand."""

    kind: ClassVar[str] = "play"
    card: str
    target: int

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "play", "card": "pirate", "target": 2}`."""
        return {"kind": self.kind, "card": self.card, "target": self.target}


@value
class Pass:
    """Ends the turn without an attack."""

    kind: ClassVar[str] = "pass"

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "pass"}`."""
        return {"kind": self.kind}


@value
class Discard:
    """Lays cards of one's hand on the discard pile; `cards` are in canonical order."""

    kind: ClassVar[str] = "discard"
    cards: Cards

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "discard", "cards": ["pirate", "coin"]}`."""
        return {"kind": self.kind, "cards": list(self.cards)}


@value
class Respond:
    """Answers an attack with a card of one's hand, or with none."""

    kind: ClassVar[str] = "respond"
    card: str | None

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "respond", "with": "officer"}`; `with` is None for no answer."""
        return {"kind": self.kind, "with": self.card}


Move = Play | Pass | Discard | Respond

PASS = Pass()
ANSWERING: tuple[str | None, ...] = (
    *dict.fromkeys(card for cards in ANSWERS.values() for card in cards),
    None,
)
"""Everything that answers some attack."""

_DECK = len(full_deck())


def parse(data: Json) -> Move:
    """Reads wire data as a move. Raises `Malformed` for anything but the exact fields.

    The cards of a discard may come in any order.
    """
    if type(data) is not dict:
        raise Malformed("expected an object")
    kind = data.get("kind")
    # Compared by type first: unhashable and odd values must never reach a look-up.
    if type(kind) is not str or kind not in _READ:
        raise Malformed(f"expected a kind: {', '.join(_READ)}")
    fields, read = _READ[kind]
    if data.keys() != {"kind", *fields}:
        raise Malformed(f"expected the fields kind, {', '.join(fields)} of {kind}")
    return read(data)


def _read_play(data: Json) -> Move:
    card, target = data["card"], data["target"]
    if not _is_card(card):
        raise Malformed(f'expected "card" to be one of {", ".join(KINDS)}')
    if type(target) is not int or not 0 <= target < META.seats[1]:
        raise Malformed(f'expected "target" to be a seat from 0 to {META.seats[1] - 1}')
    return Play(card, target)


def _read_pass(_: Json) -> Move:
    return PASS


def _read_discard(data: Json) -> Move:
    cards = data["cards"]
    if type(cards) is not list or len(cards) > _DECK or not all(map(_is_card, cards)):
        raise Malformed(f'expected "cards" to be a list of {", ".join(KINDS)}')
    return Discard(in_order(cards))


def _read_respond(data: Json) -> Move:
    card = data["with"]
    if card is not None and not (_is_card(card) and card in ANSWERING):
        raise Malformed('expected "with" to be a card that answers something, or null')
    return Respond(card)


def _is_card(value: Json) -> bool:
    return type(value) is str and value in KINDS


_READ: dict[str, tuple[tuple[str, ...], Callable[[Json], Move]]] = {
    Play.kind: (("card", "target"), _read_play),
    Pass.kind: ((), _read_pass),
    Discard.kind: (("cards",), _read_discard),
    Respond.kind: (("with",), _read_respond),
}


def from_form(fields: Fields) -> Json:
    """Returns the wire data of a form; the values are left to `parse`.

    `card` and `target` attack, with or without `kind` "play"; `kind` "pass" passes over them;
    `with` answers, "none" with no card; `kind` "discard" takes each of `cards`. Raises `Malformed`
    for other, missing or repeated fields.
    """
    cards = [value for name, value in fields if name == "cards"]
    single = [(name, value) for name, value in fields if name != "cards"]
    values = dict(single)
    if len(values) != len(single):
        raise Malformed("expected each field but cards once")
    kind = values.pop("kind", None)
    if kind == Discard.kind and not values:
        return {"kind": kind, "cards": cards}
    if not cards:
        if kind == Pass.kind and values.keys() <= {"card", "target"}:
            return {"kind": kind}
        if kind in {None, Play.kind} and values.keys() == {"card", "target"}:
            return {"kind": Play.kind, "card": values["card"], "target": _seat(values["target"])}
        if kind in {None, Respond.kind} and values.keys() == {"with"}:
            card = values["with"]
            return {"kind": Respond.kind, "with": None if card == NO_ANSWER else card}
    raise Malformed("expected the fields of an attack, a pass, an answer or a discard")


def _seat(text: str) -> Json:
    """Returns the seat that a form names, or the text as it is: `parse` refuses that."""
    return int(text) if len(text) == 1 and text in "0123456789" else text
