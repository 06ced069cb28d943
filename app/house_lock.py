"""The lock by which a process serves a database: alone, or beside others that share it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

HOUSE_LOCK = 7_402_002
"""Key of an advisory lock; any number, as long as it never changes."""

_THIS_SESSION = text("select pid, backend_start from pg_stat_activity where pid = pg_backend_pid()")
# By its beginning too: another session may have its number by now. Waits a second for its end.
_END_SESSION = text("""
select pg_terminate_backend(pid, 1000) from pg_stat_activity
where pid = :pid and backend_start = :began
""")


class HouseLock:
    """An advisory lock that a session of this process holds for as long as that session lives."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Takes an engine without a pool."""
        self._engine = engine
        self._held: AsyncConnection | None = None
        self._holder: tuple[int, datetime] | None = None

    async def take(self, *, shared: bool = False) -> bool:
        """Try to be, or to stay, the only process on this database; False when another one is.

        Those that take it `shared` get on with each other, and with nobody else.
        Held until `release()`, or until this process or its connection dies: who wants to keep it
        asks again from time to time. Raises SQLAlchemyError or OSError when nothing answers.

        A database that hung for a while has not noticed that this process gave up the connection
        it held the lock by: then that session of our own is in the way, and is ended.
        """
        if self._held is not None:
            try:
                await self._held.execute(text("select 1"))
            except (SQLAlchemyError, OSError):
                await self.release()
        if self._held is None:
            connection = await self._engine.connect()
            try:
                got = await self._taken_by(connection, shared=shared)
            except BaseException:
                await connection.invalidate()
                raise
            finally:
                if self._held is not connection:
                    await connection.close()
            return got
        return True

    async def release(self) -> None:
        """Gives the lock up, where it is held."""
        if self._held is not None:
            held, self._held = self._held, None
            await held.invalidate()
            await held.close()

    async def _taken_by(self, connection: AsyncConnection, *, shared: bool) -> bool:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        how = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        lock = text(f"select {how}({HOUSE_LOCK})")
        pid, began = (await connection.execute(_THIS_SESSION)).one()
        got = bool(await connection.scalar(lock))
        if not got and self._holder is not None:
            former, since = self._holder
            ended = await connection.scalar(_END_SESSION, {"pid": former, "began": since})
            if ended is False:
                return True  # It hangs yet, and as long as it does nobody else has the lock.
            got = ended is True and bool(await connection.scalar(lock))
        if got:
            self._held, self._holder = connection, (pid, began)
        return got
