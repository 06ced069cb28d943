"""The short way to the database, for statements that run with every room that is opened.

SQLAlchemy writes these statements too, once; but each use of its engine takes seven times the CPU
time that the driver needs (bench/README.md). So the driver runs them, on a few connections of its
own. Each statement is a transaction of its own. What goes wrong is raised as SQLAlchemy does.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeAlias

import asyncpg
from sqlalchemy import ClauseElement
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

DriverConnection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Connect: TypeAlias = Callable[[], Awaitable[DriverConnection]]
_Asked: TypeAlias = "dict[object, list[asyncio.Future[list[asyncpg.Record]]]]"

_TROUBLE: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
MOST_LINKS: Final = 10
CLOSE_SECONDS: Final = 1.0
"""How long all connections together may take to be closed in good order."""
REST_SECONDS: Final = 1.0
"""After so long in the pool a connection is checked before it is used again."""


class Statement:
    """A statement in the driver's own spelling, written out once. Values are given by name.

    The driver takes JSON as text and returns it as text.
    """

    def __init__(self, statement: ClauseElement) -> None:
        compiled = statement.compile(dialect=dialect())  # type: ignore[no-untyped-call]
        assert isinstance(compiled, SQLCompiler)
        self.sql = str(compiled)
        self._names = tuple(compiled.positiontup or ())
        # Constants are values too.
        self._given = {key: one.value for key, one in compiled.binds.items() if not one.required}

    def values(self, given: Mapping[str, object]) -> list[object]:
        """Returns the values in the order that the driver wants. Raises KeyError without one."""
        known = {**self._given, **given}
        return [known[name] for name in self._names]


class Direct:
    """Connections of the driver, opened as they are needed and kept, at most `most`.

    `statements` counts those that were run.
    """

    def __init__(self, connect: Connect, *, seconds: float, most: int = MOST_LINKS) -> None:
        """Waits for a connection, and for each answer, `seconds` at most."""
        self.statements = 0
        self._connect = connect
        self._seconds = seconds
        self._free = asyncio.Semaphore(most)
        self._resting: list[tuple[DriverConnection, float]] = []
        self._lent = 0
        self._waiting: deque[asyncio.Future[DriverConnection]] = deque()

    async def rows(
        self, statement: Statement, values: Mapping[str, object]
    ) -> list[asyncpg.Record]:
        """Runs a statement and returns its rows.

        Raises `IntegrityError` where a constraint forbids it, `DBAPIError` or OSError when the
        database does not answer: then nothing was changed, or that is not known.
        """
        given = statement.values(values)
        try:
            async with self._link() as link:
                self.statements += 1
                rows = await link.fetch(statement.sql, *given, timeout=self._seconds)
                return list(rows)
        except asyncpg.IntegrityConstraintViolationError as wrong:
            raise IntegrityError(None, None, wrong) from wrong
        except _TROUBLE as wrong:
            raise DBAPIError(None, None, wrong) from wrong

    def take(self, link: DriverConnection) -> None:
        """Takes a connection of these that was opened elsewhere."""
        self._rest(link)

    async def close(self) -> None:
        """Closes the connections that are not in use."""
        resting = [link for link, _ in self._resting]
        self._resting.clear()
        await close_all(resting)

    @asynccontextmanager
    async def _link(self) -> AsyncIterator[DriverConnection]:
        if self._free.locked():
            async with asyncio.timeout(self._seconds):
                await self._free.acquire()
        else:
            await self._free.acquire()
        try:
            link = await self._rested() or await self._opened()
            self._lent += 1
            try:
                yield link
            except asyncpg.IntegrityConstraintViolationError:
                self._rest(link)
                raise
            except BaseException:
                # It may be about to end, or an answer still on its way that nobody else must get.
                link.terminate()
                raise
            else:
                self._rest(link)
            finally:
                self._lent -= 1
        finally:
            self._free.release()

    def _rest(self, link: DriverConnection) -> None:
        if link.is_closed():
            return
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(link)
                return
        self._resting.append((link, time.monotonic()))

    async def _opened(self) -> DriverConnection:
        """Returns a new connection, or the next of ours to come back if we are given no more."""
        try:
            return await self._connect()
        except asyncpg.TooManyConnectionsError:
            if not self._lent:
                raise
            waiter: asyncio.Future[DriverConnection] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            try:
                async with asyncio.timeout(self._seconds):
                    return await waiter
            except (asyncio.CancelledError, TimeoutError):
                if waiter.done() and not waiter.cancelled():
                    self._rest(waiter.result())
                raise

    async def _rested(self) -> DriverConnection | None:
        """Returns the connection used last, if it still answers."""
        while self._resting:
            link, since = self._resting.pop()
            if link.is_closed():
                continue
            if time.monotonic() - since < REST_SECONDS:
                return link
            try:
                await link.execute("select 1", timeout=self._seconds)
            except TimeoutError:
                # It hangs, and mostly not it alone: each of the others may take as long.
                link.terminate()
                raise
            except (OSError, *_TROUBLE):
                link.terminate()
            except BaseException:
                link.terminate()
                raise
            else:
                return link
        return None


async def close_all(links: Iterable[DriverConnection]) -> None:
    """Closes connections that nobody uses, at once; cuts those that do not end within a second."""

    async def close(link: DriverConnection) -> None:
        with suppress(OSError, *_TROUBLE):
            await link.close(timeout=CLOSE_SECONDS)

    await asyncio.gather(*map(close, links))


class Lookup:
    """Finds rows by a key: whoever asks in one turn of the loop is answered by one statement.

    After a restart everybody comes back at once, and a statement costs more than its rows.
    """

    def __init__(self, direct: Direct, statement: Statement, key: str) -> None:
        """`statement` takes a list of `keys`; each of its rows has its key in the column `key`."""
        self._direct = direct
        self._statement = statement
        self._key = key
        self._asked: _Asked = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def rows(self, key: object) -> list[asyncpg.Record]:
        """Returns the rows of one key as they are after this was called.

        Raises as `Direct.rows` does.
        """
        if not self._asked:
            task = asyncio.create_task(self._answer())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        answer: asyncio.Future[list[asyncpg.Record]] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(key, []).append(answer)
        try:
            return await answer
        finally:
            # What goes wrong knows this frame, and the answer knows what went wrong.
            del answer

    async def _answer(self) -> None:
        asked, self._asked = self._asked, {}
        try:
            rows = await self._direct.rows(self._statement, {"keys": list(asked)})
        except Exception as wrong:
            _fail(asked, wrong)
        else:
            _share(asked, rows, self._key)
        finally:
            _cancel(asked)
            # As in `rows`: nobody would free the requests of those who waited.
            asked.clear()


def _fail(asked: _Asked, wrong: Exception) -> None:
    for answer in _waiting(asked):
        answer.set_exception(wrong)


def _share(asked: _Asked, rows: Iterable[asyncpg.Record], key: str) -> None:
    found: dict[object, list[asyncpg.Record]] = {each: [] for each in asked}
    for row in rows:
        found[row[key]].append(row)
    for each, answers in asked.items():
        for answer in answers:
            if not answer.done():
                answer.set_result(found[each])


def _cancel(asked: _Asked) -> None:
    for answer in _waiting(asked):
        answer.cancel()


def _waiting(asked: _Asked) -> Iterator[asyncio.Future[list[asyncpg.Record]]]:
    return (answer for answers in asked.values() for answer in answers if not answer.done())
