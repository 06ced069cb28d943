"""Two processes of one house, here both in this one: who is at one is seen at the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from uuid import uuid4

import httpx
import pytest

from app.config import Settings
from app.server import create_app
from app.web.house import House
from app.web.render import Renderer
from tests.faults.bus_server import BusServer
from tests.realtime.conftest import SHELF, served
from tests.realtime.people import Line, Message, Person, person, started
from tests.realtime.test_signed_out import SIGNED_OUT, second_device

pytestmark = pytest.mark.servers


@dataclass
class Houses:
    """Two of them, by their addresses and from inside."""

    urls: list[str]
    inside: list[House]
    bus: BusServer

    def other(self, one: Person) -> Person:
        """Returns a player as a client of the second process."""
        return replace(one, url=self.urls[1])


@pytest.fixture(scope="module")
def bus_server() -> Iterator[BusServer]:
    """A NATS server for the tests of this file."""
    server = BusServer().start()
    yield server
    server.kill()


@pytest.fixture
async def houses(
    settings: Settings, renderer: Renderer, bus_server: BusServer
) -> AsyncIterator[Houses]:
    """Two processes on one database."""
    shared = settings.model_copy(update={"nats_url": bus_server.url})
    async with AsyncExitStack() as stack:
        apps = [create_app(shared, SHELF, renderer) for _ in range(2)]
        urls = [await stack.enter_async_context(served(app, shared)) for app in apps]
        yield Houses(urls, [app.state.house for app in apps], bus_server)


async def until(check: Callable[[], Awaitable[bool]]) -> None:
    """Waits until something is so."""
    async with asyncio.timeout(10):
        while True:
            if await check():
                return
            await asyncio.sleep(0.02)


async def online(one: Person, code: str) -> list[bool]:
    """Returns by seat who is told to be there."""
    room = (await one.get(f"/rooms/{code}")).json()
    return [each["online"] for each in room["people"]]


def _there(told: Message) -> list[bool]:
    """Returns by seat who is there as a state tells it, nobody for other messages."""
    return [each["online"] for each in told["d"]["room"]["people"]] if told["t"] == "state" else []


async def test_who_comes_and_goes_is_seen_at_the_other_process(
    houses: Houses, http: httpx.AsyncClient
) -> None:
    ann, bo, cy = [await person(houses.urls[0], http, name) for name in ("Ann", "Bo", "Cy")]
    bo = houses.other(bo)
    code = await started([ann, bo], "lost_cities")
    async with ann.line(code) as here:
        async with bo.line(code) as there:
            for line in (here, there):
                await line.hear(lambda told: _there(told) == [True, True])
            async with replace(cy, url=houses.urls[1]).line(code):
                await here.hear(lambda told: told["t"] == "state" and told["d"]["room"]["watchers"])
        await until(lambda: _is(online(ann, code), [True, False]))
        await until(lambda: _is(online(houses.other(ann), code), [True, False]))


async def _is(found: Awaitable[list[bool]], wanted: list[bool]) -> bool:
    return await found == wanted


async def test_what_a_process_that_starts_late_hears(
    settings: Settings, renderer: Renderer, bus_server: BusServer, http: httpx.AsyncClient
) -> None:
    shared = settings.model_copy(update={"nats_url": bus_server.url})
    async with served(create_app(shared, SHELF, renderer), shared) as first:
        ann, bo = await person(first, http, "Ann"), await person(first, http, "Bo")
        code = await started([ann, bo], "lost_cities")
        async with ann.line(code), served(create_app(shared, SHELF, renderer), shared) as second:
            await until(lambda: _is(online(replace(bo, url=second), code), [True, False]))


async def test_a_line_of_the_chat_is_heard(houses: Houses, http: httpx.AsyncClient) -> None:
    ann, bo = [await person(houses.urls[0], http, name) for name in ("Ann", "Bo")]
    code = await started([ann, bo], "lost_cities")
    async with ann.line(code) as here, houses.other(bo).line(code) as there:
        await here.say({"t": "chat", "id": "c", "text": "Hello"})
        line = await there.hear_of("chat")
        assert (line["text"], line["name"], line["seat"]) == ("Hello", "Ann", 0)


async def sign_out_the_other(one: Person) -> None:
    """Has a player take away the device that they are not using now."""
    devices = (await one.get("/devices")).json()["devices"]
    gone = next(each["id"] for each in devices if not each["this"])
    assert (await one.post(f"/devices/{gone}/revoke")).status_code == 200


async def closed(line: Line) -> int | None:
    """Waits until a socket is closed and returns with which code."""
    async with asyncio.timeout(10):
        await line.socket.wait_closed()
    return line.socket.close_code


async def test_a_device_is_signed_out_everywhere(houses: Houses, http: httpx.AsyncClient) -> None:
    ann, bo = [await person(houses.urls[0], http, name) for name in ("Ann", "Bo")]
    phone = houses.other(await second_device(ann, http))
    code = await started([ann, bo], "lost_cities")
    async with phone.line(code) as there:
        await sign_out_the_other(ann)
        assert await closed(there) == SIGNED_OUT
    assert (await phone.get(f"/rooms/{code}/view")).status_code == 401


async def rename(one: Person, name: str) -> None:
    """Gives a player another name, as their page does."""
    headers = {"Cookie": f"motherlode={one.token}", "Origin": one.url}
    renamed = await one.http.post(f"{one.url}/name", data={"name": name}, headers=headers)
    assert renamed.status_code == 303


def _first(told: Message) -> str | None:
    """Returns what the first player is called as a state tells it."""
    return str(told["d"]["room"]["people"][0]["name"]) if told["t"] == "state" else None


async def test_another_name_is_seen_everywhere(houses: Houses, http: httpx.AsyncClient) -> None:
    ann, bo = [await person(houses.urls[0], http, name) for name in ("Ann", "Bo")]
    code = await started([ann, bo], "lost_cities")
    comparing = houses.inside[1].hub.comparing
    assert comparing is not None
    async with houses.other(bo).line(code) as there:
        await rename(ann, "Anna")
        await there.hear(lambda told: _first(told) == "Anna")
        await there.quiet()
        await comparing.look()
        assert await there.quiet() == [], "names that are known are not told again"


async def test_what_was_not_heard_is_found(houses: Houses, http: httpx.AsyncClient) -> None:
    ann, bo = [await person(houses.urls[0], http, name) for name in ("Ann", "Bo")]
    phone = houses.other(await second_device(ann, http))
    code = await started([ann, bo], "lost_cities")
    async with ann.line(code) as here, houses.other(bo).line(code) as there:
        async with phone.line(code) as lost:
            houses.bus.freeze()
            try:
                await here.say({"t": "chat", "id": "c", "text": "Hello?"})
                await rename(ann, "Anna")
                await sign_out_the_other(ann)
                assert await closed(lost) == SIGNED_OUT
                await there.hear(lambda told: _first(told) == "Anna")
                if all(told["t"] != "chat" for told in there.heard):
                    await there.hear_of("chat")
            finally:
                houses.bus.thaw()
        assert [told["text"] for told in there.heard if told["t"] == "chat"] == ["Hello?"]


async def test_who_looks_at_a_page_of_one_process_is_not_called_by_the_other(
    houses: Houses,
) -> None:
    me = uuid4()
    here, there = (house.hub.attention for house in houses.inside)
    here.opened(me)
    here.seen(me)

    async def looking(wanted: bool) -> bool:
        return there.lately(me) is wanted

    await until(lambda: looking(True))
    here.closed(me)
    await until(lambda: looking(False))
