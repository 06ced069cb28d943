"""Finds out what was not heard: hints can be lost, and so can the bus for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.realtime.bus import Bus
from app.realtime.elsewhere import Elsewhere, Version
from app.realtime.live import Live

log = structlog.get_logger()

COMPARE_SECONDS: Final = 5.0


class Comparing:
    """Compares, now and then, all rooms that somebody is connected to with the database.

    `ears` are called with each room's version, whether it is known already or not.
    """

    def __init__(self, lives: Mapping[UUID, Live], elsewhere: Elsewhere, bus: Bus) -> None:
        self.ears: list[Callable[[Version], None]] = []
        self._lives = lives
        self._elsewhere = elsewhere
        self._soon = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        bus.on_connect(self._soon.set)

    def start(self) -> None:
        """Begins."""
        self._running = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Ends."""
        if self._running is not None:
            self._running.cancel()

    async def compare(self, ids: Collection[UUID]) -> None:
        """Compares some rooms, in one query; nothing without an answer of the database."""
        try:
            found = await self._elsewhere.versions(ids)
        except (SQLAlchemyError, OSError) as error:
            log.info("not_compared", rooms=len(ids), why=type(error).__name__)
            return
        for version in found:
            for ear in self.ears:
                ear(version)

    async def _run(self) -> None:
        while True:
            try:
                async with asyncio.timeout(COMPARE_SECONDS):
                    await self._soon.wait()
            except TimeoutError:
                pass
            self._soon.clear()
            try:
                if self._lives:
                    await self.compare(tuple(self._lives))
            except Exception:
                log.exception("not_compared")
