"""HTML of a room that may still be shown as it is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


class Kept:
    """What was drawn for the present state of a room and for the one before.

    The key of a piece of HTML says everything that it was made from, so equal keys mean equal
    HTML, whoever looks. What no viewer of two states in a row needed is forgotten.
    """

    def __init__(self) -> None:
        self._now: dict[Hashable, str] = {}
        self._before: dict[Hashable, str] = {}
        self.logs: dict[Hashable, tuple[Sequence[object], list[str]]] = {}
        """The lines that each reader was shown last, oldest first, and their HTML, newest first."""

        self.quiet: dict[Hashable, tuple[tuple[object, ...], dict[str, str]]] = {}
        """For each seat what moves change seldom, and the HTML of the regions made of it alone."""

    def turn(self) -> None:
        """Begins a new state."""
        if self._now:
            self._before, self._now = self._now, {}

    def get(self, key: Hashable) -> str | None:
        """Returns what was drawn from this, if it is still known."""
        html = self._now.get(key)
        if html is None:
            html = self._before.get(key)
            if html is not None:
                self._now[key] = html
        return html

    def __setitem__(self, key: Hashable, html: str) -> None:
        self._now[key] = html

    def __len__(self) -> int:
        return len(self._now)
