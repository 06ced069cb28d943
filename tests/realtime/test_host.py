"""What the host of the house does is seen on open sockets within seconds."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.config import Settings
from app.database import Database
from app.rooms.keeping import Keeping
from app.rooms.removal import Removal
from app.tending import admin
from app.tending.announcements import Announcements
from tests.realtime.conftest import Arrive
from tests.realtime.people import started

HTML = "motherlode.html.v1"
HOSTILE = '</p><img src=x onerror="alert()">{{7*7}}'
HOUR = timedelta(hours=1)


async def announced(http: httpx.AsyncClient, url: str) -> Any:
    """What a page without a socket is told."""
    return (await http.get(f"{url}/api/announcement")).json()


async def test_an_announcement_reaches_every_page_and_is_taken_back(
    arrive: Arrive, http: httpx.AsyncClient, url: str, database: Database
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities")
    nothing = {"id": None, "text": None, "until": None}
    assert await announced(http, url) == nothing
    async with ann.line(code) as program, bo.line(code, protocol=HTML) as page:
        made = await Announcements(database).make(HOSTILE, HOUR)
        for line in (program, page):
            told = await line.hear_of("announced")
            assert told == {"t": "announced", **made.wire()}
        assert await announced(http, url) == made.wire()
        for path in ("/", "/games", f"/r/{code}", f"/r/{code}/log", f"/r/{code}/back", "/me"):
            html = (await http.get(url + path)).text
            assert "&lt;/p&gt;&lt;img src=x onerror=" in html, path
        for path in ("/rules/splendor", "/nowhere", "/verify", f"/r/{code}/chat"):
            html = (await http.get(url + path)).text
            assert "&lt;/p&gt;&lt;img src=x onerror=" in html, path
            assert "{{7*7}}" in html, path
            assert "<img src=x" not in html, path
        async with ann.line(code) as late:
            assert [one["t"] for one in late.heard] == ["announced", "state"]
        await Announcements(database).end()
        for line in (program, page):
            assert await line.hear_of("announced") == {"t": "announced", **nothing}
    assert await announced(http, url) == nothing


async def test_the_sockets_of_a_room_that_is_removed_are_closed_for_good(
    arrive: Arrive, url: str, database: Database, house_settings: Settings
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code, other = await started([ann, bo], "lost_cities"), await started([bo, ann], "splendor")
    removal = Removal(database, Keeping(7, 90))
    async with ann.line(code) as line, bo.line(code), ann.line(other) as elsewhere:
        listed = await admin.sockets(database)
        assert "MACHINE" in listed
        gone = await removal.one(code, datetime.now(UTC))
        assert gone is not None
        # A move at this very moment: nothing of it may stay behind.
        if line.prompt:
            await line.move(line.prompt["legal"][-1])
        with pytest.raises(ConnectionClosed) as closed:
            await line.hear_of("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4010
        assert await elsewhere.quiet() == []
    with pytest.raises(InvalidStatus) as refused:
        async with ann.line(code):
            pass
    assert refused.value.response.status_code == 410
    left = text("select count(*) from journal where room_id = :id")
    async with database.engine.connect() as link:
        for _ in range(50):
            if await link.scalar(left, {"id": gone}) == 0:
                break
            await asyncio.sleep(0.1)
        else:
            pytest.fail("an entry of a removed room stays behind")
