"""The moves, each with its one canonical spelling."""

from __future__ import annotations

from app.games.contract import Fields, Json, Malformed
from app.games.value import value


@value
class Decision:
    """`kind` is "keep" or "swap"."""

    kind: str

    def wire(self) -> dict[str, Json]:
        """Returns the move as wire data."""
        return {"kind": self.kind}


KEEP = Decision("keep")
SWAP = Decision("swap")


def parse(data: Json) -> Decision:
    """Reads wire data; raises `Malformed` for everything that is no move of this game."""
    for move in (KEEP, SWAP):
        if data == move.wire():
            return move
    raise Malformed("expected keep or swap")


def from_form(fields: Fields) -> Json:
    """Reads the page's form: one button called `kind`."""
    return dict(fields)
