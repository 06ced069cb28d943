"""Databases for tests: clones of one migrated template, emptied after each use and lent again.

PostgreSQL takes a quarter of a second for a clone and a few milliseconds to empty one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy.engine import URL

from app.database import Database
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


class Databases:
    """The databases of one worker of the run; `worker` keeps their names apart."""

    def __init__(self, postgres: EmbeddedPostgres, worker: str) -> None:
        self._postgres = postgres
        self._worker = worker
        self._template = f"template_{worker}"
        self._made = 0
        self._idle: list[tuple[str, list[object]]] = []

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
        name, new = self._idle.pop() if self._idle else await self._clone()
        yield self._postgres.url(name)
        connection = await self._connect(name)
        try:
            await connection.execute(_OTHERS)
            same = await _schema(connection) == new
            if same:
                await connection.execute(await _emptying(connection))
        finally:
            await connection.close()
        if same:
            self._idle.append((name, new))
        else:
            await self._command(f'drop database "{name}" with (force)')

    async def _clone(self) -> tuple[str, list[object]]:
        self._made += 1
        name = f"test_{self._worker}_{self._made}"
        await self._command(f'create database "{name}" template "{self._template}"')
        connection = await self._connect(name)
        try:
            return name, await _schema(connection)
        finally:
            await connection.close()

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


async def _emptying(connection: asyncpg.Connection[asyncpg.Record]) -> str:
    rows = await connection.fetch("select tablename from pg_tables where schemaname = 'public'")
    names = [row[0] for row in rows if row[0] != _VERSION]
    # So that the order of the tables does not matter.
    unchecked = "set session_replication_role = replica"
    return "; ".join([unchecked, *(f'delete from "{name}"' for name in names)])
