"""What the templates of a room are given beside plain data: things to ask and to call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
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

    __slots__ = ("_draw", "_html", "_lines", "_logs", "reader")

    def __init__(
        self,
        reader: tuple[Any, ...],
        draw: Callable[[LogLine], Markup],
        logs: dict[Hashable, tuple[Sequence[object], list[str]]] | None = None,
    ) -> None:
        """`logs` has what readers were shown last, as `Kept` keeps it."""
        self.reader = reader
        self._draw = draw
        self._logs = {} if logs is None else logs
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
            told = self._newest_first(lines)
            self._lines = lines
            if lines and lines[-1].seq - lines[0].seq == len(lines) - 1:
                html = f"<li value={lines[-1].seq}>{'</li><li>'.join(told)}</li>"
            else:
                above = [-1, *(line.seq for line in reversed(lines))]
                html = "".join(
                    [
                        f"<li{'' if line.seq == last - 1 else f' value={line.seq}'}>{text}</li>"
                        for line, last, text in zip(reversed(lines), above, told, strict=False)
                    ]
                )
            self._html = Markup(html)  # noqa: S704 made by our own templates
        return self._html

    def _newest_first(self, lines: Sequence[LogLine]) -> list[str]:
        """Returns each line as HTML. A log that has grown by a line is the one before and that."""
        before, told = self._logs.get(self.reader, ((), []))
        earlier = lines[:-1]
        if lines and before and (earlier == before or earlier == before[1:]):
            told = [self._draw(lines[-1]), *told[: len(earlier)]]
        elif not lines or lines != before:
            told = [self._draw(line) for line in reversed(lines)]
        self._logs[self.reader] = lines, told
        return told


SIGHT = frozenset(
    (
        *("game", "host", "item", "marks", "me", "my_last", "names", "outcome", "owes", "plain"),
        *("preview_of", "prompt", "recent", "rivals", "room", "scene", "told", "typed"),
        "view",
    )
)
"""The names that a region may read. All others in its template are its own or never change."""
