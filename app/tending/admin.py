"""What the host of a house looks at: rooms, players, processes. Never what is hidden in a game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Integer, Text, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.database import Database
from app.rooms.keeping import Keeping
from app.tending.processes import Processes

# Only the numbers and times of a journal are read, never a body.
_ROOMS: Final = text("""
    select code, game, status, coalesce(last.seq + 1, 0) as entries, people.names,
        people.sat, last.at as moved, greatest(people.sat, last.at, finished_at) as active
    from rooms
    left join lateral (
        select seq, at from journal where room_id = rooms.id order by seq desc limit 1
    ) last on true
    cross join lateral (
        select coalesce(max(joined_at), rooms.created_at) as sat,
            array_agg(coalesce(room_seats.name, players.name) order by seat)
                filter (where seat is not null) as names
        from room_seats left join players on players.id = player_id
        where room_id = rooms.id
    ) people
    where :status = '' or status = :status
    order by active desc
    limit :most
""").bindparams(bindparam("status", type_=Text()), bindparam("most", type_=Integer()))
_COUNTS: Final = text("select status, count(*) from rooms group by status")
_PLAYERS: Final = text("""
    select players.id::text, players.created_at, players.seen_at, players.name,
        (select count(distinct room_id) from room_seats where player_id = players.id) as tables,
        (select count(*) from devices where player_id = players.id) as devices
    from players
    order by seen_at desc
    limit :most
""").bindparams(bindparam("most", type_=Integer()))


async def rooms(database: Database, keeping: Keeping, status: str, most: int) -> str:
    """Lists rooms, those where something happened last first; `status` "" for all."""
    async with database.engine.connect() as link:
        found = (await link.execute(_ROOMS, {"status": status, "most": most})).all()
        counts = {row[0]: row[1] for row in await link.execute(_COUNTS)}
    lines = [
        (
            row.code,
            row.game,
            row.status,
            str(row.entries),
            _moment(row.active),
            _day(keeping.until(row.status, row.sat, row.moved)),
            ", ".join(map(plain, row.names or ())),
        )
        for row in found
    ]
    heads = ("ROOM", "GAME", "STATUS", "ENTRIES", "ACTIVE", "KEPT UNTIL", "PLAYERS")
    told = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
    return _table(heads, lines, f"{counted(sum(counts.values()), 'room')}{told and f': {told}'}")


async def players(database: Database, most: int) -> str:
    """Lists players, those seen last first."""
    async with database.engine.connect() as link:
        found = (await link.execute(_PLAYERS, {"most": most})).all()
        number = await link.scalar(text("select count(*) from players"))
    lines = [
        (
            row.id,
            _moment(row.created_at),
            _moment(row.seen_at),
            str(row.devices),
            str(row.tables),
            plain(row.name),
        )
        for row in found
    ]
    heads = ("PLAYER", "CAME", "SEEN", "DEVICES", "TABLES", "NAME")
    return _table(heads, lines, counted(number or 0, "player"))


async def sockets(database: Database) -> str:
    """Lists the processes that serve this database, with their open sockets."""
    found = await Processes(database).living()
    lines = [
        (
            plain(one.host),
            str(one.pid),
            str(one.sockets),
            str(one.tables),
            _moment(one.started_at),
            _moment(one.seen_at),
        )
        for one in found
    ]
    heads = ("MACHINE", "PROCESS", "SOCKETS", "GAMES", "STARTED", "TOLD")
    return _table(heads, lines, f"Open: {counted(sum(one.sockets for one in found), 'socket')}")


async def describe(link: AsyncConnection, code: str) -> str | None:
    """Returns a room in a few words; None if there is none with this code."""
    query = text("select game, status from rooms where code = :code")
    row = (await link.execute(query, {"code": code})).one_or_none()
    return None if row is None else f"{code} ({row.game}, {row.status})"


def counted(number: int, one: str, more: str = "") -> str:
    """Returns a number with what is counted."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


def plain(shown: str) -> str:
    """Returns a text that does nothing to a terminal but show itself."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in shown)


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]], last: str) -> str:
    """Returns columns; the last one, which holds what people wrote, cannot disturb the others."""
    rows = [heads, *lines] if lines else []
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads) - 1)] if rows else []
    drawn = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]
    return "\n".join([*drawn, f"{last}."])


def _moment(at: datetime | None) -> str:
    return "" if at is None else at.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def _day(at: datetime | None) -> str:
    return "" if at is None else at.astimezone(UTC).strftime("%Y-%m-%d")
