"""A backup back into a database, all or nothing, and never over what is not Motherlode's."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import AsyncIterator
from typing import IO, Any, Final

import asyncpg
from pydantic import ValidationError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.database import Base, Database, knows, upgrade
from app.direct import DriverConnection
from app.house_lock import HOUSE_LOCK
from app.tending.backup import (
    FORMAT,
    MANIFEST,
    PIECE,
    SPELLING,
    VERSIONS,
    Manifest,
    Summary,
    known_version,
    saved_tables,
    summary,
)
from app.tending.failed import Failed

_NAME: Final = re.compile(r"[a-z][a-z_]{0,62}")
_ALONE: Final = text(f"select pg_try_advisory_xact_lock({HOUSE_LOCK})")
_RELATIONS: Final = text("""
select c.relname from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
order by c.relname
""")
_USED: Final = text("select exists (select from players) or exists (select from rooms)")
_SHOWN: Final = 5


async def restore(database: Database, file: IO[bytes], *, replace: bool) -> Summary:
    """Puts a backup in the place of what is in the database, all or nothing.

    Raises `Failed` for what is no whole backup, while a house serves the database, where the tables
    in it are not Motherlode's, and where there are rooms or players already, unless they are to be
    replaced.
    """
    manifest = _read(file)
    with zipfile.ZipFile(file) as archive:
        async with database.patient() as connection:
            if not await connection.scalar(_ALONE):
                raise Failed("A Motherlode serves this database. Stop it, then restore.")
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await _emptied(connection, driver, replace=replace)
            await connection.run_sync(upgrade, manifest.version)
            await _fill(driver, archive, manifest)
            await connection.run_sync(upgrade)
    return summary(manifest)


def _read(file: IO[bytes]) -> Manifest:
    """Reads a backup through before anything is changed. Raises `Failed`."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = Manifest.model_validate_json(archive.read(MANIFEST))
            files = set(archive.namelist())
            damaged = archive.testzip()
    except (
        zipfile.BadZipFile,
        zlib.error,
        KeyError,
        ValidationError,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ) as wrong:
        raise Failed("This is no backup of Motherlode, or only a part of one.") from wrong
    names = [table.name for table in manifest.tables]
    if manifest.format != FORMAT or not all(map(_NAME.fullmatch, names)):
        raise Failed("This is a backup of a kind that this program does not know.")
    if not knows(manifest.version):
        raise Failed(
            f"This backup is of a version that this program does not know ({manifest.version}). "
            "Was it made by a newer Motherlode? Then restore it with that one."
        )
    if damaged is not None or not {f"{name}.copy" for name in names} <= files:
        raise Failed("This backup is damaged. Take another one.")
    return manifest


async def _emptied(connection: AsyncConnection, driver: DriverConnection, *, replace: bool) -> None:
    found = list(await connection.scalars(_RELATIONS))
    if not found:
        return
    if await known_version(driver) is None:
        some = ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        raise Failed(
            f"The tables in this database are not Motherlode's ({some}). Nothing was changed. "
            "Restore into an empty database, or check DATABASE_URL."
        )
    if not replace and await connection.scalar(_USED):
        raise Failed(
            "There are games or players in this database already. Restore into an empty one, or "
            "add --replace to put the backup in their place."
        )
    for name in found:
        if name == VERSIONS or name in Base.metadata.tables:
            await connection.execute(text(f'drop table "{name}"'))


async def _fill(driver: DriverConnection, archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Fills the empty tables of the backup's version. Raises `Failed` where the two differ."""
    told = sorted((table.name, sorted(table.columns)) for table in manifest.tables)
    made = await saved_tables(driver)
    if told != sorted((name, sorted(columns)) for name, columns in made):
        raise Failed(f"This backup does not have the tables of its version. {_UNCHANGED}")
    await driver.execute(SPELLING)
    for table in manifest.tables:
        source = _pieces(archive, table.name)
        try:
            done = await driver.copy_to_table(table.name, columns=table.columns, source=source)
        except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError) as wrong:
            reason = str(wrong).partition("\n")[0]
            raise Failed(f"This backup does not fit its tables ({reason}). {_UNCHANGED}") from wrong
        if int(done.rpartition(" ")[2]) != table.rows:
            raise Failed(f"This backup has not the rows it tells of. {_UNCHANGED}")


_UNCHANGED: Final = "Nothing was changed. Take another one."


async def _pieces(archive: zipfile.ZipFile, name: str) -> AsyncIterator[bytes]:
    with archive.open(f"{name}.copy") as entry:
        while piece := entry.read(PIECE):
            yield piece
