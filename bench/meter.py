"""What is counted while the load runs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Meter:
    """Counts between `open()` and `close()`; before and after that nothing is counted.

    `waits` are the seconds from sending a move to the opponent's new state, one for each entry.
    `bytes_in` and `bytes_out` belong to sockets that are closed already, `trouble` counts always.
    """

    entries: int = 0
    turns: int = 0
    finished: int = 0
    waits: list[float] = field(default_factory=list)
    bytes_in: int = 0
    bytes_out: int = 0
    trouble: list[str] = field(default_factory=list)
    seconds: float = 0.0
    counting: bool = False
    _began: float = 0.0

    def open(self) -> None:
        """Begins to count."""
        self._began = time.perf_counter()
        self.counting = True

    def close(self) -> None:
        """Ends counting."""
        self.seconds = time.perf_counter() - self._began
        self.counting = False

    def accepted(self, *, whole: bool) -> None:
        """Counts an entry; `whole` if a turn ended with it."""
        if self.counting:
            self.entries += 1
            self.turns += whole

    def seen(self, seconds: float) -> None:
        """Counts how long an opponent waited for a move."""
        if self.counting:
            self.waits.append(seconds)
