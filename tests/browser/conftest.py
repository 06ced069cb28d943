"""One Chromium and one server for all browser tests; a context of its own for each person."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, async_playwright
from sqlalchemy.engine import URL

from tests.browser.person import HOUSE_NAME, Person
from tests.browser.remote import Remote
from tests.databases import Databases
from tests.faults.houses import UNLIMITED
from tests.servers import Server

_SHELL = "chromium-headless-shell"
"""It has no window that would be drawn for nobody: a page costs it a sixth."""
_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-proxy-server",
    f"--host-resolver-rules=MAP {HOUSE_NAME} 127.0.0.1",
]
Meet = Callable[..., Awaitable[Person]]
"""`await meet("Ann")`: a person with a browser context of their own; options are Playwright's."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder need Chromium."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@asynccontextmanager
async def chromium_running(*, whole: bool = False) -> AsyncIterator[Browser]:
    """Starts the system's Chromium: its headless shell where there is one, unless `whole`."""
    names = _CHROMIUMS if whole else (_SHELL, *_CHROMIUMS)
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, f"expected Chromium on the path, as one of {', '.join(names)}"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=_ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def shell() -> AsyncIterator[Browser]:
    """The browser of this run."""
    async with chromium_running() as browser:
        yield browser


@pytest.fixture(scope="session")
async def whole_chromium() -> AsyncIterator[Browser]:
    """A browser that can also notify, which the headless shell refuses."""
    async with chromium_running(whole=True) as browser:
        yield browser


@pytest.fixture
def chromium(request: pytest.FixtureRequest) -> Browser:
    """The browser of the test's people: the whole one if it asked for that."""
    whole = "whole_chromium" in request.fixturenames
    browser: Browser = request.getfixturevalue("whole_chromium" if whole else "shell")
    return browser


@pytest.fixture(scope="session")
async def house(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Server]:
    """A running server for all tests that leave it alive; each test has rooms of its own."""
    async with databases.lent() as url:
        with Server(_text(url), tmp_path_factory.mktemp("house"), port=None, **UNLIMITED) as server:
            yield server


@pytest.fixture
def own_house(database_url: URL, tmp_path: Path) -> Iterator[Server]:
    """A running server that the test may kill."""
    with Server(_text(database_url), tmp_path / "house", port=None, **UNLIMITED) as server:
        yield server


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Server:
    """The server that the test's people visit: its own if it asked for one."""
    mine = "own_house" in request.fixturenames
    server: Server = request.getfixturevalue("own_house" if mine else "house")
    return server


@pytest.fixture
async def meet(chromium: Browser, server: Server) -> AsyncIterator[Meet]:
    """Makes people; after the test each of them must have had no trouble in their browser."""
    people: list[Person] = []

    async def met(name: str, *, url: str = server.url, **options: Any) -> Person:
        person = await Person.meet(chromium, name, url, **options)
        people.append(person)
        return person

    yield met
    for person in people:
        await person.leaves()
    for person in people:
        person.troubles.check()


@pytest.fixture
async def remote(house: Server) -> AsyncIterator[Callable[[str], Awaitable[Remote]]]:
    """Makes players without a browser."""
    made: list[Remote] = []

    async def named(name: str) -> Remote:
        made.append(Remote(house.url))
        return await made[-1].named(name)

    yield named
    for one in made:
        await one.__aexit__(None, None, None)


def _text(url: URL) -> str:
    return url.render_as_string(hide_password=False)
