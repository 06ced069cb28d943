"""The server is killed (SIGKILL) at random points of a scripted game and started again."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import signal
from collections import Counter
from collections.abc import Iterator
from random import Random

import httpx
import pytest

from app.play.verify import verify
from tests.faults.houses import UNLIMITED
from tests.faults.script import CUT, Game, journal_ids, reopened
from tests.realtime.people import person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

ENTRIES_AT_LEAST = 44
"""Nobody draws the 44 cards of the deck in fewer entries."""
LONGEST_FUSE = 1.3
"""The kill comes this long after a move is sent, at most, as a multiple of what a move takes."""


def kill(server: Server) -> None:
    """Kills the process at this very moment, from the loop that plays."""
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGKILL)


async def kill_in_the_middle(server: Server, game: Game, moves: int) -> bool:
    """Plays some moves and lets the house die around the next one; checks what came back.

    Returns whether it died: not where the game ended before.
    """
    fuse: asyncio.TimerHandle | None = None
    try:
        async with game.lines() as lines:
            while not game.over:
                if moves == 0:
                    wait = game.random.uniform(0, LONGEST_FUSE * game.took)
                    fuse = asyncio.get_running_loop().call_later(wait, kill, server)
                moves -= 1
                await game.step(lines)
    except CUT:
        pass
    if fuse is None:
        return False
    fuse.cancel()
    await asyncio.to_thread(server.kill)  # where the game ended, and the line with it, before that
    assert server.process is not None
    assert server.process.returncode == -signal.SIGKILL
    await asyncio.to_thread(server.start)

    views = [await reopened(each, game.code) for each in game.people]
    assert views[0]["v"] == views[1]["v"]
    if game.sent is None:
        assert views[0]["v"] == game.v
        return True
    assert game.v <= views[0]["v"] <= game.v + 1
    unanswered, expected = game.sent, game.v + 1
    for _ in range(2):
        game.sent = unanswered
        async with game.lines() as lines:
            await game.deliver(lines)
        assert game.v == expected
        game.answered = list(dict.fromkeys(game.answered))
    return True


async def play_through_kills(server: Server, database_url: str, random: Random, kills: int) -> int:
    """Plays a game in which the house is killed up to `kills` times; returns how often it was."""
    killed = 0
    async with httpx.AsyncClient(timeout=10) as http:
        people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        code = await started(people, "lost_cities", {"first": 0})
        game = Game(people, code, random)
        points = sorted(random.sample(range(ENTRIES_AT_LEAST), kills))
        before = 0
        for point in points:
            killed += await kill_in_the_middle(server, game, point - before)
            before = point + 1
        async with game.lines() as lines:
            while not game.over:
                await game.step(lines)
        await check_the_end(game, database_url)
    return killed


async def killed_in_all(server: Server, database_url: str, random: Random, kills: int) -> int:
    """Plays until the house was killed that often; returns how often it was."""
    killed = 0
    while killed < kills:
        killed += await play_through_kills(server, database_url, random, kills - killed)
    return killed


async def check_the_end(game: Game, database_url: str) -> None:
    """Everything that was answered is in the journal once, and the game is what its moves say."""
    counts = await journal_ids(database_url, game.code)
    assert counts == Counter({"start": 1, **dict.fromkeys(game.answered, 1)})
    assert len(set(game.answered)) == game.v
    shown = await reopened(game.people[0], game.code)
    record = (await game.people[0].get(f"/rooms/{game.code}/record")).json()
    assert verify(record).problems == ()  # deals again and replays every entry
    assert record["outcome"] == shown["room"]["outcome"]


@pytest.fixture(scope="module")
def server(shared_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house that the tests kill."""
    folder = tmp_path_factory.mktemp("killed")
    with Server(shared_database_url, folder, port=None, **UNLIMITED, REVEAL_SECONDS="2") as serving:
        yield serving


async def test_nothing_answered_is_lost_when_the_server_is_killed(
    server: Server, shared_database_url: str
) -> None:
    assert await killed_in_all(server, shared_database_url, Random(5), kills=2) == 2


@pytest.mark.faults
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
async def test_nothing_answered_is_lost_in_a_hundred_kills(
    server: Server, shared_database_url: str, seed: int
) -> None:
    assert await killed_in_all(server, shared_database_url, Random(seed), kills=25) == 25


async def test_a_start_that_was_cut_off_is_dealt_after_it(server: Server) -> None:
    """The house dies while it waits for the browsers' part of the shuffle."""
    async with httpx.AsyncClient(timeout=10) as http:
        ann, bo = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        new = {"game": "lost_cities", "hash": promise(secrets.token_bytes(32))}
        code = (await ann.post("/rooms", new)).json()["code"]
        shown = secrets.token_bytes(32)
        await bo.post(f"/rooms/{code}/seats", {"hash": promise(shown)})
        assert (await ann.post(f"/rooms/{code}/start")).json()["starting"]
        assert (await bo.post(f"/rooms/{code}/reveal", {"r": shown.hex()})).json()["starting"]
        kill(server)
        await asyncio.to_thread(server.restart)

        async with ann.line(code) as line:
            if line.state["v"] < 0:
                await line.hear_state(v=0)
        room = await reopened(ann, code)
        assert room["room"]["status"] == "running"
        assert [len(room["view"]["hand"]), room["view"]["hands"]] == [8, [8, 8]]


def promise(r: bytes) -> str:
    """Returns what a browser sends when it sits down."""
    return hashlib.sha256(r).hexdigest()
