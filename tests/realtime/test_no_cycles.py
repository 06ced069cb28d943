"""Sockets are freed as they go, with all that they held: under load nothing else frees it soon."""

from __future__ import annotations

import asyncio
import gc

import httpx

from app.config import Settings
from app.realtime.connection import Connection
from app.realtime.live import Live
from app.realtime.scene import Heard
from app.server import create_app
from app.web.house import House
from app.web.incoming import RequestProtocol
from app.web.render import Renderer
from app.web.transport import SocketProtocol
from tests.realtime.conftest import SHELF, served
from tests.realtime.test_nothing_stays import come_and_go

OURS = {Connection, Heard, Live, RequestProtocol, SocketProtocol}


async def test_sockets_leave_no_cycles(
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
            assert not [each for each in gc.garbage if type(each) in OURS]
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()
