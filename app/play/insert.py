"""The one statement that writes entries, prepared on a connection of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import asyncpg

from app.database import Database
from app.direct import CLOSE_SECONDS, DriverConnection
from app.play.entry import Entry

if TYPE_CHECKING:
    from asyncpg.prepared_stmt import PreparedStatement

_INSERT = """
insert into journal (room_id, seq, seat, kind, move_id, body, draws, actors, due, at)
select room_id, seq, seat, kind, move_id, body, draws, actors::smallint[], due, at
from unnest(
    $1::uuid[], $2::int[], $3::smallint[], $4::text[], $5::text[], $6::text[],
    $7::boolean[], $8::text[], $9::timestamptz[], $10::timestamptz[]
) as entry (room_id, seq, seat, kind, move_id, body, draws, actors, due, at)
on conflict do nothing
returning room_id, seq, move_id, seat
"""

# Classes of SQLSTATE that speak of the values in a row: data, constraint, size.
_ABOUT_VALUES = frozenset({"22", "23", "54"})


class Insert:
    """The prepared statement and its connection."""

    def __init__(
        self, connection: DriverConnection, statement: PreparedStatement[asyncpg.Record]
    ) -> None:
        self._connection = connection
        self._statement = statement

    @classmethod
    async def open(cls, database: Database, seconds: float) -> Self:
        """Connect and prepare; the server itself gives up a statement after `seconds`.

        Raises the driver's errors and OSError.
        """
        connection = await database.connect()
        try:
            await connection.execute(f"set statement_timeout = {int(seconds * 1000)}")
            return cls(connection, await connection.prepare(_INSERT))
        except BaseException:
            connection.terminate()
            raise

    async def write(self, entries: Sequence[Entry]) -> list[bool]:
        """Write all entries in one transaction; for each, whether it (and not another) is there.

        They must be sorted by room: two processes with different orders would deadlock. Answers
        are matched by move id, since the key alone could be another writer's. Raises the driver's
        errors; then nothing or all was written.
        """
        rows = await self._statement.fetch(
            [entry.room_id for entry in entries],
            [entry.seq for entry in entries],
            [entry.seat for entry in entries],
            [entry.kind for entry in entries],
            [entry.move_id for entry in entries],
            [entry.body for entry in entries],
            [entry.draws for entry in entries],
            [f"{{{','.join(map(str, entry.actors))}}}" for entry in entries],
            [entry.due for entry in entries],
            [entry.at for entry in entries],
        )
        if len(rows) == len(entries):
            return [True] * len(entries)
        written = {tuple(row) for row in rows}
        answers = []
        for entry in entries:
            mark = (entry.room_id, entry.seq, entry.move_id, entry.seat)
            answers.append(mark in written)
            written.discard(mark)  # the same entry twice in one batch: the second lost its place
        return answers

    @property
    def lost(self) -> bool:
        """Whether the connection is known to have died."""
        return self._connection.is_closed()

    async def close(self) -> None:
        """Close in good order."""
        try:
            await self._connection.close(timeout=CLOSE_SECONDS)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            self.drop()

    def drop(self) -> None:
        """Close at once, after an error."""
        self._connection.terminate()


def is_about_values(error: Exception) -> bool:
    """Whether this error of `write` comes from the values of a row, not from the database."""
    if isinstance(error, asyncpg.PostgresError):
        return (error.sqlstate or "")[:2] in _ABOUT_VALUES
    return isinstance(error, ValueError | TypeError | AttributeError | OverflowError)
