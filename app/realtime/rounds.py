"""Asking the database, every few seconds, what was not heard: news of others can be lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.realtime.background import Steady
from app.realtime.bus import Bus

log = structlog.get_logger()

ROUND_SECONDS: Final = 5.0


class Rounds(Steady):
    """Calls each of `looks`, if there are any, every `ROUND_SECONDS` and when the bus is back."""

    def __init__(self, bus: Bus) -> None:
        self.looks: list[Callable[[], Awaitable[None]]] = []
        self._soon = asyncio.Event()
        bus.on_connect(self._soon.set)

    async def _run(self) -> None:
        while self.looks:
            try:
                async with asyncio.timeout(ROUND_SECONDS):
                    await self._soon.wait()
            except TimeoutError:
                pass
            self._soon.clear()
            for look in self.looks:
                await tried(look())


async def tried(look: Awaitable[None]) -> None:
    """Waits for a look at the database; the next one will do where it does not answer."""
    try:
        await look
    except (SQLAlchemyError, OSError) as error:
        log.info("not_looked_up", why=type(error).__name__)
    except Exception:
        log.exception("not_looked_up")
