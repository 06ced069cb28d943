"""How long tables are kept is said where players see it, and a link to one that went says so."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.rooms.removal import Removal
from app.tending.sweep import Sweep
from tests.web.conftest import OpenHouse, Program, Table

RULE = (
    "A table where no game begins is cleared away after 7 days.",
    "A game in which nobody moves is cleared away after 90 days.",
    "Finished games are kept.",
)


def read(page: httpx.Response) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", page.text).split())


async def sweep(app: FastAPI, days: float) -> None:
    """Clears away as if so many days had gone by."""
    house = app.state.house
    then = datetime.now(UTC) + timedelta(days=days)
    await Sweep(house.database, Removal(house.database, house.keeping), now=lambda: then).once()


def cookie_of(player: Program) -> dict[str, str]:
    """The header of a player's browser."""
    return {"cookie": f"motherlode={player.token}"}


async def test_the_rule_stands_on_the_pages(table: Table, browser: httpx.AsyncClient) -> None:
    new = {"game": "splendor", "seats": 3, "options": {}}
    lobby = (await table.host.post("/api/rooms", new)).json()["code"]
    for path in ("/", "/games", "/new/splendor", f"/r/{lobby}", f"/r/{table.code}"):
        page = read(await browser.get(path, headers=cookie_of(table.host)))
        begun = path.endswith(table.code)
        for sentence in RULE[begun:]:
            assert sentence in page, path
        assert (RULE[0] in page) is not begun


async def test_a_finished_game_says_that_it_is_kept(
    table: Table, browser: httpx.AsyncClient
) -> None:
    await table.host.post(f"{table.api}/deeds", {"id": "c", "what": "concede"})
    page = read(await browser.get(f"/r/{table.code}", headers=cookie_of(table.host)))
    assert [sentence in page for sentence in RULE] == [False, False, True]


async def test_a_host_who_keeps_all_says_nothing_of_days(house: OpenHouse) -> None:
    async with house(room_days=0, idle_days=1) as app:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as browser:
            page = read(await browser.get("/"))
    assert "where no game begins" not in page
    assert "A game in which nobody moves is cleared away after a day. Finished games" in page


async def test_my_games_say_until_when_and_offer_the_record_before(
    table: Table, app: FastAPI, browser: httpx.AsyncClient
) -> None:
    new = {"game": "splendor", "seats": 3, "options": {}}
    await table.host.post("/api/rooms", new)
    page = await browser.get("/games", headers=cookie_of(table.host))
    week, quarter = (datetime.now(UTC) + timedelta(days=days) for days in (7, 90))
    assert f"Kept until {week:%B} {week.day}, {week.year} if no game begins." in read(page)
    assert f"Kept until {quarter:%B} {quarter.day}, {quarter.year} if nobody moves." in read(page)
    record = f'href="/r/{table.code}/record"'
    assert record not in page.text
    listed = (await table.host.get("/api/games")).json()
    assert listed["running"][0]["kept_until"][:10] == f"{quarter:%Y-%m-%d}"
    assert listed["waiting"][0]["kept_until"][:10] == f"{week:%Y-%m-%d}"
    async with app.state.house.database.engine.begin() as link:
        await link.execute(text("update journal set at = at - interval '80 days'"))
    page = await browser.get("/games", headers=cookie_of(table.host))
    assert record in page.text
    saved = await browser.get(f"/r/{table.code}/record", headers=cookie_of(table.host))
    assert saved.json()["entries"]


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("unstarted", "Nobody began a game at this table for 7 days, so it has been cleared away."),
        ("idle", "Nobody moved in this game for 90 days, so it has been cleared away."),
        ("host", "The host of this house has taken this table away."),
    ],
)
async def test_a_link_to_a_table_that_went_says_what_happened(
    why: str,
    words: str,
    table: Table,
    app: FastAPI,
    browser: httpx.AsyncClient,
) -> None:
    code = table.code
    if why == "unstarted":
        new = {"game": "splendor", "seats": 3, "options": {}}
        code = (await table.host.post("/api/rooms", new)).json()["code"]
        await sweep(app, 7.1)
        assert (await table.host.get(table.api)).status_code == 200
    elif why == "idle":
        await sweep(app, 8)
        assert (await table.host.get(table.api)).status_code == 200, "away for a week"
        await sweep(app, 90.1)
    else:
        house = app.state.house
        await Removal(house.database, house.keeping).one(code, datetime.now(UTC))
    for path in (f"/r/{code}", f"/r/{code.upper()}", f"/r/{code}/record", f"/r/{code}/log"):
        page = await browser.get(path)
        assert page.status_code == 410, path
        assert words in read(page)
        assert "That was on" in read(page)
    sat = await browser.post(f"/r/{code}/sit", data={"name": "Eve"})
    assert (sat.status_code, words in read(sat)) == (410, True)
    answer = await table.host.get(f"/api/rooms/{code}")
    assert (answer.status_code, answer.json()["code"]) == (410, "room_removed")
    assert answer.json()["message"].startswith(words)
    other = await browser.get("/r/bado-bado-bado-bado")
    assert other.status_code == 404
