"""The database: engine and sessions, the embedded PostgreSQL, migrations at the start."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import UUID

import asyncpg
import structlog
import uuid_utils.compat
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, MetaData, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import NullPool

from app.config import Settings
from app.direct import Direct, DriverConnection, Statement
from app.embedded import EmbeddedError, EmbeddedPostgres
from app.house_lock import HouseLock
from app.pool import dispose, pooled

log = structlog.get_logger()

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"
EMBEDDED_NAME = "motherlode"
WAIT_SECONDS = 5.0
"""How long a request waits for an answer: a database that hangs must not hang every page."""
CLOSE_SECONDS = 3.0
"""How long all connections together may take to be closed; what is open then ends with us."""
_IMPATIENT = {"timeout": WAIT_SECONDS, "command_timeout": WAIT_SECONDS}

_MIGRATION_LOCK = 7_402_001
"""Key of an advisory lock; any number, as long as it never changes."""

_RIGHTS = ("select", "insert", "update", "delete")
_READY = Statement(
    text("""
select version_num from alembic_version where version_num = :newest and not exists (
    select from unnest(cast(:tables as text[])) t, unnest(cast(:rights as text[])) r
    where not has_table_privilege(t, r)
)
""")
)
_FORBIDDEN = """
select 'no right to ' || r || ' in table ' || t
from unnest(cast(:tables as text[])) t, unnest(cast(:rights as text[])) r
where not has_table_privilege(t, r) order by 1 limit 1
"""


class DatabaseError(Exception):
    """The database cannot be used; the message is for the host and says what to do."""


class Base(DeclarativeBase):
    """What all models derive from. Every constraint gets the same name on every machine."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def new_id() -> UUID:
    """A new key: a UUID of version 7, so that later keys sort after earlier ones."""
    return uuid_utils.compat.uuid7()


class Database:
    """An open database. `Database.open(settings)` makes one; `close()` or `async with` ends it."""

    def __init__(self, url: URL, embedded: EmbeddedPostgres | None = None) -> None:
        self.embedded = embedded
        self.url = url.render_as_string(hide_password=False)
        self.engine = pooled(url, wait=WAIT_SECONDS, connect_args=_IMPATIENT)
        self.direct = Direct(lambda: self.connect(WAIT_SECONDS), seconds=WAIT_SECONDS)
        self.sessions = async_sessionmaker(self.engine, expire_on_commit=False)
        # Outside the pool: this connection never comes back to it.
        self.house_lock = HouseLock(
            create_async_engine(
                url, hide_parameters=True, poolclass=NullPool, connect_args=_IMPATIENT
            )
        )

    @classmethod
    async def open(cls, settings: Settings) -> Self:
        """Connect to `DATABASE_URL`, or start the house's own PostgreSQL and connect to that.

        Waits up to `settings.database_wait` seconds for a database that is not up yet; raises
        DatabaseError when it does not come or refuses us.
        """
        if settings.database_url is not None:
            database = cls(asyncpg_url(settings.database_url))
            await database._wait(settings.database_wait)
            return database
        embedded = EmbeddedPostgres(settings.data_dir / "postgres")
        try:
            await _started(embedded)
        except EmbeddedError as wrong:
            raise DatabaseError(str(wrong)) from wrong
        try:
            await _create_database(cls(embedded.url("postgres")), EMBEDDED_NAME)
        except BaseException:
            await asyncio.to_thread(embedded.stop)
            raise
        return cls(embedded.url(EMBEDDED_NAME), embedded)

    async def _wait(self, seconds: float) -> None:
        url = self.engine.url
        place = _place(url)
        deadline = time.monotonic() + seconds
        said = False
        while True:
            try:
                connection = await self.connect()
            except (
                asyncpg.InvalidPasswordError,
                asyncpg.InvalidAuthorizationSpecificationError,
            ) as wrong:
                raise DatabaseError(
                    f"PostgreSQL at {place} refuses user {url.username!r} with the given "
                    f"password. Check DATABASE_URL. ({wrong})"
                ) from wrong
            except asyncpg.InsufficientPrivilegeError as wrong:
                raise self._no_rights(str(wrong)) from wrong
            except asyncpg.InvalidCatalogNameError as wrong:
                raise DatabaseError(
                    f"PostgreSQL at {place} has no database {url.database!r}. Create it, "
                    "or check DATABASE_URL."
                ) from wrong
            except (
                OSError,
                asyncpg.CannotConnectNowError,
                asyncpg.PostgresConnectionError,
                asyncpg.TooManyConnectionsError,
            ) as wrong:
                if time.monotonic() >= deadline:
                    raise DatabaseError(
                        f"PostgreSQL at {place} did not answer within {seconds:g} seconds "
                        f"({str(wrong) or type(wrong).__name__}). "
                        "Check that it runs and that DATABASE_URL is right."
                    ) from wrong
                if not said:
                    log.warning("waiting_for_postgresql", place=place)
                    said = True
                await asyncio.sleep(0.5)
            except (asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as wrong:
                raise DatabaseError(
                    f"PostgreSQL at {place} cannot be used. Check DATABASE_URL. ({wrong})"
                ) from wrong
            else:
                self.direct.take(connection)
                return

    async def connect(self, seconds: float = 10.0) -> DriverConnection:
        """A connection of the driver itself, outside the pool; its caller closes it.

        Raises the driver's own errors and OSError.
        """
        _, arguments = self.engine.dialect.create_connect_args(self.engine.url)
        return await asyncpg.connect(**arguments, timeout=seconds)

    async def migrate(self) -> None:
        """Bring the tables to this version. Two processes that start at once wait for each other.

        Raises DatabaseError when the tables are of a newer version than this program, or when
        the user may not read and change all of them, or when they are another program's.
        """
        if await self._is_ready():
            return
        try:
            async with self.patient() as connection:
                await connection.run_sync(upgrade)
                forbidden = await connection.scalar(
                    text(_FORBIDDEN),
                    {"tables": list(Base.metadata.tables), "rights": list(_RIGHTS)},
                )
        except ProgrammingError as wrong:
            if getattr(wrong.orig, "sqlstate", None) == asyncpg.InsufficientPrivilegeError.sqlstate:
                raise self._no_rights(_reason(wrong)) from wrong
            raise DatabaseError(
                f"The tables in database {self.engine.url.database!r} are not Motherlode's "
                f"({_reason(wrong)}). Create an empty database for it, or check DATABASE_URL."
            ) from wrong
        if forbidden is not None:
            raise self._no_rights(forbidden)

    async def _is_ready(self) -> bool:
        """Whether the tables are of this version, and ours to use: what most starts find."""
        given = {"newest": _newest(), "tables": list(Base.metadata.tables), "rights": list(_RIGHTS)}
        try:
            return len(await self.direct.rows(_READY, given)) == 1
        except (DBAPIError, OSError):
            return False  # the long way finds out why

    @asynccontextmanager
    async def patient(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that may change tables, alone, and take longer than any request may."""
        engine = create_async_engine(self.engine.url, hide_parameters=True, poolclass=NullPool)
        async with engine.begin() as connection:
            await connection.execute(text(f"select pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            yield connection

    def _no_rights(self, reason: str) -> DatabaseError:
        url = self.engine.url
        return DatabaseError(
            f"PostgreSQL at {_place(url)} does not let user {url.username!r} use or make the "
            f"tables in database {url.database!r} ({reason}). Make that user the owner of the "
            "database and its tables, or check DATABASE_URL."
        )

    async def revive(self) -> None:
        """Start the embedded PostgreSQL again if it has died; any other is its host's affair."""
        if self.embedded is None:
            return
        try:
            if await asyncio.to_thread(self.embedded.revive):
                log.warning("postgresql_started_again")
        except (EmbeddedError, OSError) as wrong:
            log.error("postgresql_not_started_again", reason=str(wrong))

    async def close(self) -> None:
        """Close all connections; stop the embedded PostgreSQL if nobody else uses it."""
        closing = (self.house_lock.release(), self.direct.close(), dispose(self.engine))
        tasks = [asyncio.create_task(each) for each in closing]
        # Each cuts what does not answer, but the driver may first wait for what it called off.
        done, late = await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
        for task in late:
            task.cancel()
        for task in done:
            task.result()
        if self.embedded is not None:
            await asyncio.to_thread(self.embedded.stop)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def asyncpg_url(given: str) -> URL:
    """The address as the driver wants it, from any of the spellings that hosts are given.

    `postgres://` is accepted, and `sslmode` and the like of other drivers are translated.
    """
    url = make_url(given).set(drivername="postgresql+asyncpg")
    query = dict(url.query)
    query.pop("channel_binding", None)
    query.pop("connect_timeout", None)
    if "sslmode" in query:
        query["ssl"] = query.pop("sslmode")
    return url.set(query=query)


async def _started(embedded: EmbeddedPostgres) -> None:
    """Start a server; who stops waiting for it does not leave it running behind. EmbeddedError."""
    starting = asyncio.create_task(asyncio.to_thread(embedded.start))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        with suppress(EmbeddedError):
            await starting
            await asyncio.to_thread(embedded.stop)
        raise


async def _create_database(server: Database, name: str) -> None:
    connection = await server.connect()
    try:
        await connection.execute(f'create database "{name}"')
    except (asyncpg.DuplicateDatabaseError, asyncpg.UniqueViolationError):
        return  # made before, or by a process that started at the same moment
    finally:
        await connection.close()


def _place(url: URL) -> str:
    return f"{url.host or 'a local socket'}{f':{url.port}' if url.port else ''}"


def _reason(wrong: ProgrammingError) -> str:
    """What PostgreSQL said, without the driver's class name before it."""
    return str(wrong.orig).rpartition(">: ")[2].splitlines()[0]


def knows(version: str) -> bool:
    """Whether this program knows a version of the tables."""
    found = ScriptDirectory.from_config(_alembic()).walk_revisions()
    return version in {script.revision for script in found}


def upgrade(connection: Connection, version: str = "head") -> None:
    """Bring the tables to a version, by default to this program's.

    Raises DatabaseError for a version that this program does not know.
    """
    config = _alembic()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, version)
    except CommandError as wrong:
        raise DatabaseError(
            "The tables are not of a version that this program knows "
            f"({wrong}). Were they made by a newer Motherlode? Then run that one."
        ) from wrong


@cache
def _newest() -> str | None:
    return ScriptDirectory.from_config(_alembic()).get_current_head()


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
