"""The moves. Their spelling on the wire is read in `spelling`."""

from __future__ import annotations

from app.games.contract import Json
from app.games.gold_hunting.bars import MOUNTAINS, SIZES, Mountains
from app.games.value import value


@value
class Build:
    """Stacks bars into mountains, each from bottom to top."""

    mountains: Mountains

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "build", "mountains": [[2, 1], [3, 2, 1], [1, 2, 3], [1, 2]]}`."""
        return {"kind": "build", "mountains": [list(bars) for bars in self.mountains]}


@value
class Dig:
    """Announces a size and lifts the top bar of a mountain of the other seat."""

    mountain: int
    size: int

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "dig", "mountain": 2, "size": 3}`."""
        return {"kind": "dig", "mountain": self.mountain, "size": self.size}


@value
class Rush:
    """Shows the token, whose number is the announcement, and lifts a bar."""

    mountain: int

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "rush", "mountain": 0}`."""
        return {"kind": "rush", "mountain": self.mountain}


@value
class Safe:
    """Puts the token away unseen and the pile into the safe; a dig has to follow."""

    def wire(self) -> dict[str, Json]:
        """Returns `{"kind": "safe"}`."""
        return {"kind": "safe"}


Move = Build | Dig | Rush | Safe

DIGS = {(number, size): Dig(number, size) for number in range(MOUNTAINS) for size in SIZES}
RUSHES = {number: Rush(number) for number in range(MOUNTAINS)}
SAFE = Safe()
"""Every move there is but building, by what it names."""
