"""Links: who opens one, copies one or comes back by one is exactly who they were."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

import asyncpg
import httpx
import pytest

from app.config import Settings
from tests.faults.browsers import Browser, browsers
from tests.realtime.conftest import Arrive
from tests.realtime.people import Person, started
from tests.secrets.reading import pieces

pytestmark = pytest.mark.servers

LOST_CITIES = {"game": "lost_cities", "seats": 2, "options": {"first": 0}}
PREVIEWS = (
    "facebookexternalhit/1.1",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0)",
    "Signal/7.0",
)
MINE = "Your hand"


async def count_players(settings: Settings) -> int:
    assert settings.database_url is not None
    connection = await asyncpg.connect(settings.database_url.replace("+asyncpg", ""))
    try:
        return int(await connection.fetchval("select count(*) from players"))
    finally:
        await connection.close()


async def people_of(person: Person, code: str) -> list[str]:
    room = (await person.get(f"/rooms/{code}")).json()
    return [each["name"] for each in room["people"]]


async def open_room(browser: Browser, name: str) -> str:
    """Opens a room of two by the page; returns its code."""
    answer = await browser.form("/new/lost_cities", {"option.first": "0"}, name=name, seats="2")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/r/")


async def play_starts(url: str, host: Browser, guest: Browser) -> str:
    """Two browsers open, join and start a game; returns its code."""
    code = await open_room(host, "Ann")
    assert (await guest.form(f"/r/{code}/sit", name="Bo")).status_code == 303
    assert (await host.form(f"/r/{code}/start")).status_code == 303
    return code


async def test_a_link_preview_seats_nobody(
    arrive: Arrive, http: httpx.AsyncClient, settings: Settings
) -> None:
    host = await arrive("Ann")
    code = (await host.post("/rooms", LOST_CITIES)).json()["code"]
    before = await count_players(settings)
    for agent in PREVIEWS:
        for number in range(10):
            method = "HEAD" if number % 2 else "GET"
            page = await http.request(method, f"{host.url}/r/{code}", headers={"user-agent": agent})
            assert page.status_code == 200
            assert "set-cookie" not in page.headers
            assert page.headers["cache-control"] == "private, no-store"
    assert await people_of(host, code) == ["Ann"]
    assert await count_players(settings) == before
    guest = await arrive("Bo")
    assert (await guest.post(f"/rooms/{code}/seats", {})).json() == {"seat": 1}


async def test_what_only_a_form_does_is_not_done_by_looking(
    arrive: Arrive, http: httpx.AsyncClient
) -> None:
    host, guest = await arrive("Ann"), await arrive("Bo")
    code = (await host.post("/rooms", LOST_CITIES)).json()["code"]
    await guest.post(f"/rooms/{code}/seats", {})
    before = ("sit", "leave", "remove", "order", "options", "start", "reveal")
    for what in (*before, "move", "do", "reopen", "take"):
        for method in ("GET", "HEAD"):
            answer = await http.request(
                method,
                f"{host.url}/r/{code}/{what}?name=Cy&seat=1&what=concede",
                headers=host.headers,
            )
            assert answer.status_code in {303, 404, 405}, what
    assert await people_of(host, code) == ["Ann", "Bo"]
    assert (await host.get(f"/rooms/{code}")).json()["status"] == "open"


@pytest.mark.parametrize("online", [True, False], ids=["owner online", "owner away"])
@pytest.mark.parametrize("name", ["Ann", "ann", "Ann ", "Ann\u200b", "\u0410nn"])
async def test_a_name_is_no_key_to_a_seat(
    arrive: Arrive, url: str, name: str, online: bool
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    hand = (await ann.get(f"/rooms/{code}/view")).json()["view"]["hand"]
    async with browsers(url, 1) as (thief,):
        if online:
            async with ann.line(code):
                answer = await thief.form(f"/r/{code}/sit", name=name)
        else:
            answer = await thief.form(f"/r/{code}/sit", name=name)
        assert answer.status_code == 409
        assert MINE not in answer.text
        await thief.form("/name", name=name)
        page = (await thief.look(f"/r/{code}")).text
        assert MINE not in page
        other = Person(url, thief.token, ann.http)
        seen = (await other.get(f"/rooms/{code}/view")).json()
        assert seen["room"]["you"] is None
        assert seen["view"]["hand"] == []
        assert seen["prompt"] is None
    assert (await ann.get(f"/rooms/{code}/view")).json()["view"]["hand"] == hand


async def test_equal_names_are_two_people(url: str, arrive: Arrive) -> None:
    host, guest = await arrive("Ann"), await arrive("Ann")
    code = await started([host, guest], "lost_cities", {"first": 0})
    seen = [(await each.get(f"/rooms/{code}/view")).json() for each in (host, guest)]
    assert [each["room"]["you"] for each in seen] == [0, 1]
    assert seen[0]["view"]["hand"] != seen[1]["view"]["hand"]
    assert (seen[0]["prompt"] is None, seen[1]["prompt"] is None) == (False, True)


async def test_a_copied_address_gives_the_guests_view(url: str) -> None:
    """Nothing in any address of a player's page says who the player is."""
    async with browsers(url, 3) as (host, guest, friend):
        code = await play_starts(url, host, guest)
        mine = await host.look(f"/r/{code}")
        assert MINE in mine.text
        addresses = {f"/r/{code}", str(mine.url).removeprefix(url)}
        for part in mine.text.replace("&amp;", "&").split('"'):
            if part.startswith((f"/r/{code}", f"{url}/r/{code}")):
                addresses.add(part.removeprefix(url))
        for token in (host.token, guest.token):
            assert token is not None
            assert token not in mine.text
        for address in addresses:
            seen = await friend.look(address)
            assert MINE not in seen.text
            if seen.headers.get("content-type", "").startswith("text/html"):
                assert "Your turn" not in re.sub(r'data-[a-z-]+="[^"]*"', "", seen.text)


async def test_two_games_in_one_browser_keep_their_seats(url: str) -> None:
    async with browsers(url, 2) as (ann, bo):
        first = await play_starts(url, ann, bo)
        second = await open_room(bo, "ignored: this browser has a name")
        assert (await ann.form(f"/r/{second}/sit")).status_code == 303
        assert (await bo.form(f"/r/{second}/start")).status_code == 303
        seats = {(first, 0): ann, (first, 1): bo, (second, 1): ann, (second, 0): bo}
        for _ in range(5):
            for (code, seat), browser in seats.items():
                page = (await browser.look(f"/r/{code}")).text
                seen = (await browser.look(f"/api/rooms/{code}/view")).json()
                assert seen["room"]["you"] == seat
                assert MINE in page
                assert pieces(page) >= Counter(seen["view"]["hand"])


@pytest.mark.parametrize("back", [(0, 1), (1, 0)], ids=["in order", "the other way round"])
async def test_both_drop_and_come_back(arrive: Arrive, back: tuple[int, int]) -> None:
    people = [await arrive(name) for name in ("Ann", "Bo")]
    code = await started(people, "lost_cities", {"first": 0})
    async with people[0].line(code) as one, people[1].line(code) as two:
        hands = [line.state["d"]["view"]["hand"] for line in (one, two)]
        for line in (one, two):
            line.socket.transport.abort()
    first, second = back
    async with people[first].line(code) as one, people[second].line(code) as two:
        lines = {first: one, second: two}
        for seat, line in lines.items():
            assert line.state["d"]["room"]["you"] == seat
            assert line.state["d"]["view"]["hand"] == hands[seat]
        mover = lines[0]
        await mover.move(mover.prompt["legal"][0], {"kind": "draw", "from": "deck"})
        await asyncio.gather(*(line.hear_state(v=1) for line in lines.values()))
        assert lines[1].prompt
        assert len((await people[0].get(f"/rooms/{code}")).json()["people"]) == 2
