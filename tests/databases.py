"""Databases for tests: clones of one migrated template, emptied after each use and lent again.

PostgreSQL takes a quarter of a second for a clone and a few milliseconds to empty one, by a
connection that has done it before: a new one would have to learn of all tables first.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import asyncpg
from sqlalchemy.engine import URL

from app.database import Base, Database
from app.embedded import EmbeddedPostgres

_OTHERS = """
select pg_terminate_backend(pid, 10000) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
"""
_TABLES = """
select c.oid::int, c.relname, c.relkind::text, c.relacl::text, a.attname, a.atttypid::int
from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
where c.relnamespace = 'public'::regnamespace order by c.relname, a.attnum
"""
_RIGHTS = "select datacl::text from pg_database where datname = current_database()"
_VERSION = "alembic_version"


class Clone(NamedTuple):
    """A database, how it looked when it was new, and the connection by which it is emptied."""

    name: str
    new: list[object]
    connection: asyncpg.Connection[asyncpg.Record]


class Databases:
    """The databases of one worker of the run; `worker` keeps their names apart."""

    def __init__(self, postgres: EmbeddedPostgres, worker: str) -> None:
        self._postgres = postgres
        self._worker = worker
        self._template = f"template_{worker}"
        self._made = 0
        self._idle: list[Clone] = []

    async def prepare(self) -> None:
        """Makes the template: all tables, no rows."""
        await self._command(f'create database "{self._template}"')
        async with Database(self._postgres.url(self._template)) as database:
            await database.migrate()

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[URL]:
        """Gives the address of a database with all tables and no rows.

        Afterwards its connections are cut and its rows deleted. One whose tables, rights or version
        the test has changed is not used again.
        """
        clone = self._idle.pop() if self._idle else await self._clone()
        yield self._postgres.url(clone.name)
        # A test may have cut all connections.
        if not await _alive(clone.connection):
            clone = clone._replace(connection=await self._connect(clone.name))
        await clone.connection.execute(_OTHERS)
        if await _schema(clone.connection) == clone.new:
            await clone.connection.execute(_emptying())
            self._idle.append(clone)
        else:
            await clone.connection.close()
            await self._command(f'drop database "{clone.name}" with (force)')

    async def close(self) -> None:
        """Ends the connections."""
        for clone in self._idle:
            await clone.connection.close()

    async def _clone(self) -> Clone:
        self._made += 1
        name = f"test_{self._worker}_{self._made}"
        await self._command(f'create database "{name}" template "{self._template}"')
        connection = await self._connect(name)
        return Clone(name, await _schema(connection), connection)

    async def _command(self, sql: str) -> None:
        connection = await self._connect("postgres")
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    async def _connect(self, name: str) -> asyncpg.Connection[asyncpg.Record]:
        url = self._postgres.url(name).set(drivername="postgresql")
        return await asyncpg.connect(url.render_as_string(hide_password=False))


async def _schema(connection: asyncpg.Connection[asyncpg.Record]) -> list[object]:
    tables = [tuple(row) for row in await connection.fetch(_TABLES)]
    version = await connection.fetchval(f"select max(version_num) from {_VERSION}")
    return [tables, version, await connection.fetchval(_RIGHTS)]


async def _alive(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
    try:
        await connection.execute("select 1")
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        return False
    return True


def _emptying() -> str:
    # So that the order of the tables does not matter.
    unchecked = "set session_replication_role = replica"
    return "; ".join([unchecked, *(f'delete from "{name}"' for name in Base.metadata.tables)])
