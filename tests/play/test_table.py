"""Tables on a real journal: one decision at a time, durable before it is shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from app.database import Database, new_id
from app.games.contract import Json
from app.play.history import Broken, Told
from app.play.opening import Deal, opening
from app.play.position import MOST_UNDOS
from app.play.table import MOST_MOVES, Accepted, Refusal
from tests.play.processes import (
    DECK,
    HIDE,
    SEED,
    Process,
    bodies,
    deal,
    lost_cities,
    sit_down,
    strongbox,
)
from tests.tiny.games import TORTURE


async def test_a_move_is_in_the_journal_before_anybody_is_told(
    house: Process, database: Database
) -> None:
    seen: list[object] = []

    async def look(room_id: UUID) -> None:
        seen.append([entry.seq for entry in await house.journal.read(room_id)])

    table = await strongbox(house)
    answer = await table.play(0, [HIDE], move_id="a", prompt=0)
    assert answer == Accepted(1)
    assert house.changes == [(table.room_id, 1)]
    await look(table.room_id)
    assert seen == [[0, 1]]
    assert (await bodies(database, table))[1] == (
        1,
        "move",
        '{"moves":[{"boxes":[2,2,2],"kind":"hide"}]}',
    )


async def test_rules_that_this_program_does_not_know_break_the_game_and_nothing_else(
    house: Process,
) -> None:
    deal = Deal(new_id(), "code", TORTURE, 2, {"rounds": 3}, (None, None), SEED)
    entry = opening(deal, datetime.now(UTC))
    later = entry.body.replace('"rules_version":2', '"rules_version":3')
    await house.journal.append(replace(entry, body=later))
    for _ in range(2):
        with pytest.raises(Broken, match="cannot play version 3"):
            await house.tables.get(deal.room_id)
    assert (await strongbox(house)).v == 0


async def test_a_game_goes_on_by_the_rules_it_was_dealt_by(house: Process) -> None:
    table = await sit_down(house, await deal(house, TORTURE, rules_version=1))
    assert table.position.state.rules == 1
    assert (await strongbox(house)).position.state.rules == 2


async def test_there_is_no_table_before_the_start(house: Process) -> None:
    assert await house.tables.get(new_id()) is None


@pytest.mark.parametrize(
    ("seat", "moves", "prompt", "code"),
    [
        (0, [HIDE], 7, "stale"),
        (0, [{"kind": "hide", "boxes": [9, 9, 9]}], 0, "wrong_sum"),
        (0, [{"kind": "hide"}], 0, "malformed"),
        (0, ["\u0000"], 0, "malformed"),
        (0, [None], 0, "malformed"),
        (0, [], 0, "malformed"),
        (0, [HIDE] * (MOST_MOVES + 1), 0, "malformed"),
        (0, [HIDE, HIDE], 0, "not_asked"),
        (7, [HIDE], 0, "not_asked"),
    ],
)
async def test_a_refusal_leaves_no_trace(
    house: Process, database: Database, seat: int, moves: list[Json], prompt: int, code: str
) -> None:
    table = await strongbox(house)
    before = table.game.dump(table.position.state)
    answer = await table.play(seat, moves, move_id="a", prompt=prompt)
    assert isinstance(answer, Refusal)
    assert answer.code == code
    assert table.game.dump(table.position.state) == before
    assert len(await bodies(database, table)) == 1
    assert house.changes == []


async def test_a_repeated_id_gets_the_first_answer(house: Process, database: Database) -> None:
    table = await strongbox(house)
    answers = [await table.play(0, [HIDE], move_id="a", prompt=0) for _ in range(3)]
    assert answers == [Accepted(1)] * 3
    assert len(await bodies(database, table)) == 2


async def test_the_same_message_twice_at_once_counts_once(
    house: Process, database: Database
) -> None:
    table = await strongbox(house)
    both = await asyncio.gather(*(table.play(0, [HIDE], move_id="a", prompt=0) for _ in range(2)))
    assert both == [Accepted(1), Accepted(1)]
    assert len(await bodies(database, table)) == 2


async def test_two_different_moves_for_one_turn_are_one(house: Process) -> None:
    table = await lost_cities(house)
    asked = table.asked(0)
    assert asked is not None
    one, other, *_ = asked.legal
    answers = await asyncio.gather(
        table.play(0, [one, DECK], move_id="a", prompt=0),
        table.play(0, [other, DECK], move_id="b", prompt=0),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Accepted", "Refusal"]
    assert table.v == 1


async def test_a_caller_that_goes_away_loses_only_the_answer(house: Process) -> None:
    table = await strongbox(house)
    caller = asyncio.create_task(table.play(0, [HIDE], move_id="a", prompt=0))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await table.play(0, [HIDE], move_id="a", prompt=0) == Accepted(1)


async def test_a_table_is_loaded_once_however_many_ask(house: Process) -> None:
    room_id = await deal(house, TORTURE)
    tables = await asyncio.gather(*(house.tables.get(room_id) for _ in range(20)))
    assert len({id(table) for table in tables}) == 1


async def test_told_since_an_entry(house: Process) -> None:
    table = await strongbox(house)
    await table.play(1, [HIDE], move_id="a", prompt=0)
    assert [told.seq for told in table.told()] == [0, 1]
    assert [told.seq for told in table.told(0)] == [1]
    assert table.told(1) == []
    told: Told = table.told()[0]
    assert "token" in told.seen_by(0)[0]
    assert "token" not in told.seen_by(None)[0]


async def test_taking_back_is_an_entry(house: Process, database: Database) -> None:
    table = await strongbox(house)
    await table.play(1, [HIDE], move_id="a", prompt=0)
    assert await table.undo(1, move_id="b") == Accepted(2)
    assert await table.undo(1, move_id="c") == Refusal("nothing_to_undo")
    assert (await bodies(database, table))[2] == (2, "undo", '{"seq":1}')


async def test_conceding_ends_the_game(house: Process, database: Database) -> None:
    table = await lost_cities(house)
    assert await table.concede(1, move_id="a") == Accepted(1)
    assert table.over
    assert table.asked(0) is None
    again = await table.play(0, [DECK], move_id="b", prompt=0)
    assert again == Refusal("game_over")
    assert (await bodies(database, table))[1] == (1, "concede", "{}")


async def test_refused_ids_do_not_push_out_accepted_ones(house: Process) -> None:
    table = await strongbox(house)
    assert await table.play(0, [HIDE], move_id="first", prompt=0) == Accepted(1)
    for number in range(20):
        await table.play(0, [HIDE], move_id=f"late{number}", prompt=0)
    assert await table.play(0, [HIDE], move_id="first", prompt=0) == Accepted(1)


async def test_take_backs_in_one_turn_are_bounded(house: Process) -> None:
    table = await strongbox(house)
    for turn in range(MOST_UNDOS):
        asked = table.asked(0)
        assert asked is not None
        await table.play(0, [HIDE], move_id=f"m{turn}", prompt=asked.n)
        assert isinstance(await table.undo(0, move_id=f"u{turn}"), Accepted)
    asked = table.asked(0)
    assert asked is not None
    await table.play(0, [HIDE], move_id="last", prompt=asked.n)
    assert table.undoable(0) is None
    assert await table.undo(0, move_id="more") == Refusal("too_many_undos", {"most": MOST_UNDOS})
