"""The list of a player's games: what waits for them first, and how it went against whom."""

from __future__ import annotations

import re
from typing import Any

import httpx
from fastapi import FastAPI
from sqlalchemy import text

from tests.web.conftest import BASE, Browsers, Join, OpenHouse, Program, Table


async def begun(host: Program, guest: Program, **options: int) -> Table:
    """A running game of two."""
    new = {"game": "lost_cities", "seats": 2, "options": options}
    code = (await host.post("/api/rooms", new)).json()["code"]
    await guest.post(f"/api/rooms/{code}/seats")
    assert (await host.post(f"/api/rooms/{code}/start")).status_code == 200
    return Table(code, host, guest)


async def mine(player: Program, path: str = "/api/games") -> dict[str, Any]:
    """The player's list."""
    answer = await player.get(path)
    assert answer.status_code == 200, answer.text
    listed: dict[str, Any] = answer.json()
    return listed


def codes(rooms: list[dict[str, Any]]) -> list[str]:
    """The codes in order."""
    return [room["code"] for room in rooms]


async def test_games_that_wait_for_me_come_first_and_lead_on(
    join: Join, browsers: Browsers
) -> None:
    ann, ben = await join("Ann"), await join("Ben")
    theirs = await begun(ann, ben, first=1)
    older, newer = await begun(ann, ben, first=0), await begun(ann, ben, first=0)
    listed = await mine(ann)
    assert codes(listed["running"]) == [older.code, newer.code, theirs.code]
    assert [room["actors"] for room in listed["running"]] == [[0], [0], [1]]
    assert await mine(ann, "/api/games/next") == {"code": older.code, "waiting": 2}
    for _ in range(2):
        await older.step()
    assert await mine(ann, f"/api/games/next?but={older.code}") == {
        "code": newer.code,
        "waiting": 1,
    }
    assert await mine(ann, f"/api/games/next?but={newer.code}") == {"code": None, "waiting": 0}
    assert (await mine(ann, "/api/games/next?but=no%00code"))["waiting"] == 1
    page, cookie = browsers(), {"cookie": f"motherlode={ann.token}"}
    led = await page.get(f"/games/next?but={older.code}", headers=cookie)
    assert (led.status_code, led.headers["location"]) == (303, f"/r/{newer.code}")
    led = await page.get(f"/games/next?but={newer.code}", headers=cookie)
    assert led.headers["location"] == "/games"
    link = re.compile(r'<a class="button elsewhere"[^>]*>')
    for code, waits in ((older.code, True), (newer.code, False), (theirs.code, True)):
        found = link.search((await page.get(f"/r/{code}", headers=cookie)).text)
        assert found is not None
        assert ("hidden" not in found[0]) is waits, code


async def test_waiting_and_finished_rooms_are_told_apart(table: Table) -> None:
    new = {"game": "splendor", "seats": 3, "options": {}}
    code = (await table.host.post("/api/rooms", new)).json()["code"]
    while await table.step():
        pass
    listed = await mine(table.host)
    assert listed["running"] == []
    assert codes(listed["waiting"]) == [code]
    (over,) = listed["finished"]
    outcome = (await table.host.get(table.api)).json()["outcome"]
    assert [one["place"] for one in over["people"]] == outcome["ranking"]
    assert [one["total"] for one in over["people"]] == outcome["totals"]
    (against,) = listed["against"]
    assert (against["name"], against["game"], against["games"]) == ("Ben", "lost_cities", 1)
    assert (against["points"], against["their_points"]) == tuple(outcome["totals"])
    (theirs,) = (await mine(table.guest))["against"]
    assert [theirs[key] for key in ("won", "lost", "drawn")] == [
        against[key] for key in ("lost", "won", "drawn")
    ]


async def test_results_add_up_by_friend_and_game(join: Join, browsers: Browsers) -> None:
    ann, ben, twin = await join("Ann"), await join("Ben"), await join("ben")
    for rival, loser in ((ben, 0), (ben, 1), (ben, 1), (twin, 1)):
        table = await begun(ann, rival)
        deed = {"id": "c", "what": "concede"}
        await (ann, rival)[loser].post(f"{table.api}/deeds", deed)
    agreed = await begun(ann, ben)
    for player in (ann, ben):
        await player.post(f"{agreed.api}/deeds", {"id": "e", "what": "end"})
    listed = await mine(ann)
    assert len(listed["finished"]) == 5
    assert codes(listed["finished"])[0] == agreed.code
    assert [one["place"] for one in listed["finished"][0]["people"]] == [None, None]
    told = [
        tuple(one[key] for key in ("name", "games", "won", "lost", "drawn", "counted"))
        for one in listed["against"]
    ]
    assert told == [("Ben", 3, 2, 1, 0, 0), ("ben", 1, 1, 0, 0, 0)]
    page = await browsers().get("/games", headers={"cookie": f"motherlode={ann.token}"})
    assert "<bdi>Ben</bdi>" in page.text
    assert "<bdi>ben (2)</bdi>" in page.text
    assert "ended without a winner" in page.text


async def test_a_held_seat_is_listed_for_its_friend(
    app: FastAPI, table: Table, browsers: Browsers
) -> None:
    for player in (table.host, table.guest):
        await player.post(f"{table.api}/deeds", {"id": "e", "what": "end"})
    app.state.house.hub.presence.visits.clear()
    code = (await table.host.post(f"{table.api}/rematch")).json()["code"]
    (waiting,) = (await mine(table.guest))["waiting"]
    assert (waiting["code"], waiting["held"]) == (code, True)
    page = await browsers().get("/games", headers={"cookie": f"motherlode={table.guest.token}"})
    assert "a seat is held for you" in page.text


async def test_older_games_are_on_further_pages(
    join: Join, browsers: Browsers, app: FastAPI
) -> None:
    ann, ben = await join("Ann"), await join("Ben")
    table = await begun(ann, ben)
    await ann.post(f"{table.api}/deeds", {"id": "c", "what": "concede"})
    await mine(ann)
    copy = """
        with more as (
            insert into rooms
            select (jsonb_populate_record(rooms, jsonb_build_object(
                'id', gen_random_uuid(), 'code', n))).*
            from rooms, generate_series(1, 24) n returning id
        )
        insert into room_seats
        select (jsonb_populate_record(room_seats, jsonb_build_object('room_id', more.id))).*
        from room_seats, more
    """
    async with app.state.house.database.engine.begin() as connection:
        await connection.execute(text(copy))
    first, second = await mine(ann), await mine(ann, "/api/games?page=1")
    assert (len(first["finished"]), first["older"]) == (20, True)
    assert (len(second["finished"]), second["older"]) == (5, False)
    assert not set(codes(first["finished"])) & set(codes(second["finished"]))
    assert first["against"][0]["games"] == 25
    cookie = {"cookie": f"motherlode={ann.token}"}
    page = browsers()
    assert 'href="/games?page=1"' in (await page.get("/games", headers=cookie)).text
    assert 'href="/games?page=0"' in (await page.get("/games?page=1", headers=cookie)).text
    for odd in ("-1", "x", "9" * 30, "²"):
        assert (await page.get(f"/games?page={odd}", headers=cookie)).status_code == 200


async def test_a_stranger_has_no_games_and_every_page_leads_there(
    browsers: Browsers, http: httpx.AsyncClient, table: Table
) -> None:
    page = browsers()
    assert "has not played here yet" in (await page.get("/games")).text
    assert (await http.get("/api/games")).status_code == 401
    assert (await http.get("/api/games/next")).json() == {"code": None, "waiting": 0}
    for path in ("/", "/new/splendor", "/rules/splendor", f"/r/{table.code}", "/games"):
        assert 'href="/games"' in (await page.get(path)).text, path


async def test_a_game_that_ended_before_the_mark_was_made_is_marked_at_the_start(
    house: OpenHouse,
) -> None:
    async with house() as app:
        async with _client(app) as http:
            ann, ben = [await _player(http, name) for name in ("Ann", "Ben")]
            table = await begun(ann, ben)
            await ann.post(f"{table.api}/deeds", {"id": "c", "what": "concede"})
            assert len((await mine(ann))["finished"]) == 1
        forget = "update rooms set status = 'running', finished_at = null"
        async with app.state.house.database.engine.begin() as connection:
            await connection.execute(text(forget))
    async with house() as again, _client(again) as http:
        later = Program(http, ann.token)
        for _ in range(100):
            listed = await mine(later)
            if listed["finished"]:
                break
        assert codes(listed["finished"]) == [table.code]
        assert listed["against"][0]["lost"] == 1


def _client(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE)


async def _player(http: httpx.AsyncClient, name: str) -> Program:
    token = (await http.post("/api/players", json={"name": name})).json()["token"]
    return Program(http, token)
