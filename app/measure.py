"""What the house counts about itself, as cheaply as counting can be.

A count on the way of a move costs well under a microsecond: no locks, no labels, no clock of its
own. `app.web.metrics` reads all of it when somebody asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Bounds for how long something took."""
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Bounds for how many go together."""


class Histogram:
    """How many values lie under each bound, and their sum. For the thread of the loop alone."""

    __slots__ = ("_counts", "bounds", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        """Counts with ascending upper bounds; a value equal to a bound lies under it."""
        self.bounds = tuple(bounds)
        self.total = 0.0
        self._counts = [0] * (len(self.bounds) + 1)

    def add(self, value: float) -> None:
        """Counts one value."""
        self._counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def under(self) -> list[int]:
        """Returns how many values lay under each bound; last, how many there were at all."""
        return list(accumulate(self._counts))
