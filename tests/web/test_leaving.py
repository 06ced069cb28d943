"""The host leaves, and a game that nobody wants to go on with ends without a winner."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from app.play.verify import verify
from tests.web.conftest import Browsers, Join, Program, Table


async def does(player: Program, table: Table, what: str, move_id: str) -> dict[str, Any]:
    """Does something that is no move; returns the answer with its status."""
    answer = await player.post(f"{table.api}/deeds", {"id": move_id, "what": what})
    return {"status": answer.status_code, **answer.json()}


async def host_of(viewer: Program, code: str) -> str:
    """Who is the host."""
    people = (await viewer.get(f"/api/rooms/{code}")).json()["people"]
    return ", ".join(one["name"] for one in people if one["host"])


async def test_all_agree_to_end_and_the_record_proves_it(table: Table, app: FastAPI) -> None:
    await table.step()
    asked = (await table.guest.get(f"{table.api}/view")).json()["prompt"]
    first = await does(table.host, table, "end", "a")
    assert first["room"]["agreed"] == [0]
    assert (await does(table.host, table, "end", "a"))["status"] == 200, "the same id again"
    assert (await does(table.host, table, "end", "b"))["code"] == "already_agreed"
    assert (await does(table.guest, table, "play_on", "a"))["code"] == "not_agreed"
    back = await does(table.host, table, "play_on", "c")
    assert back["room"]["agreed"] == []
    assert (await table.guest.get(f"{table.api}/view")).json()["prompt"] == asked
    await does(table.host, table, "end", "d")
    end = await does(table.guest, table, "end", "b")
    assert end["room"]["status"] == "finished"
    assert end["room"]["outcome"]["reason"] == "agreed"
    assert end["room"]["outcome"]["ranking"] == [1, 1]
    assert end["prompt"] is None
    record = (await table.host.get(f"{table.api}/record")).json()
    assert [entry["kind"] for entry in record["entries"][-4:]] == ["end"] * 4
    assert verify(record).problems == ()
    room = await app.state.house.rooms.by_code(table.code)
    told = await app.state.house.tables.history(room.id)
    assert [event.kind for event in told[-1].events] == ["agreed_to_end"]


async def test_a_move_takes_the_agreement_back(table: Table) -> None:
    players = (table.host, table.guest)
    prompts = [(await p.get(f"{table.api}/view")).json()["prompt"] for p in players]
    seat = next(at for at, prompt in enumerate(prompts) if prompt)
    await does(players[seat], table, "end", "a")
    await table.step()
    assert (await table.host.get(table.api)).json()["agreed"] == []


async def test_the_page_says_who_agrees_and_lets_others_answer(
    table: Table, browsers: Browsers
) -> None:
    pages = [(browsers(), {"cookie": f"motherlode={p.token}"}) for p in (table.host, table.guest)]
    (host, mine), (guest, theirs) = pages
    room = f"/r/{table.code}"
    await host.post(f"{room}/do", data={"what": "end"}, headers=mine)
    asked = (await guest.get(room, headers=theirs)).text
    assert "1 of 2 agree" in asked
    assert "agreed to end the game without a winner." in asked
    watched = (await browsers().get(room)).text
    assert "1 of 2 agree" in watched
    assert 'value="end"' not in watched
    await host.post(f"{room}/do", data={"what": "play_on"}, headers=mine)
    log = (await guest.get(f"{room}/log", headers=theirs)).text
    assert "plays on." in log
    assert "of 2 agree" not in (await guest.get(room, headers=theirs)).text


async def test_the_host_leaves_before_the_start(join: Join, browsers: Browsers) -> None:
    ann, ben, cy = await join("Ann"), await join("Ben"), await join("Cy")
    new = {"game": "splendor", "seats": 3, "options": {}}
    code = (await ann.post("/api/rooms", new)).json()["code"]
    for player in (ben, cy):
        await player.post(f"/api/rooms/{code}/seats")
    assert (await ann.post(f"/api/rooms/{code}/leave")).status_code == 200
    assert await host_of(cy, code) == "Ben"
    cookie = {"cookie": f"motherlode={ben.token}"}
    page = browsers()
    for form, fields in (
        ("options", {"seats": "4", "option.first": "1"}),
        ("remove", {"seat": "2"}),
    ):
        answer = await page.post(f"/r/{code}/{form}", data=fields, headers=cookie)
        assert answer.status_code == 303, form
    await cy.post(f"/api/rooms/{code}/seats")
    assert (await ben.post(f"/api/rooms/{code}/start")).status_code == 200


async def test_the_host_leaves_a_running_game_and_keeps_the_seat(
    app: FastAPI, table: Table
) -> None:
    answer = await table.host.post(f"{table.api}/leave")
    assert answer.json()["you"] == 0
    assert await host_of(table.guest, table.code) == "Ben"
    refused = await table.host.post(f"{table.api}/leave")
    assert (refused.status_code, refused.json()["code"]) == (409, "started")
    assert await table.step()
    for player in (table.host, table.guest):
        await does(player, table, "end", "e")
    assert (await table.guest.post(f"{table.api}/leave")).status_code == 200
    assert await host_of(table.guest, table.code) == "Ann"
    app.state.house.hub.presence.visits.clear()
    made = (await table.guest.post(f"{table.api}/rematch")).json()
    assert await host_of(table.guest, made["code"]) == "Ben", (
        "who asks is host where the host is not"
    )


async def test_a_host_who_is_away_is_followed_by_whoever_asks(
    room: tuple[str, Program], join: Join, browsers: Browsers
) -> None:
    code, host = room
    guest, watcher = await join("Ben"), await join("Cy")
    await guest.post(f"/api/rooms/{code}/seats")
    mine = {"cookie": f"motherlode={host.token}"}
    theirs = {"cookie": f"motherlode={guest.token}"}
    page = browsers()
    assert "Be the host" in (await page.get(f"/r/{code}", headers=theirs)).text
    await page.get(f"/r/{code}", headers=mine)  # now the host has looked
    assert "Be the host" not in (await page.get(f"/r/{code}", headers=theirs)).text
    refused = await guest.post(f"/api/rooms/{code}/host")
    assert (refused.status_code, refused.json()["code"]) == (409, "host_present")
    assert (await watcher.post(f"/api/rooms/{code}/host")).json()["code"] == "not_seated"
    assert await host_of(guest, code) == "Ann"


async def test_in_a_game_an_absent_host_is_followed_too(table: Table, browsers: Browsers) -> None:
    guest = browsers()
    guest.cookies.set("motherlode", str(table.guest.token), domain="house.test")
    page = (await guest.get(f"/r/{table.code}")).text
    assert "Be the host" in page
    assert "New link for the seat" not in page
    assert (await guest.post(f"/r/{table.code}/host")).status_code == 303
    assert await host_of(table.host, table.code) == "Ben"
    page = (await guest.get(f"/r/{table.code}")).text
    assert "New link for the seat of <bdi>Ann</bdi>" in page


async def test_an_absent_host_gives_way(room: tuple[str, Program], join: Join) -> None:
    code, _host = room
    guest = await join("Ben")
    await guest.post(f"/api/rooms/{code}/seats")
    assert (await guest.post(f"/api/rooms/{code}/host")).status_code == 200
    assert (await guest.post(f"/api/rooms/{code}/host")).status_code == 200
    assert await host_of(guest, code) == "Ben"
    assert (await guest.post(f"/api/rooms/{code}/start")).status_code == 200
