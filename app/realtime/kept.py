"""What is kept of the HTML of a room: while it is sent the HTML itself, then only what tells it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

Mark = tuple[int | None, int]
"""The hash of what a region was drawn from (None: it could not be told), and of its HTML."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows: a mark for each region by its id, and what moves change seldom.

    By it is seen what has changed since. It is a tenth of the HTML.
    """

    marks: Mapping[str, Mark]
    quiet: tuple[object, ...]


NOTHING = Shown({}, ())
"""A page that has to be sent all of its regions."""


class Kept:
    """What was drawn of a room for those who look at it now.

    The key of a piece of HTML says everything that it was made from, so equal keys mean equal
    HTML, whoever looks. All of a room's pages are drawn in the same turn of the loop, if their
    lines take it; after that nobody needs the HTML any more.
    """

    def __init__(self) -> None:
        self._drawn: dict[Hashable, str] = {}
        self.logs: dict[Hashable, tuple[Sequence[object], list[str]]] = {}
        """The lines that each reader was shown last, oldest first, and their HTML, newest first."""

    def forget(self) -> None:
        """Forgets the HTML, but for lines of the log: of thirty only one is new at each move."""
        self._drawn.clear()

    def get(self, key: Hashable) -> str | None:
        """Returns what was drawn from this, if it is still known."""
        return self._drawn.get(key)

    def __setitem__(self, key: Hashable, html: str) -> None:
        self._drawn[key] = html

    def __len__(self) -> int:
        return len(self._drawn)
