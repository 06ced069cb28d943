"""A stop in good order: moves under way are made and told, then everybody is sent to come back."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.faults.cluster import OURS, Cluster
from tests.faults.houses import UNLIMITED
from tests.realtime.people import Line, Person, person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

RESTART = 1012
PROMISED = 30.0
"""Seconds that a stop takes at most, as docs/hosting.md says."""
EVERYTHING = "rooms, room_seats, players, devices in access exclusive mode"


@pytest.fixture
async def server(shared_database_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    """A house of its own for each test."""
    with Server(shared_database_url, tmp_path, port=None, **UNLIMITED) as running:
        yield running


async def closed(line: Line) -> int | None:
    """Returns with which code the house closes a line, after all that it still says."""
    with pytest.raises(ConnectionClosed):
        await line.hear(lambda _: False)
    return line.socket.close_code


@asynccontextmanager
async def nothing_written(
    database_url: str, where: str = "journal in exclusive mode"
) -> AsyncIterator[None]:
    """Keeps every move on its way to the database waiting, or whoever else uses what is locked."""
    blocker = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        async with blocker.transaction():
            await blocker.execute(f"lock table {where}")
            yield
    finally:
        await blocker.close()


async def listed(database_url: str) -> int:
    """Returns how many processes say that they serve a database."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        return int(await connection.fetchval("select count(*) from processes"))
    finally:
        await connection.close()


async def readiness(http: httpx.AsyncClient, server: Server) -> str:
    """Returns what the house says once it is not ready any more."""
    for _ in range(200):
        answer = await http.get(f"{server.url}/readyz")
        if answer.status_code == 503:
            return answer.text
        await asyncio.sleep(0.02)
    raise AssertionError("expected the house to say that it stops")


async def test_a_move_under_way_is_made_and_told_before_the_house_goes(
    server: Server, http: httpx.AsyncClient, shared_database_url: str
) -> None:
    people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
    code = await started(people, "lost_cities", {"first": 0})
    async with people[0].line(code) as ann, people[1].line(code) as bo:
        async with nothing_written(shared_database_url):
            move_id = await ann.move(ann.prompt["legal"][0])
            assert {heard["v"] for heard in await ann.quiet(0.2)} <= {0}
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            assert await readiness(http, server) == "stopping\n"
            await bo.say({"t": "do", "id": "late", "what": "concede"})
        told = await ann.hear_state(v=1)
        assert told["ack"] == move_id
        await bo.hear_state(v=1)
        assert [await closed(ann), await closed(bo)] == [RESTART, RESTART]
        assert not [heard for heard in bo.heard if heard["t"] == "refused"]
    assert await asyncio.to_thread(server.wait) == 0
    assert await listed(shared_database_url) == 0
    await asyncio.to_thread(server.start)
    async with people[1].line(code) as bo:
        assert bo.state["v"] == 1
        await bo.say({"t": "do", "id": "late", "what": "concede"})
        assert (await bo.hear_state(v=2))["ack"] == "late"


@pytest.mark.faults
async def test_a_stop_does_not_wait_for_a_database_or_for_who_reads_nothing(
    server: Server, http: httpx.AsyncClient, shared_database_url: str
) -> None:
    people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
    code = await started(people, "lost_cities", {"first": 0})
    async with people[0].line(code) as ann, people[1].line(code) as bo:
        async with nothing_written(shared_database_url):
            await ann.move(ann.prompt["legal"][0])
            bo.socket.transport.pause_reading()
            assert await asyncio.to_thread(server.stop) == 0
        bo.socket.transport.abort()
        assert await closed(ann) == RESTART


async def _ask(people: list[Person], times: int) -> None:
    """Asks for new rooms, new players and old devices side by side, whatever is answered."""
    room = {"game": "lost_cities", "seats": 2, "options": {}}
    asking = []
    for one in people * times:
        asking += [one.post("/rooms", room), one.post("/players", {"name": "Cy"})]
        asking += [one.get("/devices"), one.get("/games")]
    await asyncio.gather(*asking, return_exceptions=True)


@pytest.mark.faults
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
async def test_a_stop_does_not_wait_for_a_database_that_hangs(
    cluster: Cluster, tmp_path: Path, busy: bool
) -> None:
    """Not for the answers that are under way, and not for each connection to be closed."""
    with Server(cluster.address, tmp_path, port=None, **UNLIMITED) as server:
        async with httpx.AsyncClient(timeout=60) as http:
            people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
            code = await started(people, "lost_cities", {"first": 0})
            async with people[0].line(code) as ann, people[1].line(code) as bo:
                async with nothing_written(cluster.address, EVERYTHING):
                    asking = asyncio.create_task(_ask(people, 10))
                    await asyncio.sleep(1)
                await asking
                ((connections,),) = await asyncio.to_thread(
                    cluster.command, f"select count(*) from pg_stat_activity where {OURS}"
                )
                assert connections > 10, "those of both pools are to be closed"
                await asyncio.to_thread(cluster.freeze)
                try:
                    if busy:
                        await ann.move(ann.prompt["legal"][0])
                    asking = asyncio.create_task(_ask(people, 2 * busy))
                    await asyncio.sleep(0.2)
                    assert server.process is not None
                    server.process.send_signal(signal.SIGTERM)
                    begun = time.monotonic()
                    assert await asyncio.to_thread(server.wait, 3 * PROMISED) == 0
                    took = time.monotonic() - begun
                finally:
                    await asyncio.to_thread(cluster.thaw)
                await asking
                assert took < PROMISED
                assert [await closed(ann), await closed(bo)] == [RESTART, RESTART]
