"""Several processes serve one database, players of one room on different ones; any may die."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.faults.bus_server import BusServer
from tests.faults.processes import Processes
from tests.faults.script import CUT, Game, journal_ids, reopened
from tests.realtime.conftest import Arrive
from tests.realtime.people import Message, Person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

QUICK_MOVES = 12
TAKEN_UP = 40.0
"""Seconds within which others do what a process left undone, on a busy machine."""


@pytest.fixture(scope="module")
def bus_server() -> Iterator[BusServer]:
    """A NATS server."""
    server = BusServer().start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def processes(
    shared_database_url: str, bus_server: BusServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Processes]:
    """Three processes of one house."""
    folder = tmp_path_factory.mktemp("processes")
    three = Processes(shared_database_url, bus_server, folder, 3, REVEAL_SECONDS="2")
    try:
        yield three.start()
    finally:
        three.stop()


@pytest.fixture
def url(processes: Processes) -> str:
    """The address of the process where people arrive."""
    return processes.start().servers[2].url


async def apart(processes: Processes, arrive: Arrive, seed: int) -> Game:
    """Starts a game whose players have different processes; the room was made on a third one."""
    people = [await arrive(name) for name in ("Ann", "Bo")]
    code = await started(people, "lost_cities", {"first": 0})
    placed = [processes.at(number, one) for number, one in enumerate(people)]
    return Game(placed, code, Random(seed))


async def view(person: Person, code: str) -> Message:
    """Returns what the API shows now."""
    shown: Message = (await person.get(f"/rooms/{code}/view")).json()
    return shown


async def play(processes: Processes, game: Game, moves: int) -> None:
    """Plays some moves, each seen by both players at once and by whoever asks the third process."""
    elsewhere = processes.at(2, game.people[0])
    async with game.lines() as lines:
        for _ in range(moves):
            if game.over:
                return
            await game.step(lines)
            assert (await view(elsewhere, game.code))["v"] == game.v


async def test_a_room_on_several_processes(processes: Processes, arrive: Arrive) -> None:
    game = await apart(processes, arrive, 1)
    await play(processes, game, QUICK_MOVES)
    shown = [await view(processes.at(number, game.people[0]), game.code) for number in range(3)]
    # Who has left is told to the others a moment later.
    for part in ("v", "view", "prompt", "due"):
        assert shown[0][part] == shown[1][part] == shown[2][part]


async def test_a_post_on_one_is_seen_by_a_get_on_another(
    processes: Processes, arrive: Arrive
) -> None:
    game = await apart(processes, arrive, 2)
    for number in range(8):
        places = [
            processes.at((number + step) % 3, game.people[number // 2 % 2]) for step in (0, 1)
        ]
        before = await view(places[1], game.code)
        prompt = before["prompt"]
        moves = [prompt["legal"][-1]]
        body = {"id": f"p{number}", "prompt": prompt["n"], "moves": moves}
        (await places[0].post(f"/rooms/{game.code}/moves", body)).raise_for_status()
        after = await view(places[1], game.code)
        assert after["v"] == before["v"] + 1


async def test_one_of_many_answers_to_a_question_counts(
    processes: Processes, arrive: Arrive, shared_database_url: str
) -> None:
    game = await apart(processes, arrive, 3)
    places = [processes.at(number % 3, game.people[0]) for number in range(9)]
    prompt = (await view(places[0], game.code))["prompt"]
    await asyncio.gather(*(view(each, game.code) for each in places))

    def body(move_id: str) -> Message:
        return {"id": move_id, "prompt": prompt["n"], "moves": [prompt["legal"][0]]}

    path = f"/rooms/{game.code}/moves"
    answers = await asyncio.gather(
        *(each.post(path, body(f"m{number}")) for number, each in enumerate(places))
    )
    assert Counter(each.status_code for each in answers) == {200: 1, 409: 8}
    (won,) = [number for number, each in enumerate(answers) if each.status_code == 200]
    again = await asyncio.gather(*(each.post(path, body(f"m{won}")) for each in places))
    assert {each.status_code for each in again} == {200}
    assert sum((await journal_ids(shared_database_url, game.code)).values()) == 2


async def test_the_switch_for_watchers_holds_on_every_process(
    processes: Processes, arrive: Arrive
) -> None:
    game = await apart(processes, arrive, 4)
    host, watcher = game.people[0], processes.at(1, await arrive("Cy"))
    async with watcher.line(game.code) as line:
        (await host.post(f"/rooms/{game.code}/watching", {"watching": False})).raise_for_status()
        refused = await watcher.get(f"/rooms/{game.code}/view")
        assert (refused.status_code, refused.json()["code"]) == (403, "not_watching")
        async with asyncio.timeout(10):
            await line.socket.wait_closed()
        assert line.socket.close_code == 4003


async def kill_and_move(processes: Processes, game: Game, number: int) -> None:
    """Kills a process while a move of its player is on the way; he goes on at another one."""
    victim, other = processes.servers[number], (number + 1) % 3
    try:
        async with game.lines() as lines:
            while not lines[number].prompt:
                await game.step(lines)
            await asyncio.gather(game.step(lines), asyncio.to_thread(victim.kill))
    except CUT:
        pass
    await asyncio.to_thread(victim.kill)
    game.people[number] = processes.at(other, game.people[number])
    shown = [await reopened(each, game.code) for each in game.people]
    # What the dead one had sent to the database may still be written between the two looks, and
    # another process hears of it by comparing, within five seconds.
    assert min(look["v"] for look in shown) >= game.v
    if game.sent is not None:
        async with game.lines() as lines:
            await game.deliver(lines)


async def test_a_process_dies_and_its_player_goes_on_at_another(
    processes: Processes, arrive: Arrive, shared_database_url: str
) -> None:
    game = await apart(processes, arrive, 5)
    await play(processes, game, 3)
    await kill_and_move(processes, game, 0)
    async with game.lines() as lines:
        for _ in range(4):
            await game.step(lines)
    ids = await journal_ids(shared_database_url, game.code)
    assert {ids[move] for move in game.answered} == {1}


@pytest.mark.faults
def test_without_a_bus_nobody_comes_beside_them(
    processes: Processes, shared_database_url: str, tmp_path: Path
) -> None:
    alone = Server(shared_database_url, tmp_path).start(ready=False)
    assert alone.wait() != 0
    assert "set NATS_URL" in alone.output()
    assert "Traceback" not in alone.output()


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(3))
async def test_whole_games_while_processes_die(
    processes: Processes, arrive: Arrive, shared_database_url: str, seed: int
) -> None:
    game = await apart(processes, arrive, 100 + seed)
    for number in (0, 1) * 3:
        await play(processes, game, 4)
        if game.over:
            break
        await kill_and_move(processes, game, number)
        await asyncio.to_thread(processes.start)
        game.people[number] = processes.at(number, game.people[number])
    while not game.over:
        await play(processes, game, 10)
    ids = await journal_ids(shared_database_url, game.code)
    assert {ids[move] for move in game.answered} == {1}
    assert set(ids.values()) == {1}


@pytest.mark.parametrize(
    "comes",
    [True, pytest.param(False, marks=pytest.mark.faults)],
    ids=["one that comes", "those that are there"],
)
async def test_what_a_process_began_is_done_by_others(
    processes: Processes, arrive: Arrive, comes: bool
) -> None:
    """It dies between the start and the deal, so that nobody has a timer for it."""
    shares = [hashlib.sha256(name).digest() for name in (b"one", b"two")]
    hashes = [hashlib.sha256(share).hexdigest() for share in shares]
    ann, bo = [processes.at(0, await arrive(name)) for name in ("Ann", "Bo")]
    room = {"game": "lost_cities", "seats": 2, "options": {"first": 0}}
    code = (await ann.post("/rooms", room)).json()["code"]
    for one, promised in zip((ann, bo), hashes, strict=True):
        (await one.post(f"/rooms/{code}/seats", {"hash": promised})).raise_for_status()
    assert (await ann.post(f"/rooms/{code}/start")).json()["starting"]
    processes.servers[0].kill()
    if comes:
        await asyncio.to_thread(processes.start)
    other = replace(ann, url=processes.servers[1].url)
    deadline = time.monotonic() + TAKEN_UP
    while (await view(other, code))["view"] is None:
        assert time.monotonic() < deadline, "nobody dealt"
        await asyncio.sleep(0.5)


@pytest.mark.faults
async def test_processes_stop_one_after_the_other_without_a_word(
    processes: Processes, arrive: Arrive
) -> None:
    """As in an update of a house: its players connect to those that are there."""
    game = await apart(processes, arrive, 9)
    for number in (0, 1, 2):
        async with game.lines() as lines:
            await game.step(lines)
        server = processes.servers[number]
        assert await asyncio.to_thread(server.stop) == 0
        with pytest.raises(httpx.TransportError):
            await processes.at(number, game.people[0]).get("/rooms")
        places = [(number + 1) % 3, (number + 2) % 3]
        game.people = [
            processes.at(place, one) for place, one in zip(places, game.people, strict=True)
        ]
        async with game.lines() as lines:
            await game.step(lines)
        await asyncio.to_thread(server.start)
