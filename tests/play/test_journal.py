"""Appending to the journal: four outcomes, each on a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from app.config import Settings
from app.database import Database, new_id
from app.embedded import EmbeddedPostgres
from app.play.journal import NO_ROOM_SECONDS, Appended, Entry, Journal, Unavailable

pytestmark = pytest.mark.servers

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def entry(room: UUID, seq: int = 0, *, move_id: str = "a", body: str = "{}") -> Entry:
    return Entry(
        room_id=room,
        seq=seq,
        seat=seq % 2,
        kind="move",
        move_id=move_id,
        body=body,
        draws=True,
        actors=(1, 0),
        due=None,
        at=AT,
    )


async def newest(journal: Journal, rooms: list[UUID]) -> dict[UUID, int]:
    """The last seq of each room that has entries."""
    kept = [await journal.read(room) for room in rooms]
    return {entries[-1].room_id: entries[-1].seq for entries in kept if entries}


@pytest.fixture
async def journal(database: Database) -> AsyncIterator[Journal]:
    writing = Journal(database, append_seconds=5)
    await writing.start()
    yield writing
    await writing.stop()


async def _end_writers(database: Database) -> None:
    """End the writer's connection as an operator would."""
    async with database.engine.connect() as connection:
        await connection.execute(
            text(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()"
            )
        )


async def _blocked(database: Database) -> None:
    """Wait until a statement of the writer waits for a lock."""
    waiting = text(
        "select count(*) from pg_stat_activity "
        "where datname = current_database() and wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(5), database.engine.connect() as connection:
        while not await connection.scalar(waiting):
            await connection.rollback()
            await asyncio.sleep(0.01)


async def test_what_is_written_is_read_back_in_order(journal: Journal) -> None:
    room = new_id()
    start = Entry(room, 0, None, "start", "", '{"game":"x"}', False, (), AT, AT)
    move = entry(room, 1, body='{"text":"ü and \\u0000 spelled out"}')
    assert await journal.append(start) is Appended.WRITTEN
    assert await journal.append(move) is Appended.WRITTEN
    assert await journal.append(entry(new_id())) is Appended.WRITTEN
    assert await journal.read(room) == [start, move]
    assert await journal.read(room, after=0) == [move]
    assert await newest(journal, [room, new_id()]) == {room: 1}


async def test_a_place_is_taken_once_by_one_process_or_two(
    journal: Journal, database: Database
) -> None:
    room = new_id()
    other = Journal(database)
    await other.start()
    answers = await asyncio.gather(
        *(
            (journal, other)[number % 2].append(entry(room, move_id=f"m{number}"))
            for number in range(20)
        )
    )
    assert sorted(answer.name for answer in answers) == ["TAKEN"] * 19 + ["WRITTEN"]
    (kept,) = await journal.read(room)
    assert answers[int(kept.move_id[1:])] is Appended.WRITTEN
    await other.stop()


async def test_the_same_entry_twice_in_one_batch_is_written_once(journal: Journal) -> None:
    one = entry(new_id())
    answers = await asyncio.gather(journal.append(one), journal.append(one))
    assert sorted(answer.name for answer in answers) == ["TAKEN", "WRITTEN"]


@pytest.mark.parametrize(
    "spoilt",
    [
        pytest.param({"body": "\u0000"}, id="nul"),
        pytest.param({"move_id": "\ud800"}, id="lone surrogate"),
        pytest.param({"kind": "no such kind"}, id="constraint"),
        pytest.param({"seq": 2**40}, id="huge seq"),
        pytest.param({"actors": (70_000,)}, id="huge seat"),
    ],
)
async def test_a_bad_row_fails_alone(journal: Journal, spoilt: dict[str, Any]) -> None:
    rooms = [new_id() for _ in range(100)]
    entries = [entry(room) for room in rooms]
    entries[37] = replace(entries[37], **spoilt)
    answers = await asyncio.gather(*map(journal.append, entries))
    assert answers[37] is Appended.BAD
    assert set(answers[:37] + answers[38:]) == {Appended.WRITTEN}
    assert len(await newest(journal, rooms)) == 99
    assert await journal.append(entry(rooms[37])) is Appended.WRITTEN


async def test_a_lost_connection_is_unknown_and_then_writing_goes_on(
    journal: Journal, database: Database
) -> None:
    room = new_id()
    assert await journal.append(entry(room)) is Appended.WRITTEN
    async with database.engine.begin() as connection:
        await connection.execute(text("lock table journal in exclusive mode"))
        lost = asyncio.create_task(journal.append(entry(room, 1)))
        await _blocked(database)
        queued = asyncio.create_task(journal.append(entry(new_id())))
        pid = text(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where datname = current_database() and wait_event_type = 'Lock'"
        )
        assert await connection.scalar(pid)
        assert await lost is Appended.UNKNOWN
    assert await queued is Appended.WRITTEN
    assert await newest(journal, [room]) == {room: 0}
    assert await journal.append(entry(room, 1)) is Appended.WRITTEN


async def test_a_writer_that_was_idle_when_its_connection_ended_recovers(
    journal: Journal, database: Database
) -> None:
    room = new_id()
    assert await journal.append(entry(room)) is Appended.WRITTEN
    await _end_writers(database)
    await asyncio.sleep(0.1)
    outcomes = [await journal.append(entry(room, 1)), await journal.append(entry(room, 1))]
    assert outcomes in (
        [Appended.UNKNOWN, Appended.WRITTEN],
        [Appended.WRITTEN, Appended.TAKEN],
    )


async def test_too_slow_is_given_up(database: Database) -> None:
    journal = Journal(database, append_seconds=0.5)
    await journal.start()
    room = new_id()
    async with database.engine.begin() as connection:
        await connection.execute(text("lock table journal in exclusive mode"))
        async with asyncio.timeout(3):
            answers = await asyncio.gather(
                journal.append(entry(room)), journal.append(entry(new_id()))
            )
        assert set(answers) == {Appended.UNKNOWN}
    assert await journal.append(entry(room, 1)) is Appended.WRITTEN
    await journal.stop()


async def test_the_database_stops_and_comes_back(data_dir: Path) -> None:
    async with await Database.open(Settings(data_dir=data_dir, database_url=None)) as database:
        server = database.embedded
        assert server is not None
        await database.migrate()
        journal = Journal(database, append_seconds=1)
        await journal.start()
        room = new_id()
        assert await journal.append(entry(room)) is Appended.WRITTEN
        await asyncio.to_thread(server.halt)
        async with asyncio.timeout(10):
            assert await journal.append(entry(room, 1)) is Appended.UNKNOWN
            assert await journal.append(entry(room, 1)) is Appended.UNKNOWN
        with pytest.raises(Unavailable):
            await journal.read(room)
        await asyncio.to_thread(server.resume)
        assert await journal.append(entry(room, 1)) is Appended.WRITTEN
        assert [kept.seq for kept in await journal.read(room)] == [0, 1]
        await journal.stop()


async def test_entries_that_arrive_together_share_their_commits(journal: Journal) -> None:
    await journal.append(entry(new_id()))
    before = journal.commits
    answers = await asyncio.gather(*(journal.append(entry(new_id())) for _ in range(600)))
    assert set(answers) == {Appended.WRITTEN}
    assert journal.commits - before == 3
    assert journal.rows == 601


async def test_a_batch_has_at_most_so_many_bytes(database: Database) -> None:
    journal = Journal(database, max_bytes=1000)
    await journal.start()
    bodies = ["x" * 400] * 6 + ["x" * 5000]
    answers = await asyncio.gather(*(journal.append(entry(new_id(), body=b)) for b in bodies))
    assert set(answers) == {Appended.WRITTEN}
    assert journal.commits == 4
    await journal.stop()


async def test_two_processes_with_opposite_orders_do_not_deadlock(
    journal: Journal, database: Database
) -> None:
    other = Journal(database, append_seconds=5)
    await other.start()
    for _ in range(20):
        rooms = [new_id() for _ in range(100)]
        one, two = await asyncio.gather(
            asyncio.gather(*(journal.append(entry(room, move_id="x")) for room in rooms)),
            asyncio.gather(*(other.append(entry(room, move_id="y")) for room in rooms[::-1])),
        )
        for mine, theirs in zip(one, two[::-1], strict=True):
            assert {mine, theirs} == {Appended.WRITTEN, Appended.TAKEN}
    await other.stop()


async def test_a_caller_that_went_away_is_skipped(journal: Journal, database: Database) -> None:
    room, gone = new_id(), new_id()
    assert await journal.append(entry(new_id())) is Appended.WRITTEN
    async with database.engine.begin() as connection:
        await connection.execute(text("lock table journal in exclusive mode"))
        sent = asyncio.create_task(journal.append(entry(room)))
        await _blocked(database)
        queued = asyncio.create_task(journal.append(entry(gone)))
        await asyncio.sleep(0)
        queued.cancel()
        sent.cancel()
        await asyncio.wait([sent, queued])
    assert await journal.append(entry(room, 1)) is Appended.WRITTEN
    assert await newest(journal, [room, gone]) == {room: 1}
    assert [kept.seq for kept in await journal.read(room)] == [0, 1]


async def test_stopping_writes_what_is_queued_and_takes_nothing_more(database: Database) -> None:
    journal = Journal(database)
    await journal.start()
    rooms = [new_id() for _ in range(700)]
    waiting = [asyncio.create_task(journal.append(entry(room))) for room in rooms]
    await asyncio.sleep(0)
    await journal.stop()
    assert {await one for one in waiting} == {Appended.WRITTEN}
    assert await journal.append(entry(new_id())) is Appended.UNKNOWN
    assert len(await newest(journal, rooms)) == 700


async def test_when_the_writer_ends_the_process_is_told(database: Database) -> None:
    journal = Journal(database)
    deaths: list[str] = []
    journal.on_death = lambda: deaths.append("dead")
    await journal.start()
    room = new_id()
    assert await journal.append(entry(new_id())) is Appended.WRITTEN
    async with database.engine.begin() as connection:
        await connection.execute(text("lock table journal in exclusive mode"))
        sent = asyncio.create_task(journal.append(entry(room)))
        await _blocked(database)
        queued = asyncio.create_task(journal.append(entry(room, 1)))
        await asyncio.sleep(0)
        (writer,) = (task for task in asyncio.all_tasks() if task.get_name() == "journal writer")
        writer.cancel()
        assert {await sent, await queued} == {Appended.UNKNOWN}
    assert deaths == ["dead"]
    assert await journal.append(entry(room, 2)) is Appended.UNKNOWN
    await journal.stop()


async def test_a_journal_on_the_run_s_server_is_durable_by_default(
    postgres: EmbeddedPostgres, data_dir: Path
) -> None:
    assert not postgres.durable
    async with (
        await Database.open(Settings(data_dir=data_dir, database_url=None)) as database,
        database.engine.connect() as connection,
    ):
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            assert await connection.scalar(text(f"show {name}")) == "on"


async def test_a_full_disk_is_known_until_a_write_works_or_none_is_tried(
    database: Database, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = new_id()

    async def run(*lines: str) -> None:
        async with database.engine.begin() as connection:
            for line in lines:
                await connection.execute(text(line))

    known = [journal.no_room]
    await run(
        "create function full_disk() returns trigger language plpgsql as "
        "$$ begin raise exception 'no room' using errcode = 'disk_full'; end $$",
        "create trigger full_disk before insert on journal execute function full_disk()",
    )
    for seconds in (NO_ROOM_SECONDS, 0.0, NO_ROOM_SECONDS):
        monkeypatch.setattr("app.play.journal.NO_ROOM_SECONDS", seconds)
        assert await journal.append(entry(room)) is Appended.UNKNOWN
        known.append(journal.no_room)
    await run("drop function full_disk cascade")
    assert await journal.append(entry(room)) is Appended.WRITTEN
    assert [*known, journal.no_room] == [False, True, False, True, False]
