"""Tables whose journal others write, too: another process, an earlier one, a lost connection."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text

from app.database import Database
from app.play.table import Accepted, Answer, Refusal
from tests.play.processes import (
    DECK,
    HIDE,
    Begin,
    Process,
    bodies,
    lost_cities,
    sit_down,
    strongbox,
)


async def test_a_rebuilt_table_is_the_same(house: Process, begin: Begin) -> None:
    table = await strongbox(house)
    await table.play(1, [HIDE], move_id="a", prompt=0)
    await table.play(0, [HIDE], move_id="b", prompt=0)
    await table.undo(1, move_id="c")
    await table.play(2, [HIDE], move_id="d", prompt=0)
    await table.play(1, [HIDE], move_id="e", prompt=3)
    other = await begin()
    rebuilt = await sit_down(other, table.room_id)
    assert rebuilt.position == table.position
    assert rebuilt.v == 5
    assert rebuilt.told() == table.told()
    assert await rebuilt.play(1, [HIDE], move_id="e", prompt=3) == Accepted(5)
    assert await other.tables.history(table.room_id) == table.told()


async def test_a_restart_in_the_middle_of_a_turn_keeps_the_answers(
    house: Process, begin: Begin
) -> None:
    """Some have answered, one took it back, one still chooses: all of that is in the journal."""
    table = await strongbox(house, 4)
    for seat in (2, 1, 3):
        await table.play(seat, [HIDE], move_id=f"h{seat}", prompt=0)
    await table.undo(1, move_id="u")
    again = await sit_down(await begin(), table.room_id)
    assert again is not table
    assert again.position == table.position
    for seat in range(4):
        assert again.view(seat) == table.view(seat)
        assert again.asked(seat) == table.asked(seat)
        assert again.undoable(seat) == table.undoable(seat)
    assert {seat: asked.n for seat, asked in again.position.asked.items()} == {0: 0, 1: 4}
    assert again.position.done == {2, 3}
    for seat in (0, 1):
        asked = again.asked(seat)
        assert asked is not None
        assert asked.n in {0, 4}
        await again.play(seat, [HIDE], move_id=f"again{seat}", prompt=asked.n)
    assert {asked.stage for asked in again.position.asked.values()} == {"bid"}


class TestTwoProcesses:
    """Two processes with the same room in memory and no bus between them."""

    async def test_the_slower_one_reloads_and_checks_again(
        self, house: Process, begin: Begin, database: Database
    ) -> None:
        other = await begin()
        here = await strongbox(house)
        there = await sit_down(other, here.room_id)
        answers = await asyncio.gather(
            here.play(0, [HIDE], move_id="a", prompt=0),
            there.play(1, [HIDE], move_id="b", prompt=0),
        )
        assert {answer.v for answer in answers if isinstance(answer, Accepted)} == {1, 2}
        slower = here if here.v == 2 else there
        third = await begin()
        assert slower.position == (await sit_down(third, here.room_id)).position
        assert len(await bodies(database, here)) == 3

    async def test_a_move_that_is_no_longer_legal_is_refused(
        self, house: Process, begin: Begin
    ) -> None:
        other = await begin()
        here = await lost_cities(house)
        there = await sit_down(other, here.room_id)
        asked = here.asked(0)
        assert asked is not None
        turn = [asked.legal[-1], DECK]
        assert await here.play(0, turn, move_id="a", prompt=0) == Accepted(1)
        assert await there.play(0, turn, move_id="b", prompt=0) == Refusal("not_asked")
        assert there.v == 1
        assert other.changes == [(here.room_id, 1)]

    async def test_a_resent_move_finds_itself(self, house: Process, begin: Begin) -> None:
        other = await begin()
        here = await strongbox(house)
        there = await sit_down(other, here.room_id)
        assert await here.play(0, [HIDE], move_id="a", prompt=0) == Accepted(1)
        assert await there.play(0, [HIDE], move_id="a", prompt=0) == Accepted(1)
        assert there.position == here.position


class TestUnknown:
    """The connection is lost on the way: was the entry written?"""

    async def test_the_player_is_told_to_try_again_and_the_same_id_counts_once(
        self, house: Process, database: Database
    ) -> None:
        table = await strongbox(house)
        kill = (
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()"
        )
        outside = await database.connect()
        unanswered = 0

        async def insist(send: Callable[[], Awaitable[Answer]]) -> Answer:
            nonlocal unanswered
            while (answer := await send()) == Refusal("try_again"):
                unanswered += 1
                await asyncio.sleep(0.02)
            return answer

        for turn in range(20):
            asked = table.asked(0)
            assert asked is not None
            hide = functools.partial(table.play, 0, [HIDE], move_id=f"a{turn}", prompt=asked.n)
            undo = functools.partial(table.undo, 0, move_id=f"u{turn}")
            for send in (hide, undo):
                answer, _ = await asyncio.gather(insist(send), outside.execute(kill))
                assert isinstance(answer, Accepted)
        rows = await outside.fetch(
            "select kind from journal where room_id = $1 order by seq", table.room_id
        )
        kinds = [row["kind"] for row in rows]
        await outside.close()
        assert kinds == ["start", *(["move", "undo"] * 20)]
        assert unanswered > 0


@pytest.mark.parametrize(
    "body", ['{"moves":[{"kind":"hide","boxes":[9,9,9]}]}', "{}", "no json", '{"moves":5}', "[]"]
)
async def test_an_entry_that_no_longer_applies_stops_the_game_but_nothing_else(
    house: Process, begin: Begin, database: Database, body: str
) -> None:
    table = await strongbox(house)
    await table.play(0, [HIDE], move_id="a", prompt=0)
    async with database.sessions.begin() as session:
        await session.execute(
            text("update journal set body = :body where room_id = :room and seq = 1"),
            {"room": table.room_id, "body": body},
        )
    other = await begin()
    broken = await sit_down(other, table.room_id)
    assert broken.broken == 1
    assert broken.v == 0
    assert broken.asked(1) is None
    assert await broken.play(1, [HIDE], move_id="b", prompt=0) == Refusal("broken")


async def test_a_broken_entry_of_another_process_is_told_at_once(
    house: Process, database: Database
) -> None:
    table = await strongbox(house)
    async with database.sessions.begin() as session:
        await session.execute(
            text(
                "insert into journal (room_id, seq, seat, kind, move_id, body, draws, actors, at)"
                " values (:room, 1, 0, 'move', 'x', '{}', false, '{}', now())"
            ),
            {"room": table.room_id},
        )
    assert await table.play(0, [HIDE], move_id="a", prompt=0) == Refusal("broken")
    assert table.broken == 1
