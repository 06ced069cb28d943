"""The database hangs or dies under a house as it comes: nobody waits for long, and no line is lost.

A page asks whether its line is alive where a message has no answer for a while, and is told nothing
before that message is answered: so it must be, while the page still has patience.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from random import Random

import httpx
import pytest

from app.direct import MOST_LINKS, REST_SECONDS
from tests.faults.cluster import Cluster
from tests.faults.houses import UNLIMITED
from tests.faults.outages import ANSWERED_WITHIN, counted, refused
from tests.faults.script import Game
from tests.realtime.people import Person, person, started
from tests.servers import ROOT, Server

pytestmark = [pytest.mark.servers, pytest.mark.faults]

WIRE = (ROOT / "static" / "wire.js").read_text(encoding="utf-8")
WAYS = {
    "killed": (Cluster.kill, Cluster.start),
    "frozen": (Cluster.freeze, Cluster.thaw),
}


def patience() -> float:
    """Returns after how many seconds without any answer a page takes its line for dead."""
    found = dict(re.findall(r"^const (\w+) = ([\d_]+);", WIRE, re.MULTILINE))
    return (int(found["ANSWER"]) + int(found["CHECK"])) / 1000


@pytest.fixture(scope="module")
def server(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house of a host who set nothing but limits."""
    folder = tmp_path_factory.mktemp("house")
    with Server(cluster.address, folder, port=None, **UNLIMITED) as serving:
        yield serving


async def seconds_of(ann: Person, path: str) -> float:
    """Asks for a page, which says that it cannot be shown; returns how long that took."""
    begun = time.monotonic()
    page = await ann.http.get(ann.url + path, headers=ann.headers)
    assert page.status_code == 503, page.text
    return time.monotonic() - begun


@pytest.mark.parametrize("way", WAYS)
async def test_a_move_is_answered_while_its_page_still_trusts_the_line(
    way: str, cluster: Cluster, server: Server
) -> None:
    go, come_back = WAYS[way]
    async with httpx.AsyncClient(timeout=60) as http:
        people = [await person(server.url, http, name) for name in ("Ann", "Bo")]
        game = Game(people, await started(people, "lost_cities", {"first": 0}), Random(way))
        async with game.lines() as lines:
            await game.step(lines)
            mover = next(line for line in lines if line.prompt)
            move = game.choose(mover)
            # Many connections that rest: to try all of them would take a minute.
            log = f"{server.url}/r/{game.code}/log"
            headers = people[0].headers
            await asyncio.gather(*(http.get(log, headers=headers) for _ in range(3 * MOST_LINKS)))
            await asyncio.sleep(2 * REST_SECONDS)
            await asyncio.to_thread(go, cluster)
            try:
                begun = time.monotonic()
                assert await refused(mover, move) == "try_again"
                assert time.monotonic() - begun < patience()
                for path in (f"/r/{game.code}/log", f"/r/{game.code}", "/games"):
                    assert await seconds_of(people[0], path) < ANSWERED_WITHIN
            finally:
                await asyncio.to_thread(come_back, cluster)
            game.v = await counted(mover, move)
            for line in lines:
                if line.state["v"] < game.v:
                    await line.hear_state(game.v)
            await game.step(lines)
