"""What the templates of a room are given beside plain data: things to ask and to call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from app.games.contract import Json, View
from app.games.registry import AnyGame
from app.play.position import Asked
from app.realtime.scene import LogLine


@dataclass(frozen=True, slots=True)
class Question:
    """The viewer's question: like `Asked`, with the legal moves written out once.

    `seat` is whom it asks, where several people share the page; else None.
    """

    n: int
    stage: str
    open: bool
    legal: list[dict[str, Json]]
    seat: int | None = None

    @classmethod
    def of(cls, asked: Asked | None, seat: int | None = None) -> Question | None:
        """Returns the question as templates get it."""
        if asked is None:
            return None
        return cls(asked.n, asked.stage, asked.open, asked.legal, seat)


class Marks(list[Mapping[str, Json]]):
    """Events of some entries as this viewer may know them."""

    def __call__(self, *kinds: str, **facts: Json) -> list[Mapping[str, Json]]:
        """Returns those of these kinds (none: of any) with these facts.

        `marks("reserved", seat=item)` depends on less than all marks, so what is drawn from it is
        drawn again less often.
        """
        return [
            event
            for event in self
            if (not kinds or event["kind"] in kinds)
            and all(fact in event and event[fact] == value for fact, value in facts.items())
        ]


@dataclass(frozen=True, slots=True)
class Preview:
    """`Game.preview`, called with the view, or with those parts of it that the answer is from."""

    game: AnyGame

    def __call__(self, view: View, move: Mapping[str, Json]) -> Mapping[str, Json]:
        """Returns what a move of the viewer would do."""
        return self.game.preview(view, dict(move))


class Teller:
    """Draws lines of the log for one reader.

    `reader` is all that the sentences depend on beside the line: the game, the viewer's seat, and
    what people are called.
    """

    __slots__ = ("_draw", "_html", "_lines", "reader")

    def __init__(self, reader: tuple[Any, ...], draw: Callable[[LogLine], Markup]) -> None:
        self.reader = reader
        self._draw = draw
        self._lines: Sequence[LogLine] = ()
        self._html = Markup()

    def __call__(self, line: LogLine) -> Markup:
        """Returns a line as HTML."""
        return self._draw(line)

    def items(self, lines: Sequence[LogLine]) -> Markup:
        """Returns the items of a list of lines, newest first.

        Each is numbered by its entry; where that is one less than above, it goes without saying.
        """
        # Asked twice for the same list: to see whether it has changed, and to draw it.
        if lines is not self._lines:
            drawn = []
            above = -1
            for line in reversed(lines):
                number = "" if line.seq == above - 1 else f" value={line.seq}"
                drawn.append(f"<li{number}>{self._draw(line)}</li>")
                above = line.seq
            self._lines = lines
            self._html = Markup("".join(drawn))  # noqa: S704 made by our own templates
        return self._html


SIGHT = frozenset(
    (
        *("game", "host", "item", "marks", "me", "my_last", "names", "outcome", "owes", "plain"),
        *("preview_of", "prompt", "recent", "rivals", "room", "scene", "told", "typed"),
        "view",
    )
)
"""The names that a region may read. All others in its template are its own or never change."""
