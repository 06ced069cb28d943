"""Two processes on one journal: each follows what the other wrote, once it may be shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

import pytest

from app.database import Database, new_id
from app.games.registry import GAMES
from app.play.journal import Journal, Unavailable
from app.play.opening import Deal, opening
from app.play.others import Others
from app.play.table import Accepted, Refusal, Table
from app.play.tables import Tables

SEED = bytes(range(32))
GAME = GAMES["lost_cities"]
DECK = {"kind": "draw", "from": "deck"}


@dataclass
class Process:
    """One of several; `told` is what it was told, in order, of the tables in it."""

    journal: Journal
    told: list[tuple[str, int]] = field(default_factory=list)
    failing: bool = False

    def __post_init__(self) -> None:
        others = Others(self._before, lambda table: self.told.append(("followed", table.v)))

        async def seed_of(_: UUID) -> bytes:
            return SEED

        self.tables = Tables(
            self.journal,
            GAMES,
            seed_of,
            lambda table: self.told.append(("wrote", table.v)),
            lambda _: True,
            others=others,
        )

    async def table(self, room_id: UUID) -> Table:
        """Returns a room's table as of now."""
        found = await self.tables.get(room_id)
        assert found is not None
        return found

    async def _before(self, room_id: UUID, r: int) -> None:
        table = self.tables.known(room_id)
        assert table is not None
        self.told.append(("before", table.v))
        if self.failing:
            raise Unavailable("The room cannot be read.")


@pytest.fixture
async def two(database: Database) -> AsyncIterator[list[Process]]:
    """Two processes."""
    async with AsyncExitStack() as stack:
        processes = []
        for _ in range(2):
            process = Process(Journal(database))
            await process.journal.start()
            stack.push_async_callback(process.journal.stop)
            processes.append(process)
        yield processes


async def deal(process: Process) -> UUID:
    """Deals a game in which seat 0 begins."""
    room_id = new_id()
    options = {option.key: option.default for option in GAME.meta.options} | {"first": 0}
    dealt = Deal(room_id, "code", GAME, 2, options, (None, None), SEED)
    await process.journal.append(opening(dealt, datetime.now(UTC)))
    return room_id


async def first_move(table: Table, move_id: str) -> object:
    """Plays a card of seat 0."""
    asked = table.position.asked[0]
    return await table.play(0, [asked.legal[0]], move_id=move_id, prompt=asked.n)


async def test_whoever_asks_for_a_table_gets_what_others_wrote(two: list[Process]) -> None:
    here, there = two
    room_id = await deal(here)
    table, other = await here.table(room_id), await there.table(room_id)
    assert await first_move(table, "a") == Accepted(1)
    assert other.v == 0
    assert await there.table(room_id) is other
    assert other.v == 1
    assert other.view(1) == table.view(1)
    assert here.told == [("wrote", 1)]
    assert there.told == [("before", 0), ("followed", 1)]


async def test_nothing_is_shown_before_it_is_known_who_may_see_it(two: list[Process]) -> None:
    here, there = two
    room_id = await deal(here)
    other = await there.table(room_id)
    await first_move(await here.table(room_id), "a")
    there.failing = True
    with pytest.raises(Unavailable):
        await there.table(room_id)
    assert other.v == 0
    there.failing = False
    await there.table(room_id)
    assert other.v == 1


async def test_an_answer_to_what_only_others_know_of_is_taken(two: list[Process]) -> None:
    here, there = two
    room_id = await deal(here)
    table, other = await here.table(room_id), await there.table(room_id)
    await first_move(table, "a")
    prompt = table.position.asked[0].n
    assert await other.play(0, [DECK], move_id="b", prompt=prompt) == Accepted(2)
    assert there.told == [("before", 0), ("followed", 1), ("wrote", 2)]
    stale = await other.play(0, [DECK], move_id="c", prompt=prompt)
    assert isinstance(stale, Refusal)


async def test_a_message_sent_to_two_processes_counts_once(two: list[Process]) -> None:
    here, there = two
    room_id = await deal(here)
    table, other = await here.table(room_id), await there.table(room_id)
    assert await first_move(table, "same") == Accepted(1)
    assert await first_move(other, "same") == Accepted(1)
    assert other.v == 1


async def test_however_many_look_before_the_start_each_is_answered(two: list[Process]) -> None:
    """Who came between the end of a load and its clearing away once waited for it for ever."""
    tables, room_id = two[0].tables, new_id()

    async def looks() -> None:
        for _ in range(40):
            assert await tables.get(room_id) is None

    await asyncio.gather(*(looks() for _ in range(25)))
