"""How sockets end is counted: by the code with which they were closed, from whichever side."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, started
from tests.realtime.test_signed_out import SIGNED_OUT, second_device

NAME = "motherlode_socket_closes_total"


async def counted(url: str, http: httpx.AsyncClient) -> Counter[str]:
    """Returns how many sockets ended with each code."""
    text = (await http.get(f"{url}/metrics")).text
    return Counter(
        {
            sample.labels["code"]: int(sample.value)
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == NAME
        }
    )


async def leave(line: Line) -> None:
    """Closes a socket as a browser does whose page is left."""
    await line.socket.close(1001)


async def make_up(line: Line) -> None:
    """Closes a socket with a code that nobody knows."""
    await line.socket.close(4999)


async def cut(line: Line) -> None:
    """Ends a line without a word."""
    line.socket.transport.abort()


async def say_bytes(line: Line) -> None:
    """Sends what is no text."""
    await line.socket.send(b"bytes")
    await line.socket.wait_closed()


async def say_too_much(line: Line) -> None:
    """Sends a message that is too long."""
    await line.socket.send("x" * 100_000)
    await line.socket.wait_closed()


ENDS = {
    "1001": leave,
    "1006": cut,
    "1007": say_bytes,
    "1009": say_too_much,
    "other": make_up,
}


async def test_sockets_that_end_are_counted_by_code(
    url: str, arrive: Arrive, http: httpx.AsyncClient
) -> None:
    ann = await arrive("Ann")
    code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    for number, (told, end) in enumerate(ENDS.items(), 1):
        async with ann.line(code) as line:
            await end(line)
            for _ in range(250):
                if (await counted(url, http)).total() == number:
                    break
                await asyncio.sleep(0.02)
        assert set(await counted(url, http)) == set(list(ENDS)[:number]), told


async def test_who_is_sent_off_is_counted_by_why(
    url: str, arrive: Arrive, http: httpx.AsyncClient
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities")
    phone = await second_device(ann, http)
    async with phone.line(code) as signed_out, (await arrive("Cy")).line(code) as watcher:
        devices = (await ann.get("/devices")).json()["devices"]
        gone = next(each["id"] for each in devices if not each["this"])
        (await ann.post(f"/devices/{gone}/revoke")).raise_for_status()
        (await ann.post(f"/rooms/{code}/watching", {"watching": False})).raise_for_status()
        for line in (signed_out, watcher):
            await line.socket.wait_closed()
    assert await counted(url, http) == {str(SIGNED_OUT): 1, "4003": 1}
