"""Clients that read nothing, send slowly or vanish lose their line, and nobody else anything."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator

import httpx
import pytest

from app.config import Settings
from app.realtime import connection
from app.realtime.protocol import HTML_PROTOCOL, JSON_PROTOCOL
from app.server import create_app
from app.serving import uvicorn_config
from app.web.arriving import ArrivingProtocol
from app.web.render import Renderer
from app.web.transport import SocketProtocol
from tests.faults.peers import Peer, Wire, frame, handshake, reach
from tests.faults.script import journal_ids
from tests.realtime.conftest import SHELF, Arrive, served
from tests.realtime.people import Line, Person, started

pytestmark = pytest.mark.servers

PATIENCE = 0.6
"""Seconds that this house gives its clients for what it otherwise gives them half a minute."""
BODY = (
    b"POST /api/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b'Content-Length: 40\r\n\r\n{"name":'
)
CUT_WITHIN = 20.0
"""Seconds until a line must be cut, on a machine that does much else."""


@pytest.fixture
def ping_seconds() -> float:
    """How often this house sends a ping, and how long it waits for the answer."""
    return PATIENCE


@pytest.fixture
async def url(
    settings: Settings,
    renderer: Renderer,
    monkeypatch: pytest.MonkeyPatch,
    ping_seconds: float,
) -> AsyncIterator[str]:
    """The address of a house that waits for nobody for long."""
    monkeypatch.setattr(ArrivingProtocol, "arrive_seconds", PATIENCE)
    monkeypatch.setattr(SocketProtocol, "abort_seconds", PATIENCE)
    monkeypatch.setattr(connection, "CLOSE_SECONDS", PATIENCE)
    impatient = settings.model_copy(update={"send_seconds": PATIENCE})
    app = create_app(impatient, SHELF, renderer)
    config = uvicorn_config(app, impatient)
    config.ws_ping_interval = config.ws_ping_timeout = ping_seconds
    async with served(app, impatient, config) as address:
        yield address


async def counted(http: httpx.AsyncClient, url: str, name: str) -> int:
    """Returns what the house counts by a name, with its labels."""
    answer = await http.get(f"{url}/metrics")
    found = re.search(rf"^motherlode_{re.escape(name)} (\d+)", answer.text, re.MULTILINE)
    assert found is not None, name
    return int(found[1])


async def has_sockets(http: httpx.AsyncClient, url: str, count: int) -> None:
    """Returns once the house has so many open sockets. Raises TimeoutError."""
    async with asyncio.timeout(CUT_WITHIN):
        for pause in itertools.repeat(0.05):
            if await counted(http, url, "sockets") == count:
                return
            await asyncio.sleep(pause)


async def game(arrive: Arrive) -> tuple[str, list[Person]]:
    """Starts a game of two; returns its code and the players."""
    people = [await arrive("Ann"), await arrive("Bo")]
    return await started(people, "lost_cities", {"first": 0}), people


async def play(lines: list[Line], turns: int) -> None:
    """Plays some turns, each seen by everybody."""
    for _ in range(turns):
        mover = next(line for line in lines if line.prompt)
        v = mover.state["v"] + 1
        await mover.move(mover.prompt["legal"][0], {"kind": "draw", "from": "deck"})
        await asyncio.gather(*(line.hear_state(v) for line in lines))


@pytest.mark.parametrize(
    ("ping_seconds", "told"),
    [pytest.param(20.0, 1012, marks=pytest.mark.faults), (PATIENCE, 1011)],
)
async def test_who_reads_nothing_loses_the_line_and_the_others_play_on(
    arrive: Arrive, http: httpx.AsyncClient, url: str, settings: Settings, told: int
) -> None:
    """By what is sent and not taken, or by a ping that is not answered, whichever is sooner."""
    code, (ann, bo) = await game(arrive)
    async with reach(url, 4) as deaf, ann.line(code) as first, bo.line(code) as second:
        for peer, token in zip(deaf, (ann.token, bo.token, None, None), strict=True):
            peer.receive_little()
            await peer.send(handshake(url, code, HTML_PROTOCOL, token))
        await has_sockets(http, url, 6)
        asking = [asyncio.create_task(_ask_on(peer)) for peer in deaf]
        await play([first, second], 6)
        await has_sockets(http, url, 2)
        assert await counted(http, url, f'socket_closes_total{{code="{told}"}}') == 4
        await play([first, second], 1)
        await asyncio.gather(*asking)
        assert settings.database_url is not None
        entries = await journal_ids(settings.database_url, code)
        async with bo.line(code) as again:
            assert again.state["v"] == entries.total() - 1 > 0
            assert again.state["d"] == second.state["d"] | {"events": []}


async def _ask_on(peer: Peer) -> None:
    """Asks for the whole page again and again, without reading one, until the line is cut."""
    try:
        async with asyncio.timeout(CUT_WITHIN):
            while True:
                await peer.send(frame('{"t":"sync"}') * 20)
                await asyncio.sleep(0.01)
    except ConnectionError:
        return


@pytest.mark.parametrize(
    ("begun", "answer"),
    [
        (b"", b"408"),
        (b"GET /heal", b"408"),
        (b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ", b"408"),
        (b"\r\n\r\n", b"408"),
        (b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\r\n", b"alive"),
        (BODY, b""),
    ],
    ids=["nothing", "a method", "headers", "blank lines", "a second request", "a body"],
)
async def test_who_sends_a_request_slowly_is_turned_away(
    url: str,
    http: httpx.AsyncClient,
    caplog: pytest.LogCaptureFixture,
    begun: bytes,
    answer: bytes,
) -> None:
    async with reach(url, 20) as slow:
        dripping = [asyncio.create_task(_drip(peer, begun)) for peer in slow]
        assert (await http.get(f"{url}/readyz")).status_code == 200
        for peer in slow:
            assert answer in await peer.ended(CUT_WITHIN)
        await asyncio.gather(*dripping)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def _drip(peer: Peer, begun: bytes) -> None:
    """Sends the beginning of a request, then a byte now and then that does not end it."""
    try:
        await peer.send(begun)
        while begun and not peer.reader.at_eof():
            await asyncio.sleep(PATIENCE / 4)
            await peer.send(b"\n" if begun.endswith(b"\n") else b" ")
    except ConnectionError:
        return


async def test_a_frame_that_comes_byte_by_byte_is_read_and_one_that_never_ends_is_not_awaited(
    arrive: Arrive, http: httpx.AsyncClient, url: str
) -> None:
    code, (ann, _) = await game(arrive)
    async with reach(url, 2) as (slow, stuck):
        for peer in (slow, stuck):
            await peer.send(handshake(url, code, JSON_PROTOCOL, ann.token))
            await peer.reader.readuntil(b"\r\n\r\n")
        for byte in frame('{"t":"ping"}'):
            await slow.send(bytes((byte,)))
            await asyncio.sleep(PATIENCE / 100)
        async with asyncio.timeout(CUT_WITHIN):
            await slow.reader.readuntil(b'{"t":"pong"}')
        await stuck.send(frame('{"t":"ping"}')[:-1])
        assert b"pong" not in await stuck.ended(CUT_WITHIN)
    await has_sockets(http, url, 0)


async def test_who_vanished_without_a_word_is_away_and_comes_back_by_another_way(
    arrive: Arrive, http: httpx.AsyncClient, url: str
) -> None:
    code, (ann, bo) = await game(arrive)
    wire = Wire(url)
    async with wire.laid() as through, ann.line(code) as first:
        far = Person(through, bo.token, http)
        async with far.line(code) as lost:
            await first.hear(lambda heard: _online(heard, 1))
            wire.cut()
            await first.hear(lambda heard: heard["t"] == "state" and not _online(heard, 1))
            await has_sockets(http, url, 1)
            async with bo.line(code) as second:
                await play([first, second], 2)
            lost.socket.transport.abort()


def _online(heard: dict[str, object], seat: int) -> bool:
    content = heard.get("d")
    if not isinstance(content, dict):
        return False
    return any(person["seat"] == seat and person["online"] for person in content["room"]["people"])
