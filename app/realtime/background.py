"""Work that nobody waits for."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from typing import Any


class Background:
    """Tasks that run to their end by themselves; a task that nobody holds could be lost."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Begins a task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Steady(ABC):
    """Work that goes on from `start` to `stop`."""

    _running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins."""
        self._running = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Ends."""
        if self._running is not None:
            self._running.cancel()

    @abstractmethod
    async def _run(self) -> None:
        """Does the work until it is cancelled."""
