"""One server process's share of the play layer, and tables at it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import text

from app.database import Database, new_id
from app.games.contract import Json
from app.games.registry import GAMES, AnyGame
from app.play.journal import Journal
from app.play.opening import Deal, opening
from app.play.table import Table
from app.play.tables import Tables
from tests.tiny.games import TORTURE

SEED = bytes(range(32))
HIDE = {"kind": "hide", "boxes": [2, 2, 2]}
DECK = {"kind": "draw", "from": "deck"}


@dataclass
class Process:
    """What one server process has of the play layer, and what its tables told."""

    journal: Journal
    tables: Tables
    changes: list[tuple[UUID, int]] = field(default_factory=list)


Begin = Callable[[], Awaitable[Process]]


async def deal(
    process: Process,
    game: AnyGame,
    seats: int = 2,
    *,
    rules_version: int | None = None,
    **options: Json,
) -> UUID:
    room_id = new_id()
    chosen = {option.key: option.default for option in game.meta.options} | options
    deal = Deal(room_id, "code", game, seats, chosen, (None,) * seats, SEED, rules_version)
    await process.journal.append(opening(deal, datetime.now(UTC)))
    return room_id


async def sit_down(process: Process, room_id: UUID) -> Table:
    table = await process.tables.get(room_id)
    assert table is not None
    return table


async def strongbox(process: Process, seats: int = 3) -> Table:
    return await sit_down(process, await deal(process, TORTURE, seats))


async def lost_cities(process: Process) -> Table:
    return await sit_down(process, await deal(process, GAMES["lost_cities"], first=0))


async def bodies(database: Database, table: Table) -> list[tuple[int, str, str]]:
    async with database.sessions() as session:
        rows = await session.execute(
            text("select seq, kind, body from journal where room_id = :room order by seq"),
            {"room": table.room_id},
        )
        return [(row.seq, row.kind, row.body) for row in rows]
