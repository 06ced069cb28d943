"""Crowds that come, look, and hang up without a word leave nothing behind."""

from __future__ import annotations

import asyncio
import itertools
import resource
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest

from app.direct import MOST_LINKS
from app.realtime.protocol import HTML_PROTOCOL
from tests.faults.houses import UNLIMITED
from tests.faults.peers import handshake, reach
from tests.realtime.people import Person, person
from tests.servers import Server

pytestmark = pytest.mark.servers

ROOMS = 20
AT_ONCE = 20
"""Pages that are asked for at the same time."""
KEPT = MOST_LINKS + 5
"""Connections to the database that a crowd leaves open, at most: the short way's and the pool's."""


@pytest.fixture
async def server(shared_database_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    """A house of its own, with room for many files on both sides."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    with Server(shared_database_url, tmp_path, port=None, **UNLIMITED) as running:
        yield running
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@dataclass
class Kept:
    """What a house has in hand when nobody is there."""

    files: int
    memory: int


def kept(server: Server) -> Kept:
    """Returns what the process holds now."""
    assert server.process is not None
    process = psutil.Process(server.process.pid)
    return Kept(process.num_fds(), process.memory_info().rss)


async def opened(host: Person) -> str:
    """Opens a room and returns its code."""
    code: str = (await host.post("/rooms", {"game": "lost_cities"})).json()["code"]
    return code


async def look(url: str, codes: list[str], pages: int) -> None:
    """Has browsers without a name open invite pages."""
    waiting = iter(itertools.islice(itertools.cycle(codes), pages))

    async def one(http: httpx.AsyncClient) -> None:
        for code in waiting:
            page = await http.get(f"{url}/r/{code}")
            assert page.status_code == 200
            assert "set-cookie" not in page.headers

    async with httpx.AsyncClient(timeout=30) as http:
        await asyncio.gather(*(one(http) for _ in range(AT_ONCE)))


async def hang_up(url: str, codes: list[str], sockets: int) -> None:
    """Opens sockets in the rooms and resets all of them at once."""
    async with reach(url, sockets) as peers:
        for peer, code in zip(peers, itertools.cycle(codes), strict=False):
            await peer.send(handshake(url, code, HTML_PROTOCOL))
        for peer in peers:
            async with asyncio.timeout(30):
                assert b"101" in await peer.reader.readuntil(b"\r\n\r\n")


async def settled(http: httpx.AsyncClient, server: Server, files: int) -> Kept:
    """Returns what the house holds once it has let go of everybody, with that many files at most.

    Raises TimeoutError if it does not come to that.
    """
    async with asyncio.timeout(30):
        for pause in itertools.repeat(0.2):
            counts = (await http.get(f"{server.url}/metrics")).text
            now = kept(server)
            if "\nmotherlode_sockets 0.0\n" in counts and now.files <= files:
                return now
            await asyncio.sleep(pause)
    raise AssertionError("unreachable")


@pytest.mark.parametrize(
    ("pages", "sockets"),
    [
        pytest.param(100, 60, id="few"),
        pytest.param(5_000, 1_000, id="many", marks=pytest.mark.faults),
    ],
)
async def test_looking_at_invites_and_hanging_up_hard_leaves_nothing_behind(
    server: Server, http: httpx.AsyncClient, pages: int, sockets: int
) -> None:
    host = await person(server.url, http, "Ann")
    codes = [await opened(host) for _ in range(ROOMS)]
    await look(server.url, codes, AT_ONCE)
    files = kept(server).files
    # The first crowd makes what stays for good: connections to the database, caches.
    await look(server.url, codes, pages)
    await hang_up(server.url, codes, sockets)
    before = await settled(http, server, files + KEPT)
    await look(server.url, codes, pages)
    await hang_up(server.url, codes, sockets)
    after = await settled(http, server, before.files)
    assert after.memory <= before.memory * 1.05
    room = (await host.get(f"/rooms/{codes[0]}")).json()
    assert [each["name"] for each in room["people"]] == ["Ann"]
