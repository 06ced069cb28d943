"""The machine's clock is set: days ahead, days back, and while the house is away.

Moves count as ever, nobody waits for a moment of another time, and nothing is cleared away.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import asyncpg
import httpx
import pytest

from tests.faults.houses import UNLIMITED
from tests.faults.script import Game, journal_ids, reopened
from tests.faults.test_killed_server import check_the_end
from tests.realtime.people import Person, person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

SHIFT = Path(__file__).parent / "clock"
DAY = 86_400


class Clock:
    """The clock of a house, which can be set wrong by some seconds."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.off(0)

    def off(self, seconds: float) -> None:
        """Sets it, at this moment."""
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.rename(self.file)


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Clock:
    return Clock(tmp_path_factory.mktemp("clock") / "off")


@pytest.fixture(scope="module")
def server(
    shared_database_url: str, clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    shifted = {"PYTHONPATH": str(SHIFT), "CLOCK_FILE": str(clock.file)}
    folder = tmp_path_factory.mktemp("house")
    limits = {**UNLIMITED, "REVEAL_SECONDS": "1"}
    with Server(shared_database_url, folder, port=None, **limits, **shifted) as serving:
        yield serving


async def days_of(database_url: str, code: str) -> int:
    """Returns over how many days the entries of a room stretch, by their times."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        span = await connection.fetchval(
            "select max(at) - min(at) from journal join rooms on id = room_id where code = $1", code
        )
        return int(span.days)
    finally:
        await connection.close()


async def dealing(people: list[Person]) -> str:
    """Starts a room that waits for a part of the shuffle that nobody will show."""
    promise = {"hash": hashlib.sha256(secrets.token_bytes(32)).hexdigest()}
    code: str = (await people[0].post("/rooms", {"game": "lost_cities", **promise})).json()["code"]
    await people[1].post(f"/rooms/{code}/seats", {})
    assert (await people[0].post(f"/rooms/{code}/start")).json()["starting"]
    return code


async def table_of(people: list[Person], seed: int) -> Game:
    """Starts a game of these two."""
    return Game(people, await started(people, "lost_cities", {"first": 0}), Random(seed))


async def goes_on(game: Game, clock: Clock, offs: tuple[float, ...], moves: int) -> None:
    """Makes so many moves after each setting of the clock."""
    async with game.lines() as lines:
        for off in offs:
            clock.off(off)
            for _ in range(moves):
                await game.step(lines)


async def test_moves_count_when_the_clock_has_jumped(
    server: Server, clock: Clock, shared_database_url: str
) -> None:
    async with httpx.AsyncClient(timeout=20) as http:
        people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        game = await table_of(people, 3)
        await goes_on(game, clock, (0, 3 * DAY, -7 * DAY), 2)
        clock.off(0)
        assert [(await reopened(each, game.code))["v"] for each in people] == [6, 6]
        assert await days_of(shared_database_url, game.code) >= 9
        counts = await journal_ids(shared_database_url, game.code)
        assert counts == Counter({"start": 1, **dict.fromkeys(game.answered, 1)})


@pytest.mark.faults
async def test_the_clock_is_set_while_a_game_goes_on(
    server: Server, clock: Clock, shared_database_url: str
) -> None:
    async with httpx.AsyncClient(timeout=20) as http:
        people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        game = await table_of(people, 7)
        await goes_on(game, clock, (0, 3 * DAY, -7 * DAY, 0, 30 * DAY), 4)
        for off in (-30 * DAY, 400 * DAY):
            clock.off(off)
            await asyncio.to_thread(server.restart)
            assert [(await reopened(each, game.code))["v"] for each in people] == [game.v] * 2
            await goes_on(game, clock, (off,), 4)
        clock.off(0)
        async with game.lines() as lines:
            while not game.over:
                await game.step(lines)
        assert await days_of(shared_database_url, game.code) >= 430
        await check_the_end(game, shared_database_url)


@pytest.mark.faults
@pytest.mark.parametrize("jump", [DAY, -DAY], ids=["ahead", "back"])
async def test_a_start_waits_no_longer(server: Server, clock: Clock, jump: int) -> None:
    async with httpx.AsyncClient(timeout=20) as http:
        people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        clock.off(0)
        code = await dealing(people)
        async with people[0].line(code) as line:
            clock.off(jump)
            if line.state["v"] < 0:
                await line.hear_state(v=0)


@pytest.mark.faults
async def test_a_time_for_a_move_that_a_jump_used_up_costs_nobody_the_game(
    server: Server, clock: Clock
) -> None:
    async with httpx.AsyncClient(timeout=20) as http:
        ann, bo = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        clock.off(0)
        body = {"game": "lost_cities", "seats": 2, "options": {"first": 0}, "clock": 300}
        code = (await ann.post("/rooms", body)).json()["code"]
        await bo.post(f"/rooms/{code}/seats", {})
        await ann.post(f"/rooms/{code}/start")
        async with ann.line(code) as line:
            clock.off(DAY)
            late = (await bo.get(f"/rooms/{code}/view")).json()
            assert (late["v"], late["room"]["status"]) == (0, "running")
            await line.move(line.prompt["legal"][0])
            await line.hear_state(v=1)
            clock.off(0)
            await line.move({"kind": "draw", "from": "deck"})
            await line.hear_state(v=2)
        assert (await bo.get(f"/rooms/{code}/view")).json()["prompt"]
