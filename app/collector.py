"""Python's search for cycles: how often it is begun, and when it is not.

Nearly all that a move makes is freed by counting references. With Python's defaults a quarter of
the CPU time under load went into looking for cycles (bench/README.md).
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

COLLECT_AFTER: Final = (10_000, 5, 2)
"""New objects that are still alive after which Python looks for cycles among them; how often it
does so before it looks at older ones too, and how often that before it looks at all.

A thousand sockets that are closed at once leave cycles. With the defaults for the older ones they
stayed until the next thousand had come, and memory grew by a tenth.
"""
LINGER_SECONDS: Final = 3.0
"""How long the search rests after the last time that it was asked to: states are still drawn."""
MOST_SECONDS: Final = 30.0
"""How long the search may rest, however often it is asked to."""
APART_SECONDS: Final = 60.0
"""Between the end of a rest that took as long as that and the next one."""


def spare_the_collector() -> None:
    """Takes what was loaded out of the collector's sight, and has it look less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


class Rest:
    """Has no search begun while many tables are loaded at once.

    Nothing of a table that was just loaded is garbage, and each search would walk through all that
    were loaded before it.
    """

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None
        self._until = 0.0
        self._most = 0.0
        self._not_before = 0.0

    @property
    def resting(self) -> bool:
        """Whether no search is begun now."""
        return self._timer is not None

    def renew(self) -> None:
        """Rests from now on for `LINGER_SECONDS`, unless it has for `MOST_SECONDS`."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._timer is None:
            if not gc.isenabled() or now < self._not_before:
                return
            gc.disable()
            self._most = now + MOST_SECONDS
            self._timer = loop.call_later(LINGER_SECONDS, self._look, loop)
        self._until = min(now + LINGER_SECONDS, self._most)

    def end(self) -> None:
        """Searches again; what has come meanwhile counts as old, so that no search walks it now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            gc.freeze()
            gc.unfreeze()
            gc.enable()

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        if now < self._until:
            self._timer = loop.call_at(self._until, self._look, loop)
            return
        if self._until == self._most:
            self._not_before = now + APART_SECONDS
        self.end()
