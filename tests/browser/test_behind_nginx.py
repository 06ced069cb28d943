"""Behind nginx, pages go on at another process when theirs dies."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect
from sqlalchemy.engine import URL

from tests.browser.conftest import Meet
from tests.browser.tables import running
from tests.browser.test_reconnect import OFFLINE
from tests.faults.nginx import LEFT_OUT, Nginx, ready
from tests.faults.processes import Processes, side_by_side
from tests.servers import Server

NOTE_WIRE = """() => {
    window.sameAsBefore = true;
    window.told = [];
    const root = document.documentElement;
    const note = () => window.told.push(root.dataset.wire);
    new MutationObserver(note).observe(root, { attributeFilter: ["data-wire"] });
}"""
"""Notes what becomes of the page's line, which takes less time than a test does to look."""


@pytest.fixture
def processes(database_url: URL, tmp_path: Path) -> Iterator[Processes]:
    """Two processes of one house."""
    with side_by_side(database_url.render_as_string(hide_password=False), tmp_path, 2) as two:
        yield two


@pytest.fixture
def nginx(processes: Processes) -> Iterator[Nginx]:
    """The ready configuration before them."""
    with ready([server.port for server in processes.servers]) as before:
        yield before


@pytest.fixture
def server(processes: Processes) -> Server:
    """One of them."""
    return processes.servers[0]


@pytest.mark.faults
async def test_pages_lose_their_line_for_a_moment_and_go_on(
    meet: Meet, nginx: Nginx, processes: Processes
) -> None:
    ann, bo = [await meet(name, url=nginx.url) for name in ("Ann", "Bo")]
    table = await running(ann, bo)
    for person in (ann, bo):
        person.troubles.expect(*OFFLINE)
        await person.evaluate(NOTE_WIRE)
    await ann.takes_turn()
    await bo.ask.wait_for()
    async with httpx.AsyncClient() as http:
        there = (await http.get(table.link)).headers["X-House"].rpartition(":")[2]
    # Where the room is first; pages that went to the other stay there, until that one dies.
    for victim in sorted(processes.servers, key=lambda each: each.port != int(there)):
        before = await table.v()
        await asyncio.to_thread(victim.kill)
        await bo.takes_turn()
        await ann.takes_turn()
        await bo.ask.wait_for()
        assert await table.v() == before + 4, "each move counted once"
        for person in (ann, bo):
            await expect(person.page.locator("#wire")).to_be_hidden()
            told = await person.evaluate("told")
            assert (told[0], told[-1]) == ("offline", "online")
            assert await person.evaluate("sameAsBefore") is True, "no reload"
            await person.evaluate("() => { told.length = 0 }")
        await asyncio.to_thread(processes.start)
        await asyncio.sleep(LEFT_OUT + 1)
