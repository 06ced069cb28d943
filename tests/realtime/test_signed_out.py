"""A device that is signed out: its sockets close for good, and only its own."""

from __future__ import annotations

import asyncio

import httpx

from tests.realtime.conftest import Arrive
from tests.realtime.people import Person, started

SIGNED_OUT = 4001


async def second_device(person: Person, http: httpx.AsyncClient) -> Person:
    """Adds a device to a player's."""
    code = (await person.post("/devices/codes")).json()["code"]
    made = await http.post(f"{person.url}/api/devices", json={"code": code})
    return Person(person.url, made.json()["token"], http)


async def test_two_devices_live_side_by_side_until_one_is_signed_out(
    arrive: Arrive, http: httpx.AsyncClient
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    phone = await second_device(ann, http)
    code = await started([ann, bo], "lost_cities", {"first": 0})
    async with ann.line(code) as here, phone.line(code) as there:
        assert here.state["d"]["view"] == there.state["d"]["view"]
        await there.move(there.prompt["legal"][0], {"kind": "draw", "from": "deck"})
        for line in (here, there):
            await line.hear_state(v=1)
        devices = (await ann.get("/devices")).json()["devices"]
        gone = next(each["id"] for each in devices if not each["this"])
        assert (await ann.post(f"/devices/{gone}/revoke")).status_code == 200
        async with asyncio.timeout(5):
            await there.socket.wait_closed()
        assert there.socket.close_code == SIGNED_OUT
        await here.say({"t": "ping"})
        await here.hear_of("pong")
        room = (await ann.get(f"/rooms/{code}")).json()
        assert room["people"][0]["online"] is True
    assert (await phone.get(f"/rooms/{code}/view")).status_code == 401
