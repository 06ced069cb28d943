"""Python's search for cycles: next to none while people play.

A move, a page and a socket leave no cycles (tests/web and tests/realtime, `test_no_cycles.py`): all
that they were is freed by counting references. But a search through what a second of a thousand
games had made held everybody up for 60 ms, and whoever was held up came back with all the others a
second of thought later, into the next search (bench/README.md). So Python does not search by
itself. Ten times a second what is new is searched if there was little to do, and is out of sight
then. What is left of busy times is found now and then, when everything is walked.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from typing import Final

LOOK_SECONDS: Final = 0.1
"""How long something new is in sight."""
QUIET_SECONDS: Final = 0.01
"""CPU time between two looks, at most, after which what is new is searched: that takes 2 ms."""
CROWD: Final = 2_000
"""Sockets that have gone before everything is walked; as many as are there, if that is more."""
WHOLE_SECONDS: Final = 1800.0
"""After this time everything is walked, whoever has gone."""


class Collector:
    """Minds the search of this process.

    `there` tells how many sockets are open, `gone` how many have closed so far.
    """

    def __init__(self, there: Callable[[], int], gone: Callable[[], int]) -> None:
        self._there = there
        self._gone = gone
        self._seen = 0
        self._whole_at = 0.0
        self._used = 0.0

    async def run(self) -> None:
        """Looks again and again until cancelled. Python then searches as it did before."""
        gc.disable()
        self.walk()
        try:
            while True:
                await asyncio.sleep(LOOK_SECONDS)
                self.look()
        finally:
            gc.unfreeze()
            gc.enable()

    def look(self) -> None:
        """Searches what is new, if that is little, or walks everything if it is time for it."""
        waited = asyncio.get_running_loop().time() - self._whole_at
        if self._gone() - self._seen >= max(CROWD, self._there()) or waited > WHOLE_SECONDS:
            self.walk()
            return
        if time.thread_time() - self._used <= QUIET_SECONDS:
            gc.collect(0)
        gc.freeze()
        self._used = time.thread_time()

    def walk(self) -> None:
        """Frees all cycles that nobody needs; takes as long as there is much in memory."""
        self._seen = self._gone()
        self._whole_at = asyncio.get_running_loop().time()
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._used = time.thread_time()
