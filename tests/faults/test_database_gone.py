"""The database goes away under the running house, in every way there is, and comes back.

Meanwhile players are told to try again and pages say so; afterwards the house recovers by itself,
nothing that was answered is lost, and a message sent again counts once.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.faults.cluster import Cluster
from tests.faults.houses import UNLIMITED
from tests.faults.outages import ANSWERED_WITHIN, counted, refused
from tests.faults.script import Game, journal_ids
from tests.realtime.people import Line, Message, Person, person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

WAYS = {
    "stopped": (Cluster.stop, Cluster.start),
    "killed": (Cluster.kill, Cluster.start),
    "refusing": (Cluster.refuse, Cluster.admit),
    "frozen": (Cluster.freeze, Cluster.thaw),
}
MOVES_AFTER = 6
LONGEST_FUSE = 1.3
"""A kill comes this long after a move is sent, at most, as a multiple of what a move takes."""


@pytest.fixture(scope="module")
def server(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("house")
    serving = Server(cluster.address, folder, port=None, **UNLIMITED, APPEND_SECONDS="1")
    with serving:
        yield serving


async def check_http_says_try_again(people: list[Person], game: Game, move: Message) -> None:
    """Every request that needs the database is answered 503 with a sentence, in time."""
    ann, bo = people
    stranger = Person(ann.url, "nobody-knows-this-token", ann.http)
    body = {key: move[key] for key in ("id", "prompt", "moves")}
    begun = time.monotonic()
    answers = await asyncio.gather(
        ann.get(f"/rooms/{game.code}"),
        ann.get(f"/rooms/{game.code}/view"),
        ann.get(f"/rooms/{game.code}/record"),
        ann.post(f"/rooms/{game.code}/moves", body),
        ann.post("/rooms", {"game": "lost_cities"}),
        bo.post("/players", {"name": "Cy"}),
        stranger.get(f"/rooms/{game.code}"),
    )
    for answer in answers:
        assert answer.status_code == 503, answer.text
        assert answer.json()["code"] == "try_again"
        assert answer.json()["message"]
        assert answer.headers["retry-after"]
    pages = await asyncio.gather(
        ann.http.get(f"{ann.url}/r/{game.code}", headers=ann.headers),
        ann.http.get(f"{ann.url}/r/{game.code}/log", headers=ann.headers),
        ann.http.post(f"{ann.url}/r/{game.code}/sit", data={"name": "Di"}),
        ann.http.post(f"{ann.url}/new/lost_cities", data={"name": "Di"}),
        ann.http.get(f"{ann.url}/readyz"),
    )
    for page in pages:
        assert page.status_code == 503, page.text
    assert "cannot be reached just now" in pages[0].text
    assert (await ann.http.get(f"{ann.url}/healthz")).status_code == 200
    with pytest.raises(InvalidStatus) as denied:
        async with ann.line(game.code):
            pass
    assert denied.value.response.status_code == 503
    assert time.monotonic() - begun < 3 * ANSWERED_WITHIN


# Frozen takes long: every answer comes only when its patience ends. Stopped is much like killed.
@pytest.mark.parametrize(
    "way",
    [
        "killed",
        "refusing",
        pytest.param("stopped", marks=pytest.mark.faults),
        pytest.param("frozen", marks=pytest.mark.faults),
    ],
)
async def test_the_house_bears_that_the_database_is(
    way: str, cluster: Cluster, server: Server
) -> None:
    go, come_back = WAYS[way]
    async with httpx.AsyncClient(timeout=3 * ANSWERED_WITHIN) as http:
        people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        code = await started(people, "lost_cities", {"first": 0})
        quiet = await started(people, "lost_cities", {"first": 0})
        dealing, r = await being_dealt(people)
        game = Game(people, code, Random(way))
        async with (
            game.lines() as lines,
            people[0].line(quiet) as waiting,
            people[0].line(dealing) as late,
        ):
            for _ in range(5):
                await game.step(lines)
            mover = next(line for line in lines if line.prompt)
            move, before = game.choose(mover), game.v

            await asyncio.to_thread(go, cluster)
            try:
                assert await refused(mover, move) == "try_again"
                assert await refused(mover, move) == "try_again"
                await check_http_says_try_again(people, game, move)
                await late.say({"t": "reveal", "r": r})
                assert (await late.hear_of("refused"))["code"] == "try_again"
                assert await refused(mover, move) == "try_again"
            finally:
                await asyncio.to_thread(come_back, cluster)
            await asyncio.to_thread(server.wait_ready)

            # The same sockets go on, and the same message counts once.
            v = await counted(mover, move)
            assert v == before + 1
            assert await counted(mover, move) == v
            game.v = v
            game.answered.append(move["id"])
            for line in lines:
                if line.state["v"] < v:
                    await line.hear_state(v)
            await waiting.move(waiting.prompt["legal"][0])
            await waiting.hear_state(v=1)
            # What was being dealt is dealt, though its time ran out while nothing could be written.
            if late.state["v"] < 0:
                await late.hear_state(v=0)
            while game.v < before + MOVES_AFTER:
                await game.step(lines)
        counts = await journal_ids(cluster.address, code)
        assert counts == Counter({"start": 1, **dict.fromkeys(game.answered, 1)})


async def being_dealt(people: list[Person]) -> tuple[str, str]:
    """Starts a room that waits for both parts of the shuffle; returns its code and one part."""
    r = secrets.token_bytes(32)
    promise = {"hash": hashlib.sha256(r).hexdigest()}
    code: str = (await people[0].post("/rooms", {"game": "lost_cities", **promise})).json()["code"]
    await people[1].post(f"/rooms/{code}/seats", promise)
    assert (await people[0].post(f"/rooms/{code}/start")).json()["starting"]
    return code, r.hex()


async def kill_in_the_middle(cluster: Cluster, game: Game, lines: list[Line]) -> None:
    """Lets the database die around the next move, and come back; the move counts once."""
    mover = next(line for line in lines if line.prompt)
    move = game.choose(mover)
    await mover.say(move)
    await asyncio.sleep(game.random.uniform(0, LONGEST_FUSE * game.took))
    await asyncio.to_thread(cluster.kill)
    await asyncio.to_thread(cluster.start)
    expected = game.v + 1
    assert await counted(mover, move) == expected
    game.answered.append(move["id"])
    for line in lines:
        if line.state["v"] < expected:
            await line.hear_state(expected)
    game.note(lines[0].state)
    assert game.v == expected


@pytest.mark.parametrize(
    "kills", [2, pytest.param(25, marks=pytest.mark.faults)], ids=["twice", "often"]
)
async def test_nothing_answered_is_lost_when_the_database_is_killed(
    kills: int, cluster: Cluster, server: Server
) -> None:
    """At random points of a game whose players stay connected.

    Whether the move that was on its way is there already is for the journal to say.
    """
    async with httpx.AsyncClient(timeout=20) as http:
        people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        code = await started(people, "lost_cities", {"first": 0})
        game = Game(people, code, Random(kills))
        async with game.lines() as lines:
            for _ in range(kills):
                for _ in range(game.random.randrange(2)):
                    await game.step(lines)
                await kill_in_the_middle(cluster, game, lines)
            while not game.over:
                await game.step(lines)
        counts = await journal_ids(cluster.address, code)
        assert counts == Counter({"start": 1, **dict.fromkeys(game.answered, 1)})
