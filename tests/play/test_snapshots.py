"""Snapshots: a table made of one is the table that was, and the journal is believed before it."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

import app.play
from app.database import Database
from app.games.registry import GAMES
from app.play.entry import Entry
from app.play.journal import Journal
from app.play.opening import Deal
from app.play.snapshots import EVERY, Snapshots
from app.play.standing import Standing, Unreadable, digest_of, packed, this_program, unpacked
from app.play.table import Accepted, Table
from app.play.tables import Tables
from tests.play.recorded_games import ROOM_ID, deal_of, journal_of, shown

APP = Path(app.play.__file__).parent.parent
DEAL = deal_of(GAMES["lost_cities"], (shown(0), shown(1)))
ENTRIES = journal_of(DEAL, 3)
_ROOM = text(
    "insert into rooms (id, code, game, seats, options, status, server_seed, r, created_at) "
    "values (:id, 'code', 'lost_cities', 2, '{}', 'running', :seed, 1, now())"
)


def played(deal: Deal, entries: list[Entry], standing: Standing | None = None) -> Table:
    """Returns a table that goes on, or begins, and follows the entries that it does not know."""
    # Never connected to: nothing is decided here.
    journal = Journal(Database(make_url("postgresql+asyncpg://nobody@nowhere/none")))
    table = Table(deal, journal, lambda _: None, entries[0], standing=standing)
    table.follow([entry for entry in entries if entry.seq > table.v])
    assert table.broken is None
    return table


@pytest.mark.parametrize("away_at", [-1, 9])
@pytest.mark.parametrize("key", GAMES)
def test_going_on_from_anywhere_leads_to_where_a_whole_replay_does(key: str, away_at: int) -> None:
    """Position, questions, what can be taken back, answers, times and all that was told."""
    deal = deal_of(GAMES[key], (shown(0), shown(1)))
    entries = journal_of(deal, 3, away_at=away_at)
    for at in Random(key).sample(range(1, len(entries)), min(6, len(entries) - 1)):
        then = played(deal, entries[: at + 1])
        same, standing = unpacked(packed(then.standing), entries[0], GAMES)
        assert (same.seed, same.options, same.version) == (deal.seed, deal.options, deal.version)
        on = played(same, entries, standing)
        whole = played(deal, entries)
        assert on.standing == whole.standing
        assert on.told() == whole.told()
        assert [on.view(seat) for seat in (0, 1, None)] == [
            whole.view(seat) for seat in (0, 1, None)
        ]


class Trap:
    """What bytes must not be able to have made or called."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("caught",)


@pytest.mark.parametrize("body", [b"", b"no pickle", pickle.dumps(Trap()), pickle.dumps(({}, 1))])
def test_bytes_that_are_no_standing_make_nothing(
    body: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Unreadable):
        unpacked(body, ENTRIES[0], GAMES)
    assert capsys.readouterr().out == ""


def test_a_single_bit_that_is_another_makes_nothing() -> None:
    body = packed(played(DEAL, ENTRIES[:EVERY]).standing)
    dice = Random(7)
    for _ in range(300):
        at, bit = dice.randrange(len(body)), 1 << dice.randrange(8)
        damaged = bytes([*body[:at], body[at] ^ bit, *body[at + 1 :]])
        with pytest.raises(Unreadable):
            unpacked(damaged, ENTRIES[0], GAMES)


@asynccontextmanager
async def process(database: Database) -> AsyncIterator[tuple[Snapshots, Table]]:
    """A process of its own, and the table that it finds."""
    journal, snapshots = Journal(database), Snapshots(database)
    await journal.start()

    async def seed_of(_: UUID) -> bytes:
        return DEAL.seed

    tables = Tables(journal, GAMES, seed_of, snapshots.note, lambda _: False)
    try:
        table = await tables.get(ROOM_ID)
        assert table is not None
        yield snapshots, table
    finally:
        await journal.stop()


async def sql(database: Database, statement: str, **given: object) -> list[Any]:
    async with database.engine.begin() as link:
        found = await link.execute(text(statement), given)
        return list(found) if found.returns_rows else []


async def begin(database: Database, entries: list[Entry]) -> None:
    """Writes a room and its game, as far as these entries go."""
    async with database.engine.begin() as link:
        await link.execute(_ROOM, {"id": ROOM_ID, "seed": bytes(32)})
    journal = Journal(database)
    await journal.start()
    for entry in entries:
        await journal.append(entry)
    await journal.stop()


async def move(table: Table) -> None:
    """Plays whatever can be played."""
    seat, asked = next(iter(table.position.asked.items()))
    name = f"m{table.v + 1}"
    answer = await table.play(seat, asked.legal[:1], move_id=name, prompt=asked.n)
    assert answer == Accepted(table.v)


@pytest.mark.parametrize("file", ["games/splendor/cards.csv", "games/chance.py", "play/table.py"])
def test_other_rules_are_another_program(tmp_path: Path, file: str) -> None:
    for part in ("games", "play"):
        shutil.copytree(APP / part, tmp_path / part)
    assert digest_of(tmp_path) == this_program()
    with (tmp_path / file).open("a") as changed:
        changed.write("\n")
    assert digest_of(tmp_path) != this_program()


@pytest.mark.servers
async def test_the_next_process_plays_only_what_came_after(database: Database) -> None:
    await begin(database, ENTRIES[:EVERY])
    async with process(database) as (snapshots, table):
        assert table.snapshot_v == 0
        await snapshots.write()
        assert not await sql(database, "select from snapshots")
        await move(table)
        await snapshots.write()
        assert table.snapshot_v == EVERY
        await move(table)
        await snapshots.write()
        known = table.standing
    async with process(database) as (_, again):
        assert again.snapshot_v == EVERY
        assert again.v == EVERY + 1
        assert again.standing == known
        await move(again)


@pytest.mark.servers
@pytest.mark.parametrize(
    "change",
    [
        "update snapshots set made_by = 'another program'",
        "update snapshots set body = 'nonsense'",
        "update snapshots set seq = seq - 1",
        "update journal set move_id = 'another' where seq = (select seq from snapshots)",
        "delete from journal where seq >= (select seq from snapshots)",
    ],
)
async def test_a_snapshot_of_no_use_is_as_none(database: Database, change: str) -> None:
    await begin(database, ENTRIES[:EVERY])
    async with process(database) as (snapshots, table):
        await move(table)
        await snapshots.write()
    await sql(database, change)
    left = await Journal(database).read(ROOM_ID)
    async with process(database) as (_, again):
        assert again.snapshot_v == 0
        assert again.standing == played(DEAL, left).standing


@pytest.mark.servers
async def test_a_game_that_does_not_go_on_from_its_snapshot_goes_on_from_the_deal(
    database: Database,
) -> None:
    await begin(database, ENTRIES[:EVERY])
    async with process(database) as (snapshots, table):
        await move(table)
        await snapshots.write()
        wrong = replace(table.position, state=played(DEAL, ENTRIES[:2]).position.state)
        body = packed(replace(table.standing, position=wrong))
        await move(table)
        known = table.standing
    await sql(database, "update snapshots set body = :body", body=body)
    async with process(database) as (_, again):
        assert again.broken is None
        assert again.standing == known


@pytest.mark.servers
async def test_a_game_that_is_over_keeps_none(database: Database) -> None:
    await begin(database, ENTRIES[:EVERY])
    async with process(database) as (snapshots, table):
        await move(table)
        await snapshots.write()
        seat = next(iter(table.position.asked))
        assert await table.concede(seat, move_id="enough") == Accepted(EVERY + 1)
        await snapshots.write()
    assert not await sql(database, "select from snapshots")
