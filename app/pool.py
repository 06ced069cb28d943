"""The engine of the house: SQLAlchemy's, with a pool that bears what happens to databases."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry
from sqlalchemy.util.queue import Empty

from app.direct import REST_SECONDS, DriverConnection, close_all


def pooled(url: URL, *, wait: float, connect_args: Mapping[str, float]) -> AsyncEngine:
    """Returns an engine that waits `wait` seconds at most for a connection of its pool.

    `connect_args` are for the driver.
    """
    engine = create_async_engine(
        url,
        hide_parameters=True,
        poolclass=_ScarcePool,
        pool_size=5,
        max_overflow=5,
        pool_timeout=wait,
        connect_args={**connect_args},
    )
    _check_after_rest(engine)
    _drop_where_nothing_is_written(engine)
    return engine


async def dispose(engine: AsyncEngine) -> None:
    """Closes the connections of a `pooled` engine that are not in use, at once.

    The engine's own way is one after the other, as long as the database takes for each.
    """
    pool = engine.pool
    assert isinstance(pool, _ScarcePool)
    await close_all(pool.take_idle())
    await engine.dispose()


class _ScarcePool(AsyncAdaptedQueuePool):
    """Where the database gives no more connections, waits for one of those that are in use."""

    # SQLAlchemy names a pool's log by it; by our own name all it does would be told.
    __module__ = AsyncAdaptedQueuePool.__module__

    def _do_get(self) -> ConnectionPoolEntry:
        try:
            return super()._do_get()
        except asyncpg.TooManyConnectionsError:
            if not self.checkedout():
                raise
            try:
                return self._pool.get(True, self._timeout)
            except Empty:
                raise TimeoutError from None

    def take_idle(self) -> list[DriverConnection]:
        """Takes out the connections that are not in use."""
        links: list[DriverConnection] = []
        with suppress(Empty):
            while True:
                link = self._pool.get(False).driver_connection
                if link is not None:
                    links.append(link)
        return links


def _check_after_rest(engine: AsyncEngine) -> None:
    """Has a connection that rested in the pool checked before it is used again.

    SQLAlchemy's `pool_pre_ping` checks every time, with three messages there and back: under load
    that is as much work as the queries themselves.
    """
    dialect = engine.sync_engine.dialect

    @event.listens_for(engine.sync_engine, "checkin")
    def _rests(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info["rests_since"] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def _wakes(connection: Any, record: ConnectionPoolEntry, _proxy: Any) -> None:
        if connection.driver_connection.is_closed():
            raise InvalidatePoolError
        rested = time.monotonic() - record.info.get("rests_since", math.inf)
        if rested < REST_SECONDS:
            return
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error


def _drop_where_nothing_is_written(engine: AsyncEngine) -> None:
    """Has the pool open new connections once the database refused to write.

    A session may stay read-only for ever, where the database itself is so no longer.
    """
    read_only = asyncpg.ReadOnlySQLTransactionError.sqlstate

    @event.listens_for(engine.sync_engine, "handle_error")
    def _refused(context: ExceptionContext) -> None:
        if getattr(context.original_exception, "sqlstate", None) == read_only:
            context.is_disconnect = True
