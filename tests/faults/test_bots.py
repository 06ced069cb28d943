"""A bot's move is made by whichever process has a person at the table, and by one alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import asyncpg
import pytest

from tests.faults.processes import Processes, side_by_side
from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, Person, started
from tests.realtime.test_missing import does, missing

pytestmark = pytest.mark.servers

BOT, PERSON = 0, 1


@pytest.fixture(scope="module")
def processes(
    shared_database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Processes]:
    """Two processes of one house, in which nobody is waited for long."""
    folder = tmp_path_factory.mktemp("bots")
    with side_by_side(shared_database_url, folder, 2, AWAY_SECONDS="0.3") as two:
        yield two


@pytest.fixture
def url(processes: Processes) -> str:
    """The address of the process where people arrive."""
    return processes.start().servers[0].url


async def handed(arrive: Arrive) -> tuple[Person, str]:
    """Starts a game in which a bot plays for Ann, who begins; returns Bo, who decided it."""
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    async with bo.line(code) as line:
        if not line.state["d"]["room"]["missing"]:
            await line.hear(missing((BOT, False)))
        assert await does(line, "bot", of=BOT) == "ok"
    return bo, code


async def takes_turn(line: Line, after: int) -> int:
    """Makes both moves of a turn, once the bot has made its own; returns the last entry.

    `after` is the last entry of the person's turn before, which this socket may not have read yet.
    """
    for _ in range(2):
        while line.state["v"] <= after or not line.prompt:
            await line.hear_state()
        after = line.state["v"]
        await line.move(line.prompt["legal"][-1])
    await line.hear_state(after + 1)
    return after + 1


async def who_moved(database_url: str, code: str) -> list[int]:
    """Returns the seats of all moves in a room's journal, straight from the database."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        rows = await connection.fetch(
            "select seat from journal join rooms on rooms.id = room_id "
            "where code = $1 and kind = 'move' order by seq",
            code,
        )
    finally:
        await connection.close()
    return [row["seat"] for row in rows]


async def test_a_bot_moves_at_another_process_when_its_own_has_died(
    processes: Processes, arrive: Arrive, shared_database_url: str
) -> None:
    bo, code = await handed(arrive)
    await asyncio.to_thread(processes.servers[0].kill)
    v = 0
    async with processes.at(1, bo).line(code) as line:
        # Whatever the other one did before it died, the second turn is this one's alone.
        for _ in range(2):
            v = await takes_turn(line, v)
    moved = await who_moved(shared_database_url, code)
    assert moved[:8] == [BOT, BOT, PERSON, PERSON] * 2


@pytest.mark.parametrize(
    "turns", [2, pytest.param(8, marks=pytest.mark.faults)], ids=["a while", "long"]
)
async def test_a_bot_answers_each_question_once_where_people_are_at_both_processes(
    processes: Processes, arrive: Arrive, shared_database_url: str, turns: int
) -> None:
    bo, code = await handed(arrive)
    async with AsyncExitStack() as stack:
        lines = [
            await stack.enter_async_context(processes.at(number, bo).line(code))
            for number in range(2)
        ]
        v = 0
        for turn in range(turns):
            v = await takes_turn(lines[turn % 2], v)
    moved = await who_moved(shared_database_url, code)
    assert moved[: 4 * turns] == [BOT, BOT, PERSON, PERSON] * turns
    for server in processes.servers:
        assert "bot_failed" not in server.output()
        assert "Traceback" not in server.output()
