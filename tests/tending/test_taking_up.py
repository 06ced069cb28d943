"""What a process that died left undone is done by whichever process looks next."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator

import pytest

from app.games.contract import Outcome
from app.games.registry import GAMES
from app.play.journal import Journal
from app.play.table import Accepted, Table
from app.play.tables import Tables
from app.rooms.service import Rooms
from app.rooms.starter import Starter
from app.tending.taking_up import TakingUp
from tests.tending.conftest import House

DECK = {"kind": "draw", "from": "deck"}
RESULT = """
select count(*) from room_seats
where room_id = :id and seat = :seat and (place, total) = (:place, :total)
"""


@pytest.fixture
async def journal(house: House) -> AsyncIterator[Journal]:
    """The journal of the house, which can be written."""
    journal = Journal(house.database)
    await journal.start()
    yield journal
    await journal.stop()


def tables_of(house: House, journal: Journal) -> Tables:
    """The tables of a process that dies, or loses its database, before it marks a game."""
    return Tables(journal, GAMES, house.rooms.seed, lambda _: None, lambda _: False)


async def played(table: Table) -> Outcome:
    """Plays a game to its end; returns that."""
    while not table.over:
        ((seat, asked),) = table.position.asked.items()
        # Whoever always draws from the deck comes to the end.
        move = DECK if DECK in asked.legal else asked.legal[0]
        answer = await table.play(seat, [move], move_id=f"m{table.v}", prompt=asked.n)
        assert isinstance(answer, Accepted)
    assert table.position.outcome is not None
    return table.position.outcome


@pytest.mark.parametrize("alive", [False, True], ids=["another process", "its own"])
async def test_a_game_that_ended_without_its_mark_is_marked(
    house: House, journal: Journal, alive: bool
) -> None:
    ann, ben = await house.people("Ann", "Ben")
    ended, running = await house.begin(ann, ben), await house.begin(ann, ben)
    tables = tables_of(house, journal)
    table = await tables.get(ended.id)
    assert table is not None
    end = await played(table)
    assert (await house.rooms.by_code(ended.code)).status == "running"

    looks = tables if alive else tables_of(house, journal)
    taking_up = TakingUp(house.rooms, Starter(house.rooms), looks.get)
    for _ in range(2):
        await taking_up.once()
        assert (await house.rooms.by_code(ended.code)).status == "finished"
        for seat, place, total in zip((0, 1), end.ranking, end.totals, strict=True):
            result = {"seat": seat, "place": place, "total": total}
            assert await house.sql(RESULT, id=ended.id, **result) == 1
        assert await house.rooms.unmarked() == []
    assert (await house.rooms.by_code(running.code)).status == "running"


async def test_a_start_whose_process_died_is_dealt(house: House) -> None:
    ann, ben = await house.people("Ann", "Ben")
    room = await house.open(ann)
    await house.rooms.sit(room.id, ben, hashlib.sha256(b"a part that nobody shows").hexdigest())
    house.passes(minutes=-1)
    # Who has no starter has no timer either.
    assert (await house.rooms.start(room.id, ann)).status == "starting"
    house.passes(minutes=1)

    rooms, dealt = Rooms(house.database, GAMES), asyncio.Event()
    starter = Starter(rooms)
    rooms.listeners.append(lambda _: dealt.set())

    async def no_table(_: object) -> None:
        raise AssertionError("no game has ended")

    await TakingUp(rooms, starter, no_table).once()
    async with asyncio.timeout(10):
        await dealt.wait()
    assert (await house.rooms.by_code(room.code)).status == "running"
    assert (await house.rows(room.id))["journal"] == 1
    await starter.stop()
