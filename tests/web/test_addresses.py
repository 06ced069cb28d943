"""Addresses that people come to by detours: a form's own, one with a slash, HEAD, a dead token."""

from __future__ import annotations

import httpx
import pytest

from tests.web.conftest import OpenHouse, Table
from tests.web.test_security import NAME, client_of

ACTS = (
    *("sit", "leave", "remove", "order", "options", "start", "reveal", "move", "do"),
    *("reopen", "take", ""),
)


async def test_the_address_of_a_form_leads_to_its_room(browser: httpx.AsyncClient) -> None:
    made = await browser.post("/new/lost_cities", data={"name": "Ann", "seats": "2"})
    room = made.headers["location"]
    for act in ACTS:
        for answer in (await browser.get(f"{room}/{act}"), await browser.head(f"{room}/{act}")):
            assert (answer.status_code, answer.headers["location"]) == (303, room)
    nowhere = await browser.get("/r/nowhere/sit", follow_redirects=True)
    assert nowhere.status_code == 404


@pytest.mark.parametrize(("path", "data"), [("/language", {"lang": "en"}), ("/name", NAME)])
async def test_after_a_refused_form_the_page_can_still_be_changed(
    browser: httpx.AsyncClient, path: str, data: dict[str, str]
) -> None:
    made = await browser.post("/new/lost_cities", data={"name": "Ann", "seats": "2"})
    room = made.headers["location"]
    refused = await browser.post(f"{room}/move", data={"prompt": "0"})
    assert refused.status_code == 409
    for page, back in ((f"{room}/move", room), (f"{room}/log", f"{room}/log"), (room, room)):
        answer = await browser.post(
            path, data=data, headers={"referer": f"http://house.test{page}"}
        )
        assert (answer.status_code, answer.headers["location"]) == (303, back)


async def test_an_address_with_a_slash_too_many_is_not_there(http: httpx.AsyncClient) -> None:
    for path in ("/rules/lost_cities/", "/new/lost_cities/", "/api/players/"):
        assert (await http.get(path)).status_code == 404


async def test_what_the_api_shows_can_be_asked_for_by_head(
    table: Table, http: httpx.AsyncClient
) -> None:
    for path in (table.api, f"{table.api}/view", f"{table.api}/record"):
        assert (await http.head(path)).status_code == 200


async def test_a_token_of_nobody_is_told_so(table: Table, http: httpx.AsyncClient) -> None:
    nobody = {"authorization": "Bearer nobody"}
    for path in (table.api, f"{table.api}/view", f"{table.api}/record"):
        answer = await http.get(path, headers=nobody)
        assert (answer.status_code, answer.json()["code"]) == (401, "sign_in")
        assert (await http.get(path)).status_code == 200
    unknown = await http.get("/api/rooms/bado-bado-bado-bado", headers=nobody)
    assert unknown.status_code == 404


async def test_who_is_over_a_limit_is_told_when_to_try_again(house: OpenHouse) -> None:
    async with house(rooms_per_hour=60) as app, client_of(app) as client:
        token = (await client.post("/api/players", json=NAME)).json()["token"]
        bearer = {"authorization": f"Bearer {token}"}
        for _ in range(61):
            answer = await client.post("/api/rooms", json={"game": "lost_cities"}, headers=bearer)
        assert answer.status_code == 429
        assert 30 < int(answer.headers["retry-after"]) <= 60


async def test_whole_games_are_shown_to_one_address_only_so_often(house: OpenHouse) -> None:
    async with house(records_per_minute=4) as app:
        async with client_of(app) as client:
            for path in ("/r/x/log", "/r/x/record", "/api/rooms/x/record", "/r/x/log"):
                assert (await client.get(path)).status_code == 404
            for path in ("/r/x/log", "/r/x/record", "/api/rooms/x/record"):
                answer = await client.get(path)
                assert answer.status_code == 429
                assert 0 < int(answer.headers["retry-after"]) <= 15
        async with client_of(app, "203.0.113.9") as client:
            assert (await client.get("/r/x/log")).status_code == 404
