"""All that is in the database as one file, and back: for any PostgreSQL that the house runs on.

A backup is a zip archive: `<table>.copy` in the text format of PostgreSQL's COPY for each table,
and `manifest.json`, written last. The tables are of the version that the backup was made by; a
restore makes these, fills them and then brings them to the version of this program.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any, Final

import asyncpg
from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.database import HOUSE_LOCK, Base, Database, DriverConnection, upgrade
from app.tending.admin import counted
from app.tending.failed import Failed

FORMAT: Final = "motherlode.backup.v1"
MANIFEST: Final = "manifest.json"
PIECE: Final = 1 << 20
"""Bytes that are handed on at a time."""
_VERSIONS: Final = "alembic_version"
_UNSAVED: Final = frozenset({_VERSIONS, "processes"})
_SPELLING: Final = "set datestyle = 'ISO'; set timezone = 'UTC'; set bytea_output = 'hex'"
_NAME: Final = re.compile(r"[a-z][a-z_]{0,62}")
_VERSION: Final = "select version_num from alembic_version"
_ALONE: Final = text(f"select pg_try_advisory_xact_lock({HOUSE_LOCK})")
_TABLES: Final = text("select tablename from pg_tables where schemaname = current_schema()")
_USED: Final = text("select exists (select from players) or exists (select from rooms)")
_COLUMNS: Final = """
select c.relname, array_agg(a.attname::text order by a.attnum)
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
group by c.relname order by c.relname
"""


class Table(BaseModel):
    """A table of a backup: its columns in the order of its file, and how many rows it has."""

    model_config = ConfigDict(strict=True)

    name: str
    columns: list[str]
    rows: int


class Manifest(BaseModel):
    """What a backup says of itself. `version` is that of the tables."""

    model_config = ConfigDict(strict=True)

    format: str
    version: str
    at: str
    tables: list[Table]


@dataclass(frozen=True, slots=True)
class Summary:
    """What was saved or restored, and when it was saved."""

    rooms: int
    players: int
    entries: int
    at: str

    def __str__(self) -> str:
        rooms, entries = counted(self.rooms, "room"), counted(self.entries, "entry", "entries")
        return f"{rooms} with {entries}, {counted(self.players, 'player')}"


async def backup(database: Database, file: IO[bytes]) -> Summary:
    """Writes everything as it is at one moment; people may play meanwhile. Raises `Failed`."""
    connection = await database.connect()
    try:
        await connection.execute(_SPELLING)
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            version = await _version(connection)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                tables = [
                    await _saved(connection, archive, name, columns)
                    for name, columns in await connection.fetch(_COLUMNS)
                    if name not in _UNSAVED
                ]
                at = datetime.now(UTC).isoformat(timespec="seconds")
                manifest = Manifest(format=FORMAT, version=version, at=at, tables=tables)
                archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))
    finally:
        await connection.close()
    return _summary(manifest)


async def _version(connection: DriverConnection) -> str:
    try:
        version: str | None = await connection.fetchval(_VERSION)
    except asyncpg.UndefinedTableError:
        version = None
    if version is None:
        raise Failed("No Motherlode has used this database yet: there is nothing to back up.")
    return version


async def _saved(
    connection: DriverConnection, archive: zipfile.ZipFile, name: str, columns: list[str]
) -> Table:
    with archive.open(f"{name}.copy", "w", force_zip64=True) as entry:

        async def write(data: bytes) -> None:
            entry.write(data)

        done = await connection.copy_from_table(name, columns=columns, output=write)
    return Table(name=name, columns=columns, rows=int(done.rpartition(" ")[2]))


async def restore(database: Database, file: IO[bytes], *, replace: bool) -> Summary:
    """Puts a backup in the place of what is in the database, all or nothing.

    Raises `Failed` for what is no whole backup, while a house serves the database, and where there
    are rooms or players already, unless they are to be replaced.
    """
    manifest = _read(file)
    with zipfile.ZipFile(file) as archive:
        async with database.patient() as connection:
            if not await connection.scalar(_ALONE):
                raise Failed("A Motherlode serves this database. Stop it, then restore.")
            await _emptied(connection, manifest, replace=replace)
            await connection.run_sync(upgrade, manifest.version)
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await driver.execute(_SPELLING)
            for table in manifest.tables:
                source = _pieces(archive, table.name)
                await driver.copy_to_table(table.name, columns=table.columns, source=source)
            await connection.run_sync(upgrade)
    return _summary(manifest)


def _read(file: IO[bytes]) -> Manifest:
    """Reads a backup through before anything is changed. Raises `Failed`."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = Manifest.model_validate_json(archive.read(MANIFEST))
            files = set(archive.namelist())
            damaged = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, KeyError, ValidationError, EOFError) as wrong:
        raise Failed("This is no backup of Motherlode, or only a part of one.") from wrong
    names = [table.name for table in manifest.tables]
    if manifest.format != FORMAT or not all(map(_NAME.fullmatch, names)):
        raise Failed("This is a backup of a kind that this program does not know.")
    if damaged is not None or not {f"{name}.copy" for name in names} <= files:
        raise Failed("This backup is damaged. Take another one.")
    return manifest


async def _emptied(connection: AsyncConnection, manifest: Manifest, *, replace: bool) -> None:
    found = set(await connection.scalars(_TABLES))
    used = {"players", "rooms"} <= found and await connection.scalar(_USED)
    if used and not replace:
        raise Failed(
            "There are games or players in this database already. Restore into an empty one, or "
            "add --replace to put the backup in their place."
        )
    ours = {_VERSIONS, *Base.metadata.tables, *(table.name for table in manifest.tables)}
    for name in sorted(found & ours):
        await connection.execute(text(f'drop table "{name}"'))


async def _pieces(archive: zipfile.ZipFile, name: str) -> AsyncIterator[bytes]:
    with archive.open(f"{name}.copy") as entry:
        while piece := entry.read(PIECE):
            yield piece


def _summary(manifest: Manifest) -> Summary:
    rows = {table.name: table.rows for table in manifest.tables}
    return Summary(
        rooms=rows.get("rooms", 0),
        players=rows.get("players", 0),
        entries=rows.get("journal", 0),
        at=manifest.at,
    )
