"""Between reading a room and using it others change it: nothing is shown or done by what was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from app.players.service import Player
from app.rooms.room import RoomRefused
from app.web.doors import seat_for
from tests.web.conftest import Browsers, Join, OpenHouse, Program, Table
from tests.web.late import joined
from tests.web.test_reopening import AWAY, reopened

CLOSE_UNWATCHED = 4003


@pytest.fixture
async def app(house: OpenHouse) -> AsyncIterator[FastAPI]:
    """A house in which somebody is away for long after a moment."""
    async with house(away_seconds=AWAY) as made:
        yield made


async def player_of(app: FastAPI, program: Program) -> Player:
    """Returns the player of a program."""
    player: Player | None = await app.state.house.players.by_token(str(program.token))
    assert player is not None
    return player


async def test_a_socket_goes_by_who_holds_the_seat_when_it_joins(
    app: FastAPI, table: Table, join: Join
) -> None:
    secret = await reopened(table)
    house, guest = app.state.house, await player_of(app, table.guest)
    before = await house.rooms.by_code(table.code)
    new = await join("Cy")
    taken = await new.post(f"{table.api}/take", {"secret": secret})
    assert taken.status_code == 200, taken.text
    async with joined(house, before, guest) as old:
        state = (await old.hear("state"))["d"]
        assert state["room"]["you"] is None
        assert not state["view"].get("hand")
        assert state["prompt"] is None
        await old.say({"t": "do", "id": "x", "what": "concede"})
        assert (await old.hear("refused"))["code"] == "not_seated"
    with pytest.raises(RoomRefused, match="not_seated"):
        await seat_for(house, before, guest, None)
    assert (await house.hub.scene(before, guest.id)).seat is None


async def test_a_newer_room_that_a_socket_brings_is_everybodys(app: FastAPI, table: Table) -> None:
    """A change whose maker could not tell of it: the connection to the database broke after it."""
    house, guest = app.state.house, await player_of(app, table.guest)
    async with joined(house, await house.rooms.by_code(table.code), guest) as first:
        await first.hear("state")
        told, house.rooms.listeners[:] = list(house.rooms.listeners), []
        changed = {"watching": False, "watchers_chat": False}
        await table.host.post(f"{table.api}/watching", changed)
        house.rooms.listeners.extend(told)
        newer = await house.rooms.by_code(table.code)
        async with joined(house, newer, await player_of(app, table.host)):
            assert (await first.hear("state"))["d"]["room"]["watching"] is False


async def test_who_may_not_watch_any_more_is_sent_nothing(app: FastAPI, table: Table) -> None:
    house = app.state.house
    before = await house.rooms.by_code(table.code)
    changed = {"watching": False, "watchers_chat": False}
    assert (await table.host.post(f"{table.api}/watching", changed)).status_code == 200
    async with joined(house, before, None) as late:
        assert (await late.next())["type"] == "websocket.accept"
        closed = await late.next()
        assert (closed["type"], closed["code"]) == ("websocket.close", CLOSE_UNWATCHED)
    with pytest.raises(RoomRefused, match="not_watching"):
        await house.hub.scene(before, None)


async def test_a_form_that_arrives_slowly_acts_by_the_room_as_it_is_then(
    table: Table, browsers: Browsers, join: Join
) -> None:
    secret = await reopened(table)
    new = await join("Cy")

    async def body() -> AsyncIterator[bytes]:
        yield b"what=con"
        assert (await new.post(f"{table.api}/take", {"secret": secret})).status_code == 200
        yield b"cede"

    old = browsers()
    old.cookies.set("motherlode", str(table.guest.token), domain="house.test")
    kind = {"content-type": "application/x-www-form-urlencoded"}
    answer = await old.post(f"/r/{table.code}/do", content=body(), headers=kind)
    assert answer.status_code == 403
    assert (await new.get(f"{table.api}/view")).json()["room"]["status"] == "running"


async def test_nobody_is_replaced_who_comes_while_the_link_is_made(
    app: FastAPI, table: Table
) -> None:
    house, guest = app.state.house, await player_of(app, table.guest)
    await table.host.get(f"{table.api}/view")
    await asyncio.sleep(AWAY * 1.2)
    house.rooms.listeners.append(lambda room: house.hub.arrivals.acted(room, guest.id))
    late = await table.host.post(f"{table.api}/reopen", {"seat": 1})
    assert (late.status_code, late.json()["code"]) == (409, "not_long_away")
    assert (await house.rooms.by_code(table.code)).people[1].reopened is None


async def test_no_seat_is_taken_from_under_who_sits_there(
    app: FastAPI, table: Table, join: Join
) -> None:
    house, guest = app.state.house, await player_of(app, table.guest)
    before = await house.rooms.by_code(table.code)
    async with joined(house, before, guest) as line:
        await line.hear("state")
        host = await player_of(app, table.host)
        _room, secret = await house.rooms.reopen(before.id, host, 1, {1})
        answer = await (await join("Cy")).post(f"{table.api}/take", {"secret": secret})
        assert (answer.status_code, answer.json()["code"]) == (409, "player_present")


async def test_a_socket_closes_the_link_that_was_made_since_it_read_the_room(
    app: FastAPI, table: Table
) -> None:
    house, guest = app.state.house, await player_of(app, table.guest)
    before = await house.rooms.by_code(table.code)
    await reopened(table)
    async with joined(house, before, guest) as line:
        state = await line.hear("state")
        while state["d"]["room"]["people"][1]["open"]:
            state = await line.hear("state")
        assert state["d"]["room"]["you"] == 1
