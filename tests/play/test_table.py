"""Tables on a real journal: one decision at a time, durable before it is shown."""

import asyncio
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from sqlalchemy import text

from app.database import Database, new_id
from app.games.contract import Json
from app.games.registry import GAMES, AnyGame, Registry
from app.play.history import Broken, Told
from app.play.journal import Journal
from app.play.opening import Deal, opening
from app.play.position import MOST_UNDOS
from app.play.table import MOST_MOVES, Accepted, Answer, Refusal, Table
from app.play.tables import Tables
from tests.tiny.games import TINY, TORTURE

ALL: Registry = {**GAMES, **TINY}
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


@pytest.fixture
async def begin(database: Database) -> AsyncIterator[Begin]:
    """Starts further processes on the same database."""
    running: list[Process] = []

    async def start() -> Process:
        async def seed_of(_: UUID) -> bytes:
            return SEED

        journal = Journal(database)
        changes: list[tuple[UUID, int]] = []
        tables = Tables(
            journal,
            ALL,
            seed_of,
            changed=lambda table: changes.append((table.room_id, table.v)),
            wanted=lambda _: False,
        )
        await journal.start()
        running.append(Process(journal, tables, changes))
        return running[-1]

    yield start
    for process in running:
        await process.tables.stop()
        await process.journal.stop()


@pytest.fixture
async def house(begin: Begin) -> Process:
    return await begin()


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


async def test_refused_ids_do_not_push_out_accepted_ones(house: Process) -> None:
    table = await strongbox(house)
    assert await table.play(0, [HIDE], move_id="first", prompt=0) == Accepted(1)
    for number in range(20):
        await table.play(0, [HIDE], move_id=f"late{number}", prompt=0)
    assert await table.play(0, [HIDE], move_id="first", prompt=0) == Accepted(1)


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
