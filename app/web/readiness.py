"""Whether the database answers and writes, found out once for all who ask at the same time."""

from __future__ import annotations

import asyncio
from typing import Final

import asyncpg
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app.database import Database
from app.play.journal import Journal

ANSWER_SECONDS: Final = 2.0
_ONLY_READS: Final = asyncpg.ReadOnlySQLTransactionError.sqlstate
# Locks nothing, but is refused wherever writing is. Being refused, the pool opens new connections:
# old ones might only read for ever, where the database writes again.
_WRITES: Final = text("select from rooms where false for update")


class Readiness:
    """What keeps the database from being played with.

    Many may ask at once, strangers too: they wait for one look at the database, so that they do
    not take its connections from those who play.
    """

    def __init__(self, database: Database, journal: Journal) -> None:
        self._database = database
        self._journal = journal
        self._look: asyncio.Task[str | None] | None = None

    async def trouble(self) -> str | None:
        """Returns what is wrong, in words for whoever keeps the house; None if nothing is.

        Answers within `ANSWER_SECONDS`.
        """
        if self._look is None:
            self._look = asyncio.create_task(self._found())
            self._look.add_done_callback(self._seen)
        return await asyncio.shield(self._look)

    def _seen(self, _: asyncio.Task[str | None]) -> None:
        self._look = None

    async def _found(self) -> str | None:
        engine = self._database.engine
        try:
            async with asyncio.timeout(ANSWER_SECONDS), engine.connect() as connection:
                await connection.execute(_WRITES)
        except DBAPIError as error:
            only_reads = getattr(error.orig, "sqlstate", None) == _ONLY_READS
            return "the database only reads" if only_reads else "the database does not answer"
        except (SQLAlchemyError, OSError, TimeoutError):
            return "the database does not answer"
        return "the database has no room left on its disk" if self._journal.no_room else None
