"""Who is missing, on pages without a script: shown after a look, decided by plain forms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from tests.web.conftest import Browsers, Join, OpenHouse

TAGS = re.compile(r"<[^>]+>")


@pytest.fixture
async def app(house: OpenHouse) -> AsyncIterator[FastAPI]:
    """A house that soon takes somebody for being away."""
    async with house(away_seconds=0.2) as made:
        yield made


def told(page: httpx.Response) -> str:
    return TAGS.sub("", page.text)


async def test_a_table_goes_on_by_forms_and_the_player_takes_the_seat_back(
    join: Join, browsers: Browsers
) -> None:
    ann, bo = await join("Ann"), await join("Bo")
    new = {"game": "lost_cities", "seats": 2, "options": {"first": 1}, "clock": 300}
    code = (await ann.post("/api/rooms", new)).json()["code"]
    await bo.post(f"/api/rooms/{code}/seats")
    room = f"/r/{code}"
    host, guest = browsers(), browsers()
    host.cookies.set("motherlode", ann.token or "")
    guest.cookies.set("motherlode", bo.token or "")
    assert "Time for a move: 5 minutes." in told(await host.get(room))
    assert (await host.post(f"{room}/clock", data={"clock": "17"})).status_code == 422
    assert (await host.post(f"{room}/clock", data={"clock": "60"})).status_code == 303
    assert (await host.post(f"{room}/start")).status_code == 303

    shown = await host.get(room)
    assert re.search(r'<noscript><p class="clock">.*?0:[56]\d|1:00', shown.text)
    assert "is away" not in told(shown)
    await asyncio.sleep(0.3)
    assert "Bo is away. What now?" in told(await host.get(room))
    claim = {"what": "bot", "of": "1"}
    assert (await host.post(f"{room}/do", data=claim)).status_code == 303
    again = await host.post(f"{room}/do", data=claim)
    assert again.status_code == 409
    assert "That has been decided already." in told(again)

    page = await guest.get(room)
    assert "A bot plays for you, because you were away." in told(page)
    assert 'class="ask"' not in page.text
    assert (await guest.post(f"{room}/do", data={"what": "back"})).status_code == 303
    page = await guest.get(room)
    assert 'class="ask"' in page.text
    log = told(page)
    assert log.index("You are back at your seat.") < log.index("A bot plays for you.")
    assert "A bot plays for" not in told(await host.get(room)).split("What has happened")[0]
