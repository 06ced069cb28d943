"""A house behind a real port that may send pushes to the test's own push service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest
from aiohttp import web
from fastapi import FastAPI

from app.config import Settings
from app.games.registry import GAMES
from app.notify.endpoints import Endpoints
from app.notify.pushes import Pushing
from app.server import create_app
from app.web.render import Renderer
from tests.notify.pushservice import PushService
from tests.realtime.conftest import served
from tests.realtime.people import Person, person

REST = 0.2
"""Seconds that a question rests before somebody is told."""

Arrive = Callable[[str], Awaitable[Person]]


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    """A push service on this computer."""
    made = PushService()
    app = web.Application()
    app.router.add_post("/{path:.*}", made.take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    yield made
    await runner.cleanup()


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    """The templates of the house, loaded once for all tests."""
    return Renderer(GAMES)


@pytest.fixture
def rest() -> float:
    """How long a question rests before somebody is told, in seconds; a test may say otherwise."""
    return REST


@pytest.fixture
def app(settings: Settings, renderer: Renderer, service: PushService, rest: float) -> FastAPI:
    """The house."""
    pushing = Pushing(Endpoints(also=[service.url]), rest=rest)
    return create_app(settings, GAMES, renderer, pushing=pushing)


@pytest.fixture
async def url(app: FastAPI, settings: Settings) -> AsyncIterator[str]:
    """The address of the running house."""
    async with served(app, settings) as address:
        yield address


@pytest.fixture
async def arrive(url: str) -> AsyncIterator[Arrive]:
    """Makes a player of the house."""
    async with httpx.AsyncClient(timeout=10, trust_env=False) as http:

        async def come(name: str) -> Person:
            return await person(url, http, name)

        yield come
