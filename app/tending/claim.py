"""What a serving process claims of its database: to be alone, or to be one of several."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database
from app.play.journal import end_process

log = structlog.get_logger()

CLAIM_SECONDS: Final = 5.0
"""How long a start waits for a process that was just killed to be gone from the database."""
KEEP_SECONDS: Final = 2.0
"""How often it is made sure that the claim still holds."""

_ALONE: Final = (
    "Another Motherlode already serves this database. To run several side by side, set NATS_URL "
    "for each of them. Otherwise stop the other one first, or give this one a database of its own."
)
_SHARED: Final = (
    "A Motherlode without NATS_URL already serves this database. Set NATS_URL for that one too, "
    "or stop it first, or give this one a database of its own."
)


class Claim:
    """A lock in the database; `shared` with others that have a bus to tell each other by."""

    def __init__(self, database: Database, *, shared: bool) -> None:
        self.refusal = _SHARED if shared else _ALONE
        self._database = database
        self._shared = shared

    async def take(self) -> bool:
        """Claims the database; False where another process does not leave room for this one."""
        deadline = time.monotonic() + CLAIM_SECONDS
        told = False
        while not await self._database.house_lock.take(shared=self._shared):
            if time.monotonic() > deadline:
                return False
            if not told:
                log.info("waiting_for_another_house", seconds=CLAIM_SECONDS)
                told = True
            await asyncio.sleep(0.1)
        return True

    async def keep(self) -> None:
        """Claims it again after it was away; ends the process if another was faster.

        The house's own PostgreSQL is started again where it does not answer.
        """
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            try:
                if not await self._database.house_lock.take(shared=self._shared):
                    log.critical("another_house_serves_this_database")
                    end_process()
                    return
            except (SQLAlchemyError, OSError):
                await self._database.revive()
