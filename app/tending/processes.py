"""The processes that serve this database: each tells of itself, so that the host sees them."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert

from app.database import Database, new_id
from app.direct import Statement
from app.tending.models import ProcessRow

LIVES: Final = timedelta(seconds=30)
"""A process that has not told of itself for so long is gone, however it ended."""

_LEAVE: Final = Statement(delete(ProcessRow).where(ProcessRow.id == bindparam("id")))


@dataclass(frozen=True, slots=True)
class Process:
    """A process as it last told of itself: its open sockets, and the games it has in memory."""

    host: str
    pid: int
    sockets: int
    tables: int
    started_at: datetime
    seen_at: datetime


class Processes:
    """Notes this process, and lists all of them."""

    def __init__(self, database: Database) -> None:
        self._direct = database.direct
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._id: UUID = new_id()
        self._started = datetime.now(UTC)

    async def tell(self, sockets: int, tables: int) -> None:
        """Notes how this process is, and forgets those that are gone."""
        now = datetime.now(UTC)
        new = {"sockets": sockets, "tables": tables, "seen_at": now}
        told = insert(ProcessRow).values(
            id=self._id, host=socket.gethostname(), pid=os.getpid(), started_at=self._started, **new
        )
        async with self._engine.connect() as link:
            await link.execute(told.on_conflict_do_update(index_elements=["id"], set_=new))
            await link.execute(delete(ProcessRow).where(ProcessRow.seen_at < now - LIVES))

    async def leave(self) -> None:
        """Forgets this process."""
        await self._direct.rows(_LEAVE, {"id": self._id})

    async def living(self) -> list[Process]:
        """Returns the processes that told of themselves lately, the oldest first."""
        query = (
            select(
                ProcessRow.host,
                ProcessRow.pid,
                ProcessRow.sockets,
                ProcessRow.tables,
                ProcessRow.started_at,
                ProcessRow.seen_at,
            )
            .where(ProcessRow.seen_at > datetime.now(UTC) - LIVES)
            .order_by(ProcessRow.started_at)
        )
        async with self._engine.connect() as link:
            return [Process(*row) for row in await link.execute(query)]
