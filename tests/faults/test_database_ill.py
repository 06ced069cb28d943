"""The database answers, but not as it should: it only reads, is full, slow, or takes nobody more.

What can still be shown is shown, what cannot be written is told to be tried again, and nothing
that was answered is lost.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random

import asyncpg
import httpx
import pytest

from tests.faults.cluster import ADMIT, CLAIMS, CUT, REFUSE, Cluster
from tests.faults.houses import UNLIMITED
from tests.faults.outages import counted, refused
from tests.faults.script import Game, journal_ids
from tests.realtime.people import Line, Message, Person, person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

ROOM = {"game": "lost_cities", "seats": 2, "options": {}}
UNWRITABLE = {
    "read-only": (Cluster.only_read, Cluster.write_again),
    "full": (Cluster.fill, Cluster.free),
}
READY = (200, "ready\n")
NOT_READY = {
    "read-only": (503, "the database only reads\n"),
    "full": (503, "the database has no room left on its disk\n"),
}
BEFORE_A_MOVE = {"read-only": NOT_READY["read-only"], "full": READY}
"""Whether there is room is seen by who needs it."""


@pytest.fixture(scope="module")
def server(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("house")
    serving = Server(cluster.address, folder, port=None, **UNLIMITED, APPEND_SECONDS="2")
    with serving:
        yield serving


@asynccontextmanager
async def playing(server: Server, name: str) -> AsyncIterator[tuple[Game, list[Line]]]:
    """A game of two with a few moves made, and their sockets; checks its journal at the end."""
    async with httpx.AsyncClient(timeout=20) as http:
        people = [await person(server.url, http, each) for each in ("Ann", "Bo")]
        game = Game(people, await started(people, "lost_cities", {"first": 0}), Random(name))
        async with game.lines() as lines:
            for _ in range(4):
                await game.step(lines)
            yield game, lines
            for _ in range(4):
                if not game.over:
                    await game.step(lines)
        counts = await journal_ids(server.database_url, game.code)
        assert counts == Counter({"start": 1, **dict.fromkeys(game.answered, 1)})


async def count_again(game: Game, lines: list[Line], mover: Line, move: Message) -> None:
    """The message that could not count before counts now, once, and both players see it."""
    expected = game.v + 1
    assert await counted(mover, move) == expected
    assert await counted(mover, move) == expected
    game.v = expected
    game.answered.append(move["id"])
    for line in lines:
        if line.state["v"] < expected:
            await line.hear_state(expected)


async def check_what_is_read(game: Game) -> None:
    """Whatever needs no writing is shown as ever."""
    ann, bo = game.people
    for path in (f"/rooms/{game.code}", f"/rooms/{game.code}/view"):
        assert (await ann.get(path)).status_code == 200, path
    for page in (f"/r/{game.code}", f"/r/{game.code}/log", "/"):
        shown = await ann.http.get(ann.url + page, headers=ann.headers)
        assert shown.status_code == 200, page
    async with bo.line(game.code) as line:
        assert line.state["v"] == game.v


async def check_what_is_written(mover: Person, code: str, move: Message) -> None:
    """Whatever needs writing is answered with a sentence, and never done."""
    body = {key: move[key] for key in ("id", "prompt", "moves")}
    for answer in await asyncio.gather(
        mover.post(f"/rooms/{code}/moves", body),
        mover.post("/rooms", ROOM),
        mover.post("/players", {"name": "Cy"}),
    ):
        assert answer.status_code == 503, answer.text
        assert answer.json()["code"] == "try_again"
        assert answer.json()["message"]
        assert answer.headers["retry-after"]


async def check_all_writes(ann: Person, times: int = 24) -> None:
    """Soon no connection of the house is left that cannot write."""
    answers: Counter[int] = Counter()
    for _ in range(10):
        opened = await asyncio.gather(*(ann.post("/rooms", ROOM) for _ in range(times)))
        answers = Counter(each.status_code for each in opened)
        if 503 not in answers:
            break
        await asyncio.sleep(0.2)
    assert answers == {201: times}


async def how_ready(server: Server) -> tuple[int, str]:
    """Returns what the house says of itself."""
    async with httpx.AsyncClient(timeout=10) as http:
        answer = await http.get(f"{server.url}/readyz")
    return answer.status_code, answer.text


@pytest.mark.parametrize("way", UNWRITABLE)
async def test_nothing_can_be_written(way: str, cluster: Cluster, server: Server) -> None:
    go, come_back = UNWRITABLE[way]
    async with playing(server, way) as (game, lines):
        mover = next(line for line in lines if line.prompt)
        move = game.choose(mover)
        await asyncio.to_thread(go, cluster)
        try:
            assert await how_ready(server) == BEFORE_A_MOVE[way]
            for _ in range(3):
                assert await refused(mover, move) == "try_again"
            await check_what_is_read(game)
            await check_what_is_written(game.people[lines.index(mover)], game.code, move)
            assert await how_ready(server) == NOT_READY[way]
        finally:
            await asyncio.to_thread(come_back, cluster)
        # It is ready again by itself, and at once after a move: whoever asks may send nobody then.
        await how_ready(server)
        await count_again(game, lines, mover, move)
        assert await how_ready(server) == READY
        await check_all_writes(game.people[0])


@asynccontextmanager
async def hoarded(cluster: Cluster) -> AsyncIterator[list[asyncpg.Connection[asyncpg.Record]]]:
    """Takes every connection that the database still has to give."""
    taken: list[asyncpg.Connection[asyncpg.Record]] = []
    async with AsyncExitStack() as stack:
        with suppress(asyncpg.TooManyConnectionsError):
            while True:
                taken.append(await cluster.connect())
                stack.push_async_callback(taken[-1].close)
        yield taken


async def test_there_are_no_more_connections(cluster: Cluster, server: Server) -> None:
    async with playing(server, "full up") as (game, lines):
        async with hoarded(cluster) as (master, *_):
            # Games go on by the connections that the house has.
            for _ in range(4):
                await game.step(lines)
            await check_what_is_read(game)
            ann = game.people[0]
            address = f"{ann.url}/r/{game.code}/log"
            asked = (ann.http.get(address, headers=ann.headers) for _ in range(60))
            answers = await asyncio.gather(*asked)
            assert {answer.status_code for answer in answers} <= {200, 503}
            # Now it loses those as well, and others take them.
            mover = next(line for line in lines if line.prompt)
            move = game.choose(mover)
            for sql in (REFUSE, CUT):
                await master.execute(sql)
            async with hoarded(cluster):
                await master.execute(ADMIT)
                for _ in range(2):
                    assert await refused(mover, move) == "try_again"
                await check_what_is_written(game.people[lines.index(mover)], game.code, move)
        await count_again(game, lines, mover, move)
        await check_all_writes(game.people[0])


@contextmanager
def stuttering(cluster: Cluster, random: Random) -> Iterator[None]:
    """Stops the whole database again and again, each time for less than a move may take."""
    enough = threading.Event()

    def stutter() -> None:
        while not enough.wait(random.uniform(0.02, 0.2)):
            cluster.freeze()
            enough.wait(random.uniform(0.1, 0.8))
            cluster.thaw()

    thread = threading.Thread(target=stutter)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join()


@pytest.mark.parametrize(
    "seconds", [1.5, pytest.param(10, marks=pytest.mark.faults)], ids=["a while", "long"]
)
async def test_moves_wait_for_a_slow_database(
    seconds: float, cluster: Cluster, server: Server
) -> None:
    """No move is refused and no page fails: all of them take longer."""
    async with playing(server, "slow") as (game, lines):
        loop = asyncio.get_running_loop()
        with stuttering(cluster, Random(seconds)):
            until = loop.time() + seconds
            while loop.time() < until and not game.over:
                await game.step(lines)
                await check_what_is_read(game)


@pytest.mark.faults
async def test_the_process_that_writes_hangs(cluster: Cluster, server: Server) -> None:
    """The house takes another; what the hanging one writes later changes nothing."""
    async with playing(server, "hangs") as (game, lines):
        mover = next(line for line in lines if line.prompt)
        move = game.choose(mover)
        hanging = await asyncio.to_thread(cluster.freeze_writer)
        try:
            assert await refused(mover, move) == "try_again"
            await check_what_is_read(game)
            await count_again(game, lines, mover, move)
        finally:
            os.kill(hanging, signal.SIGCONT)
        for line in lines:
            assert [message for message in await line.quiet() if message["t"] == "state"] == []


@pytest.mark.faults
async def test_the_session_that_claims_the_house_hangs(
    cluster: Cluster, server: Server, tmp_path: Path
) -> None:
    """Nobody else can have its lock: the house stays open, and holds it by another one later."""
    async with playing(server, "claims") as (game, lines):
        hanging = await asyncio.to_thread(cluster.freeze_claimer)
        try:
            # Long enough to be given up, and to be found in the way once and again.
            for _ in range(20):
                await game.step(lines)
                await asyncio.sleep(1)
        finally:
            os.kill(hanging, signal.SIGCONT)
        await asyncio.to_thread(wait_claimed_anew, cluster, hanging)
        second = Server(cluster.address, tmp_path)
        try:
            second.start(ready=False)
            assert await asyncio.to_thread(second.wait) == 1
            assert "Another Motherlode already serves this database" in second.output()
        finally:
            await asyncio.to_thread(second.stop)
        assert (await game.people[0].http.get(f"{server.url}/readyz")).status_code == 200


def wait_claimed_anew(cluster: Cluster, former: int) -> None:
    """Returns once the house holds its claim by another session than the former one."""
    deadline = time.monotonic() + 20
    while {pid for (pid,) in cluster.command(CLAIMS)} <= {former}:
        assert time.monotonic() < deadline, "the house does not claim the database again"
        time.sleep(0.1)


@pytest.mark.faults
async def test_what_was_given_up_and_is_written_yet_is_shown(
    cluster: Cluster, server: Server
) -> None:
    """Its sender was told to try again and did nothing more: the others still see the move."""
    async with playing(server, "late") as (game, lines):
        mover = next(line for line in lines if line.prompt)
        move = game.choose(mover)
        hanging = await asyncio.to_thread(cluster.freeze_writer)
        try:
            assert await refused(mover, move) == "try_again"
        finally:
            os.kill(hanging, signal.SIGCONT)
        for line in lines:
            if line.state["v"] == game.v:
                await line.hear_state(game.v + 1)
        await count_again(game, lines, mover, move)
