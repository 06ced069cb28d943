"""The moves and their one spelling on the wire."""

from __future__ import annotations

from app.games.contract import Fields, Json, Malformed
from app.games.lost_cities.cards import CARDS, COLOURS
from app.games.value import value

DECK = "deck"


@value
class Play:
    """Plays a card of one's hand on one's own expedition of its colour."""

    card: str

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "play", "card": "R7"}`."""
        return {"kind": "play", "card": self.card}


@value
class Discard:
    """Lays a card of one's hand on the pile of its colour."""

    card: str

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "discard", "card": "B$"}`."""
        return {"kind": "discard", "card": self.card}


@value
class Draw:
    """Draws the top card of the deck (`deck`) or of a pile (its colour)."""

    source: str

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "draw", "from": "deck"}`."""
        return {"kind": "draw", "from": self.source}


Move = Play | Discard | Draw

PLAYS = {card: Play(card) for card in CARDS}
DISCARDS = {card: Discard(card) for card in CARDS}
DRAWS = {source: Draw(source) for source in (DECK, *COLOURS)}
"""Every move there is, by its card or source."""


def parse(data: Json) -> Move:
    """Reads wire data as a move. Raises `Malformed` for anything but the exact spelling."""
    if type(data) is not dict or len(data) != 2:
        raise Malformed("expected an object with a kind and one more field")
    kind = data.get("kind")
    # Compared by type first: unhashable and odd values must never reach the look-up.
    if type(kind) is not str:
        raise Malformed("expected a kind: play, discard or draw")
    move: Move | None = None
    if kind == "draw":
        source = data.get("from")
        move = DRAWS.get(source) if type(source) is str else None
        if move is None:
            raise Malformed('expected "from" to be deck or the letter of a colour')
        return move
    if kind not in {"play", "discard"}:
        raise Malformed("expected a kind: play, discard or draw")
    card = data.get("card")
    if type(card) is str:
        move = PLAYS.get(card) if kind == "play" else DISCARDS.get(card)
    if move is None:
        raise Malformed('expected "card" to be a card such as R7, Y10 or B$')
    return move


def from_form(fields: Fields) -> Json:
    """Returns the wire data of a form: `card` and `action` (play, discard), or `draw`.

    Raises `Malformed` for other, missing or repeated fields; the values are left to `parse`.
    """
    values = dict(fields)
    if len(values) == len(fields):
        if values.keys() == {"draw"}:
            return {"kind": "draw", "from": values["draw"]}
        if values.keys() == {"card", "action"} and values["action"] in {"play", "discard"}:
            return {"kind": values["action"], "card": values["card"]}
    raise Malformed("expected the fields card and action (play or discard), or the field draw")
