"""Sockets and pages are freed as they go, with all they held: under load nothing else does it."""

from __future__ import annotations

import asyncio
import gc

import httpx

from app.config import Settings
from app.server import create_app
from app.web.house import House
from app.web.render import Renderer
from tests.realtime.conftest import SHELF, served
from tests.realtime.test_nothing_stays import come_and_go

OURS = ("app.", "starlette.")


async def test_nobody_leaves_cycles(
    settings: Settings, renderer: Renderer, http: httpx.AsyncClient
) -> None:
    app = create_app(settings, SHELF, renderer)
    async with served(app, settings) as url:
        house: House = app.state.house
        gc.collect()
        gc.disable()
        try:
            for end in (True, False):
                await come_and_go(url, http, "lost_cities", end=end)
            async with asyncio.timeout(10):
                while house.hub.rooms:  # noqa: ASYNC110 nobody is told of it
                    await asyncio.sleep(0.02)
            await asyncio.sleep(0.1)
            gc.set_debug(gc.DEBUG_SAVEALL)
            gc.collect()
            kinds = {f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.garbage}
            assert not [kind for kind in kinds if kind.startswith(OURS)]
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()
