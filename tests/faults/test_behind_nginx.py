"""What the repository offers for nginx does what is said of it: the real one, real houses."""

from __future__ import annotations

import asyncio
import signal
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from app.config import Settings
from app.server import create_app
from app.web.render import Renderer
from tests.databases import Databases
from tests.faults.browsers import browsers
from tests.faults.nginx import LEFT_OUT, Nginx, ready, sample
from tests.faults.processes import Processes, side_by_side
from tests.faults.script import CUT, Game, journal_ids, reopened
from tests.realtime.conftest import SHELF, Arrive, served
from tests.realtime.people import Person, person, started

pytestmark = pytest.mark.servers

PATIENCE = 2
"""Seconds that nginx waits for a word of a house, where a test does not want to wait for long."""
TRIES = 3
"""Codes that an address may try in a minute."""
ROOM = {"game": "splendor", "seats": 3, "options": {}}


@pytest.fixture(scope="module")
def processes(
    shared_database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Processes]:
    """Two processes of one house."""
    folder = tmp_path_factory.mktemp("behind_nginx")
    with side_by_side(shared_database_url, folder, 2, CODES_PER_MINUTE=str(TRIES)) as two:
        yield two


def before(processes: Processes, *, patience: int | None = None, outer: bool = False) -> Nginx:
    """Returns an nginx before both of them."""
    ports = [server.port for server in processes.servers]
    return ready(ports, patience=patience, outer=outer)


@pytest.fixture(scope="module")
def nginx(processes: Processes) -> Iterator[Nginx]:
    """The ready configuration before both of them."""
    with before(processes) as running:
        yield running


@pytest.fixture
def url(processes: Processes, nginx: Nginx) -> str:
    """The address where people arrive."""
    processes.start()
    return nginx.url


def asked(answer: httpx.Response) -> list[int]:
    """Returns the ports of the processes that a request was sent to, one after the other."""
    return [int(house.rpartition(":")[2]) for house in answer.headers["X-House"].split(", ")]


async def opened(host: Person) -> str:
    """Opens a room and returns its code."""
    code: str = (await host.post("/rooms", ROOM)).json()["code"]
    return code


def test_nginx_understands_them(tmp_path: Path) -> None:
    for outer in (False, True):
        ready((8001, 8002), outer=outer).check()
    sample(8001, tmp_path)[0].check()


@asynccontextmanager
async def house(
    databases: Databases, settings: Settings, renderer: Renderer, beat: float
) -> AsyncIterator[int]:
    """Runs a house in this process that says something on a quiet socket so often."""
    async with databases.lent() as database:
        text = database.render_as_string(hide_password=False)
        own = settings.model_copy(update={"beat_seconds": beat, "database_url": text})
        async with served(create_app(own, SHELF, renderer), own) as address:
            yield int(address.rpartition(":")[2])


async def stays(url: str, http: httpx.AsyncClient, seconds: float, **more: Any) -> bool:
    """Opens a socket and says nothing for so long; tells whether a move still goes over it then."""
    people = [await person(url, http, name) for name in ("Ann", "Bo")]
    code = await started(people, "lost_cities", {"first": 0})
    async with people[0].line(code, ping_interval=None, **more) as line:
        try:
            await line.quiet(seconds)
        except ConnectionClosed:
            return False
        await line.move(line.prompt["legal"][0])
        await line.hear_state(line.state["v"] + 1)
        return True


async def test_a_quiet_socket_lives_by_the_beats_of_the_house(
    databases: Databases, settings: Settings, renderer: Renderer, http: httpx.AsyncClient
) -> None:
    async with (
        house(databases, settings, renderer, beat=PATIENCE / 6) as lively,
        house(databases, settings, renderer, beat=600) as quiet,
    ):
        with (
            ready((lively, lively), patience=PATIENCE) as first,
            ready((quiet, quiet), patience=PATIENCE) as second,
        ):
            lives = [stays(each.url, http, PATIENCE * 1.7) for each in (first, second)]
            assert await asyncio.gather(*lives) == [True, False]


def trusting() -> ssl.SSLContext:
    """Returns how to speak TLS with whoever says to be the one."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def test_the_sample_of_the_guide_hands_on_pages_and_sockets_over_tls(
    url: str, processes: Processes, tmp_path: Path
) -> None:
    context = trusting()
    nginx, plain = sample(processes.servers[0].port, tmp_path)
    with nginx:
        async with browsers(nginx.url, 1, verify=context) as (ann,):
            sent = await ann.http.get(f"{plain}/r/any", headers={"Host": "games.example.org"})
            assert sent.status_code == 301
            assert sent.headers["Location"] == "https://games.example.org/r/any"
            made = await ann.form("/new/lost_cities", name="Ann")
            assert "secure" in made.headers["Set-Cookie"].lower()
            code = made.headers["Location"].rpartition("/")[2]
            host = Person(nginx.url, ann.token, ann.http)
            async with host.line(code, ssl=context) as line:
                assert line.state["d"]["room"]["you"] == 0


async def test_all_of_a_room_comes_to_one_process(
    processes: Processes, arrive: Arrive, http: httpx.AsyncClient
) -> None:
    ann, bo = [await arrive(name) for name in ("Ann", "Bo")]
    used: set[int] = set()
    for number in range(40):
        code = f"no-such-room-{number}"
        answers = [
            await http.get(f"{ann.url}{path}", headers={"Accept": "text/html"})
            for path in (f"/r/{code}", f"/api/rooms/{code}/view", f"/rooms/{code}/socket")
        ]
        (one,) = {tuple(asked(answer)) for answer in answers}
        used |= set(one)
    assert used == {server.port for server in processes.servers}
    for _ in range(3):
        code = await opened(ann)
        houses = {asked(await each.post(f"/rooms/{code}/seats"))[0] for each in (ann, bo)}
        async with ann.line(code) as first, bo.line(code) as second:
            for line in (first, second):
                assert line.socket.response is not None
                houses.add(int(line.socket.response.headers["X-House"].rpartition(":")[2]))
        assert len(houses) == 1


async def test_a_form_that_is_sent_twice_is_recognised(
    url: str, processes: Processes, arrive: Arrive
) -> None:
    host = await arrive("Ann")

    async def sent_twice(places: tuple[str, str], key: str) -> int:
        """Sits down by one form at two places; returns how many sit at the table then."""
        code = await opened(host)
        async with browsers(url, 2) as both:
            for browser, place in zip(both, places, strict=True):
                browser.url = place
            forms = [each.form(f"/r/{code}/sit", name="Bo", once=key) for each in both]
            assert [each.status_code for each in await asyncio.gather(*forms)] == [303, 303]
        room = (await host.get(f"/rooms/{code}/view")).json()["room"]
        return len(room["people"])

    assert await sent_twice((url, url), "a" * 24) == 2
    first, second = processes.servers
    assert await sent_twice((first.url, second.url), "b" * 24) == 3, "which a process cannot know"
    async with browsers(url, 2) as both:
        forms = [each.form("/new/lost_cities", name="Cy", once="c" * 24) for each in both]
        made = {answer.headers["Location"] for answer in await asyncio.gather(*forms)}
        assert len(made) == 1


async def tried(http: httpx.AsyncClient, url: str, number: int, **headers: str) -> httpx.Response:
    """Tries a code for a device, as a guest who says to have come from an address of their own."""
    headers = {"X-Forwarded-For": f"198.51.100.{number}", **headers}
    return await http.post(f"{url}/api/devices", json={"code": "ABCD-EFGH"}, headers=headers)


def secure(answer: httpx.Response) -> bool:
    """Whether the cookie that came is for https alone."""
    return "secure" in answer.headers["Set-Cookie"].lower()


LIES: Mapping[str, str] = {
    "X-Forwarded-Proto": "https",
    "X-Real-IP": "198.51.100.9",
    "Forwarded": "for=198.51.100.9;proto=https",
}


async def test_a_stranger_chooses_neither_address_nor_scheme(
    url: str, processes: Processes, http: httpx.AsyncClient
) -> None:
    limit = TRIES + 2
    through = [(await tried(http, url, number, **LIES)).status_code for number in range(limit)]
    assert through[-2:] == [429, 429]
    assert 429 not in through[:TRIES]
    # By a proxy that hands on what it is told they would: it speaks from this machine, too.
    straight = [await tried(http, processes.servers[0].url, number) for number in range(limit)]
    assert 429 not in {answer.status_code for answer in straight}
    async with browsers(url, 1) as (ann,):
        ann.http.headers.update(LIES)
        assert not secure(await ann.form("/new/lost_cities", name="Ann"))


async def test_behind_another_proxy_its_word_counts(
    url: str, processes: Processes, http: httpx.AsyncClient
) -> None:
    with before(processes, outer=True) as nginx:
        answers = [await tried(http, nginx.url, number) for number in range(TRIES + 2)]
        assert 429 not in {answer.status_code for answer in answers}
        async with browsers(nginx.url, 1) as (ann,):
            ann.http.headers["X-Forwarded-Proto"] = "https"
            assert secure(await ann.form("/new/lost_cities", name="Ann"))

        async def dealt(address: str) -> int:
            answer = await http.get(f"{nginx.url}/healthz", headers={"X-Forwarded-For": address})
            (one,) = asked(answer)
            return one

        # As the house counts them: what one household has comes to one process.
        for net in range(20):
            ends = (f"2001:db8:{net}::1", f"2001:db8:{net}::a:b", f"2001:db8:{net}:0:8:7:6:5")
            assert len({await dealt(end) for end in ends}) == 1
        for many in ("2001:db8:0:{}::1", "203.0.113.{}", "::ffff:203.0.113.{}"):
            used = {await dealt(many.format(number)) for number in range(50)}
            assert used == {server.port for server in processes.servers}


async def dies(processes: Processes, game: Game) -> None:
    """Kills the process that has the room while a move is on its way; it goes on at the other."""
    ports = [server.port for server in processes.servers]
    (there,) = asked(await game.people[0].get(f"/rooms/{game.code}/view"))
    victim = processes.servers[ports.index(there)]
    try:
        async with game.lines() as lines:
            await asyncio.gather(game.step(lines), asyncio.to_thread(victim.kill))
    except CUT:
        pass
    await asyncio.to_thread(victim.kill)
    async with asyncio.timeout(5):
        shown = [await reopened(each, game.code) for each in game.people]
    # What the dead one had sent to the database may still be written between the two looks.
    assert game.v <= shown[0]["v"] <= shown[1]["v"]
    if game.sent is not None:
        async with game.lines() as lines:
            await game.deliver(lines)
    last = asked(await game.people[0].get(f"/rooms/{game.code}/view"))[-1]
    assert last != there
    await plays(game, 4)


async def plays(game: Game, moves: int) -> None:
    """Plays some moves."""
    async with game.lines() as lines:
        for _ in range(moves):
            if not game.over:
                await game.step(lines)


async def test_a_process_dies_and_its_players_go_on_at_the_other(
    processes: Processes, arrive: Arrive, shared_database_url: str
) -> None:
    people = [await arrive(name) for name in ("Ann", "Bo")]
    game = Game(people, await started(people, "lost_cities", {"first": 0}), Random(1))
    await plays(game, 3)
    await dies(processes, game)
    ids = await journal_ids(shared_database_url, game.code)
    assert {ids[move] for move in game.answered} == {1}


@pytest.mark.faults
async def test_a_whole_game_while_processes_die_behind_nginx(
    processes: Processes, arrive: Arrive, shared_database_url: str
) -> None:
    people = [await arrive(name) for name in ("Ann", "Bo")]
    code = await started(people, "lost_cities", {"first": 0})
    game = Game(people, code, Random(200))
    for _ in range(5):
        await plays(game, 4)
        if game.over:
            break
        await dies(processes, game)
        await asyncio.to_thread(processes.start)
        await asyncio.sleep(LEFT_OUT + 1)
    while not game.over:
        await plays(game, 10)
    ids = await journal_ids(shared_database_url, game.code)
    assert {ids[move] for move in game.answered} == {1}
    assert set(ids.values()) == {1}


@pytest.mark.faults
async def test_only_what_changes_nothing_is_asked_again(
    processes: Processes, arrive: Arrive
) -> None:
    """A process takes what it is sent and answers nothing."""
    ann, bo = [await arrive(name) for name in ("Ann", "Bo")]
    code = await started([ann, bo], "lost_cities", {"first": 0})
    with before(processes, patience=PATIENCE) as nginx:
        ann = replace(ann, url=nginx.url)
        shown = await ann.get(f"/rooms/{code}/view")
        (there,) = asked(shown)
        prompt = shown.json()["prompt"]
        body = {"id": "once", "prompt": prompt["n"], "moves": [prompt["legal"][0]]}
        (frozen,) = [each.process for each in processes.servers if each.port == there]
        assert frozen is not None
        frozen.send_signal(signal.SIGSTOP)
        try:
            posted = await ann.post(f"/rooms/{code}/moves", body)
            looked = await ann.get(f"/rooms/{code}/view")
        finally:
            frozen.send_signal(signal.SIGCONT)
        assert (posted.status_code, asked(posted)) == (504, [there])
        assert looked.status_code == 200
        assert asked(looked)[0] == there != asked(looked)[-1]
        again = await ann.post(f"/rooms/{code}/moves", body)
        assert again.status_code == 200, "by its id it counts once, whether it had come or not"


@pytest.mark.faults
async def test_with_nothing_lowered_a_quiet_socket_stays(
    url: str, processes: Processes, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    """90 seconds in the ready configuration, and nginx's own 60 in the sample."""
    guide, _ = sample(processes.servers[0].port, tmp_path)
    context = trusting()
    with guide:
        async with httpx.AsyncClient(verify=context, timeout=10) as secured:
            lives = [stays(url, http, 100), stays(guide.url, secured, 100, ssl=context)]
            assert await asyncio.gather(*lives) == [True, True]
