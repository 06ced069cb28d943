"""All of Motherlode that is in the database as one file: of any PostgreSQL that the house runs on.

A backup is a zip archive: `<table>.copy` in the text format of PostgreSQL's COPY for each table,
and `manifest.json`, written last. The tables are of the version that the backup was made by; a
restore makes these, fills them and then brings them to the version of this program.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Final

from pydantic import BaseModel, ConfigDict

from app.database import Base, Database, knows
from app.direct import DriverConnection
from app.tending.admin import counted
from app.tending.failed import Failed

FORMAT: Final = "motherlode.backup.v1"
MANIFEST: Final = "manifest.json"
PIECE: Final = 1 << 20
"""Bytes that are handed on at a time."""
VERSIONS: Final = "alembic_version"
"""The table with the version of all others."""
SPELLING: Final = "set datestyle = 'ISO'; set timezone = 'UTC'; set bytea_output = 'hex'"
"""How values are written in a backup, whatever the settings of a server."""
_UNSAVED: Final = frozenset({"processes", "snapshots"})
"""What is true of running processes only, and what the journal has as well."""
_VERSION: Final = f"select version_num from {VERSIONS}"  # noqa: S608 - a constant
# Other programs keep a version in the same way: it is ours only beside columns of ours.
_OURS: Final = """
select count(*) = 4 from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not a.attisdropped
    and (c.relname, a.attname) in (
        ('alembic_version', 'version_num'), ('rooms', 'server_seed'),
        ('room_seats', 'room_id'), ('journal', 'seq')
    )
"""
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
        await connection.execute(SPELLING)
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            version = await known_version(connection)
            if version is None:
                raise Failed("There is nothing of Motherlode in this database to back up.")
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                tables = [
                    await _saved(connection, archive, name, columns)
                    for name, columns in await saved_tables(connection)
                ]
                at = datetime.now(UTC).isoformat(timespec="seconds")
                manifest = Manifest(format=FORMAT, version=version, at=at, tables=tables)
                archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))
    finally:
        await connection.close()
    return summary(manifest)


async def known_version(connection: DriverConnection) -> str | None:
    """Returns of which version the tables of Motherlode in a database are; None: there are none.

    Raises `Failed` for a version that this program does not know.
    """
    version: str | None = None
    if await connection.fetchval(_OURS):
        version = await connection.fetchval(_VERSION)
    if version is not None and not knows(version):
        raise Failed(
            f"The tables in this database are of a version that this program does not know "
            f"({version}). Were they made by a newer Motherlode? Then run that one."
        )
    return version


async def saved_tables(connection: DriverConnection) -> list[tuple[str, list[str]]]:
    """Returns the tables of a backup with their columns, as they are in a database now."""
    found = await connection.fetch(_COLUMNS)
    kept = Base.metadata.tables.keys() - _UNSAVED
    return [(name, columns) for name, columns in found if name in kept]


async def _saved(
    connection: DriverConnection, archive: zipfile.ZipFile, name: str, columns: list[str]
) -> Table:
    with archive.open(f"{name}.copy", "w", force_zip64=True) as entry:

        async def write(data: bytes) -> None:
            entry.write(data)

        done = await connection.copy_from_table(name, columns=columns, output=write)
    return Table(name=name, columns=columns, rows=int(done.rpartition(" ")[2]))


def summary(manifest: Manifest) -> Summary:
    """Returns what a backup holds."""
    rows = {table.name: table.rows for table in manifest.tables}
    return Summary(
        rooms=rows.get("rooms", 0),
        players=rows.get("players", 0),
        entries=rows.get("journal", 0),
        at=manifest.at,
    )
