"""A house in this process, with the tiny games on its shelf, behind a real port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from app.config import Settings
from app.games.registry import GAMES
from app.server import create_app
from app.serving import uvicorn_config
from app.web.render import Renderer
from tests.realtime.people import Person, person
from tests.tiny.games import TINY

SHELF = {**GAMES, **TINY}
Arrive = Callable[[str], Awaitable[Person]]


@pytest.fixture
def house_settings(settings: Settings) -> Settings:
    """The settings of the house; a test may replace them."""
    return settings


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    """The templates of the house, loaded once for all tests."""
    return Renderer(SHELF)


@asynccontextmanager
async def served(
    app: FastAPI, settings: Settings, config: uvicorn.Config | None = None
) -> AsyncIterator[str]:
    """Runs a house and returns its address; `config` where it is not served as usual."""
    # asyncio spares only sockets that name their protocol the wait for acknowledgements.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    server = uvicorn.Server(config or uvicorn_config(app, settings))
    async with app.router.lifespan_context(app):
        # The port listens already: whoever connects waits until the server accepts.
        serving = asyncio.create_task(server._serve([listener]))
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        await serving


@pytest.fixture
async def url(house_settings: Settings, renderer: Renderer) -> AsyncIterator[str]:
    """The address of a running house."""
    async with served(create_app(house_settings, SHELF, renderer), house_settings) as address:
        yield address


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    """One client for all requests of a test."""
    async with httpx.AsyncClient(timeout=10) as client:
        yield client


@pytest.fixture
def arrive(url: str, http: httpx.AsyncClient) -> Arrive:
    """Makes a player of the house."""

    async def come(name: str) -> Person:
        return await person(url, http, name)

    return come
