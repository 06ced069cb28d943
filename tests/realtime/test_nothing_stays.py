"""Games that are over, or left as they are, leave nothing in the memory of the house."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from contextlib import AsyncExitStack

import httpx
import pytest

from app.config import Settings
from app.games.registry import GAMES
from app.play import snapshots, tables
from app.server import create_app
from app.web.house import House
from app.web.render import Renderer
from tests.realtime.conftest import SHELF, served
from tests.realtime.people import Line, person, started

HTML = "motherlode.html.v1"
OURS = ("app.play.", "app.realtime.", "app.bots.", "app.web.", "starlette.websockets")
"""Where what belongs to one room or one socket is defined."""


def held() -> Counter[str]:
    """Counts what there is, by its type."""
    gc.collect()
    kinds = (f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())
    return Counter(kind for kind in kinds if kind.startswith(OURS))


async def shown(line: Line, v: int) -> None:
    """Waits until a socket was sent entry `v`."""
    if line.state["v"] < v:
        await line.hear_state(v)


async def come_and_go(url: str, http: httpx.AsyncClient, game: str, *, end: bool) -> None:
    """Two play a move, one looks on at the page, strangers read; all go, some without a word."""
    ann, bo, cy = [await person(url, http, name) for name in ("Ann", "Bo", "Cy")]
    code = await started([ann, bo], game)
    async with AsyncExitStack() as room:
        first, second = [await room.enter_async_context(one.line(code)) for one in (ann, bo)]
        watcher = await room.enter_async_context(cy.line(code, protocol=HTML))
        for who in (ann, cy):
            (await who.get(f"/rooms/{code}/view")).raise_for_status()
        for line in (first, second):
            await shown(line, 0)
        mover = first if first.state["d"]["prompt"] is not None else second
        await mover.move(mover.prompt["legal"][0])
        await shown(watcher, 1)
        if end:
            await first.say({"t": "do", "id": "give-up", "what": "concede"})
            await shown(watcher, 2)
        for path in (code, f"{code}/log", f"{code}/back", f"{code}/steps", "no-such-room"):
            await http.get(f"{url}/r/{path}")
        watcher.socket.transport.abort()


async def left_alone(house: House) -> None:
    """Waits until nobody is connected and no game is in memory."""
    async with asyncio.timeout(10):
        while house.hub.rooms or len(house.tables):  # noqa: ASYNC110 nobody is told of it
            await asyncio.sleep(0.02)


async def test_who_comes_and_goes_leaves_nothing(
    settings: Settings,
    renderer: Renderer,
    http: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(tables, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(snapshots, "WRITE_SECONDS", 60)
    app = create_app(settings, SHELF, renderer)
    async with served(app, settings) as url:
        house: House = app.state.house
        counts = []
        for _ in range(2):
            for number, game in enumerate(GAMES):
                await come_and_go(url, http, game, end=number % 2 == 0)
            await left_alone(house)
            await house.snapshots.write()  # it holds tables until then
            counts.append(held())
    before, after = counts
    assert after - before == Counter()
