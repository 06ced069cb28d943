"""The whole application in this process, on a database of its own, and people who use it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.config import Settings
from app.games.registry import GAMES
from app.server import create_app
from app.web.render import Renderer

BASE = "http://house.test"


class Program:
    """A client of the API with a token of its own."""

    def __init__(self, http: httpx.AsyncClient, token: str | None) -> None:
        self._http = http
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self.token = token

    async def get(self, path: str) -> httpx.Response:
        """Asks for a path."""
        return await self._http.get(path, headers=self._headers)

    async def post(self, path: str, body: Any = None) -> httpx.Response:
        """Posts JSON to a path."""
        return await self._http.post(path, json={} if body is None else body, headers=self._headers)


class Table:
    """A room with a running game of two, and everybody who may look at it."""

    def __init__(self, code: str, host: Program, guest: Program) -> None:
        self.code = code
        self.host = host
        self.guest = guest
        self.moves = 0

    @property
    def api(self) -> str:
        """The room's address in the API."""
        return f"/api/rooms/{self.code}"

    async def step(self) -> bool:
        """Discards and draws from the deck for whoever is asked; False when the game is over."""
        for player in (self.host, self.guest):
            shown = (await player.get(f"{self.api}/view")).json()
            if shown["prompt"]:
                self.moves += 1
                assert self.moves < 500, "the game should have ended"
                legal = shown["prompt"]["legal"]
                deck = {"kind": "draw", "from": "deck"}
                body = {
                    "id": f"m{self.moves}",
                    "prompt": shown["prompt"]["n"],
                    "moves": [deck if deck in legal else legal[-1]],
                }
                answer = await player.post(f"{self.api}/moves", body)
                assert answer.status_code == 200, answer.text
                return True
        return False


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    """The templates of the house, loaded once for all tests."""
    return Renderer(GAMES)


OpenHouse = Callable[..., AbstractAsyncContextManager[FastAPI]]


@pytest.fixture
def house(settings: Settings, renderer: Renderer) -> OpenHouse:
    """Opens a house; settings that differ are given by name."""

    @asynccontextmanager
    async def opened(**changed: object) -> AsyncIterator[FastAPI]:
        made = create_app(settings.model_copy(update=changed), renderer=renderer)
        async with made.router.lifespan_context(made):
            yield made

    return opened


@pytest.fixture
async def app(house: OpenHouse) -> AsyncIterator[FastAPI]:
    """A running house."""
    async with house() as made:
        yield made


Browsers = Callable[[], httpx.AsyncClient]


@pytest.fixture
async def browsers(app: FastAPI) -> AsyncIterator[Browsers]:
    """Makes browsers: each keeps cookies and says that its forms come from our own pages."""
    opened: list[httpx.AsyncClient] = []

    def new() -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=("198.51.100.7", 5000))
        headers = {"sec-fetch-site": "same-origin", "accept": "text/html"}
        browser = httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers)
        opened.append(browser)
        return browser

    yield new
    for browser in opened:
        await browser.aclose()


@pytest.fixture
def browser(browsers: Browsers) -> httpx.AsyncClient:
    """One browser without a name yet."""
    return browsers()


@pytest.fixture
async def http(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client that says nothing about itself."""
    transport = httpx.ASGITransport(app, client=("198.51.100.7", 5000))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        yield client


Join = Callable[[str], Any]


@pytest.fixture
def join(http: httpx.AsyncClient) -> Join:
    """Makes players by name."""

    async def made(name: str) -> Program:
        answer = await http.post("/api/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        return Program(http, answer.json()["token"])

    return made


@pytest.fixture
async def room(join: Join) -> tuple[str, Program]:
    """An open room of Lost Cities and its host."""
    host = await join("Ann")
    answer = await host.post("/api/rooms", {"game": "lost_cities", "seats": 2, "options": {}})
    assert answer.status_code == 201, answer.text
    return answer.json()["code"], host


@pytest.fixture
async def table(room: tuple[str, Program], join: Join) -> Table:
    """A game of two that has just begun."""
    code, host = room
    guest = await join("Ben")
    assert (await guest.post(f"/api/rooms/{code}/seats")).status_code == 200
    assert (await host.post(f"/api/rooms/{code}/start")).status_code == 200
    return Table(code, host, guest)
