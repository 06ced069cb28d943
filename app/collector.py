"""Python's search for cycles: kept short while people play, whole once many have gone.

Nearly all that a move makes is freed by counting references. With Python's defaults a quarter of
the CPU time under load went into looking for cycles, and one walk through the tables of 1,000
games held everybody up for 0.4 seconds (bench/README.md). So what has lasted for a moment is taken
out of the collector's sight, and it walks only what is new. Sockets that are closed leave cycles
among what it sees no more: when as many have gone as are there, everything is walked once. While a
crowd comes, as after a restart, nothing is walked: nearly all that is new then will stay.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Final

COLLECT_AFTER: Final = 10_000
"""New objects that are still alive after which Python looks for cycles among them."""
LOOK_SECONDS: Final = 1.0
"""How long something is in the collector's sight."""
CROWD: Final = 500
"""Sockets that have gone, at least, before everything is walked."""
COMING: Final = 100
"""Sockets more than at the last look that are a crowd."""
WHOLE_SECONDS: Final = 1800.0
"""After this time everything is walked, whoever has gone."""


class Collector:
    """Minds the search of this process.

    `there` tells how many sockets are open, `gone` how many have closed so far.
    """

    def __init__(self, there: Callable[[], int], gone: Callable[[], int]) -> None:
        self._there = there
        self._gone = gone
        self._before = 0
        self._seen = 0
        self._whole_at = 0.0

    async def run(self) -> None:
        """Looks every second until cancelled. Python then searches as it did before.

        A crowd may wait for the process to start, so Python's own search begins with the first
        look that finds none.
        """
        thresholds = gc.get_threshold()
        self.walk()
        gc.disable()
        gc.set_threshold(COLLECT_AFTER, *thresholds[1:])
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                self.look()
        finally:
            gc.unfreeze()
            gc.set_threshold(*thresholds)
            gc.enable()

    def look(self) -> None:
        """Walks what is new, or everything where it is time for that, or nothing in a crowd."""
        there, before = self._there(), self._before
        self._before = there
        waited = asyncio.get_running_loop().time() - self._whole_at
        if self._gone() - self._seen >= max(CROWD, there) or waited > WHOLE_SECONDS:
            self.walk()
        elif there - before >= COMING:
            gc.disable()
            gc.freeze()
            return
        else:
            gc.collect(1)
            gc.freeze()
        gc.enable()

    def walk(self) -> None:
        """Frees all cycles that nobody needs; takes as long as there is much in memory."""
        self._seen = self._gone()
        self._whole_at = asyncio.get_running_loop().time()
        gc.unfreeze()
        gc.collect()
        gc.freeze()
