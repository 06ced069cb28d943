"""A new link for a seat whose player has lost their way back: who may make, take and keep it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from tests.web.conftest import BASE, Browsers, Join, OpenHouse, Program, Table

AWAY = 0.15


@pytest.fixture
async def app(house: OpenHouse) -> AsyncIterator[FastAPI]:
    """A house in which somebody is away for long after a moment."""
    async with house(away_seconds=AWAY) as made:
        yield made


async def seat_of(program: Program, table: Table) -> int | None:
    """Returns the seat that the room shows a program as its own."""
    seat: int | None = (await program.get(f"{table.api}/view")).json()["room"]["you"]
    return seat


async def reopened(table: Table) -> str:
    """Waits until the guest has been away, and has the host make a link; returns its secret."""
    await table.host.get(f"{table.api}/view")
    await asyncio.sleep(AWAY * 1.2)
    made = await table.host.post(f"{table.api}/reopen", {"seat": 1})
    assert made.status_code == 200, made.text
    secret: str = made.json()["secret"]
    assert made.json()["url"] == f"{BASE}/r/{table.code}#seat={secret}"
    return secret


async def handed(program: Program, table: Table) -> list[tuple[str, int]]:
    """Returns what the record tells of seats that were handed over."""
    entries = (await program.get(f"{table.api}/record")).json()["entries"]
    events = [event for entry in entries for event in entry["events"]]
    return [(one["plays"], one["seat"]) for one in events if one["kind"] == "seat_handed"]


async def test_a_friend_takes_the_seat_over_with_all_that_it_holds(
    table: Table, browsers: Browsers, http: httpx.AsyncClient
) -> None:
    hand = (await table.guest.get(f"{table.api}/view")).json()["view"]["hand"]
    secret = await reopened(table)
    assert await seat_of(table.guest, table) == 1, "until somebody took it"
    friend = browsers()
    page = (await friend.get(f"/r/{table.code}")).text
    assert 'id="take"' in page
    assert "The seat of <bdi>Ben</bdi> is open" in page
    assert secret not in page
    answer = await friend.post(f"/r/{table.code}/take", data={"name": "Benny", "secret": secret})
    assert answer.status_code == 303, answer.text
    shown = (await friend.get(f"{table.api}/view")).json()
    assert shown["room"]["you"] == 1
    assert shown["view"]["hand"] == hand
    assert [one["name"] for one in shown["room"]["people"]] == ["Ann", "Benny"]
    old = (await table.guest.get(f"{table.api}/view")).json()
    assert old["room"]["you"] is None
    assert not old["view"].get("hand")
    assert await handed(table.host, table) == [("open", 1), ("player", 1)]
    log = (await browsers().get(f"/r/{table.code}")).text
    assert "made a new link for the seat of" in log
    assert 'id="take"' not in log
    again = await browsers().post(f"/r/{table.code}/take", data={"name": "Eve", "secret": secret})
    assert again.status_code == 422
    assert "set-cookie" not in again.headers, "nobody is made for a link that is no good"


async def test_whoever_sits_at_the_table_cannot_take_a_second_seat(table: Table) -> None:
    secret = await reopened(table)
    answer = await table.host.post(f"{table.api}/take", {"secret": secret})
    assert (answer.status_code, answer.json()["code"]) == (409, "already_seated")
    assert await seat_of(table.guest, table) == 1


async def test_of_many_who_have_the_link_one_gets_the_seat(table: Table, app: FastAPI) -> None:
    secret = await reopened(table)
    players = app.state.house.players
    made = [await players.create(f"P{number}") for number in range(6)]
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as http:
        friends = [Program(http, token) for _player, token in made]
        answers = await asyncio.gather(
            *(friend.post(f"{table.api}/take", {"secret": secret}) for friend in friends)
        )
        assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422, 422, 422]


async def test_nobody_is_replaced_who_was_there_a_moment_ago(house: OpenHouse) -> None:
    async with house() as made:
        transport = httpx.ASGITransport(made)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as http:
            people = []
            for name in ("Ann", "Ben"):
                answer = await http.post("/api/players", json={"name": name})
                people.append(Program(http, answer.json()["token"]))
            host, guest = people
            code = (await host.post("/api/rooms", {"game": "lost_cities"})).json()["code"]
            await guest.post(f"/api/rooms/{code}/seats")
            await host.post(f"/api/rooms/{code}/start")
            early = await host.post(f"/api/rooms/{code}/reopen", {"seat": 1})
    assert (early.status_code, early.json()["code"]) == (409, "not_long_away")


async def test_only_the_host_and_only_for_the_seat_of_another(table: Table) -> None:
    await table.host.get(f"{table.api}/view")
    await asyncio.sleep(AWAY * 1.2)
    guest = await table.guest.post(f"{table.api}/reopen", {"seat": 0})
    assert (guest.status_code, guest.json()["code"]) == (403, "not_host")
    own = await table.host.post(f"{table.api}/reopen", {"seat": 0})
    assert (own.status_code, own.json()["code"]) == (409, "not_long_away")
    none = await table.host.post(f"{table.api}/reopen", {"seat": 7})
    assert (none.status_code, none.json()["code"]) == (422, "bad_seat")
    assert await handed(table.host, table) == []


async def test_a_newer_link_replaces_the_older_one(table: Table, browsers: Browsers) -> None:
    old = await reopened(table)
    new = await reopened(table)
    assert await handed(table.host, table) == [("open", 1)], "told once"
    for secret, status in ((old, 422), ("", 422), ("2222-2222-2222", 422), (new, 303)):
        form = {"name": "Benny", "secret": secret}
        answer = await browsers().post(f"/r/{table.code}/take", data=form)
        assert answer.status_code == status


async def test_the_hosts_page_shows_the_link_this_once(table: Table, browsers: Browsers) -> None:
    browser = browsers()
    browser.cookies.set("motherlode", str(table.host.token), domain="house.test")
    menu = (await browser.get(f"/r/{table.code}")).text
    assert "New link for the seat of <bdi>Ben</bdi>" in menu
    await asyncio.sleep(AWAY * 1.2)
    page = await browser.post(f"/r/{table.code}/reopen", data={"seat": "1"})
    assert page.status_code == 200
    link = re.search(rf"{BASE}/r/{table.code}#seat=([a-z0-9-]+)</textarea>", page.text)
    assert link is not None
    assert "<svg" in page.text.partition('class="qr"')[2][:200]
    assert link[1] not in (await browser.get(f"/r/{table.code}")).text


async def test_a_player_who_looks_in_without_a_script_keeps_the_seat(
    table: Table, browsers: Browsers
) -> None:
    secret = await reopened(table)
    old = browsers()
    old.cookies.set("motherlode", str(table.guest.token), domain="house.test")
    assert (await old.get(f"/r/{table.code}")).status_code == 200
    form = {"name": "Eve", "secret": secret}
    async with asyncio.timeout(5):
        while True:
            page = (await browsers().get(f"/r/{table.code}")).text
            if 'id="take"' not in page:
                break
            await asyncio.sleep(0.02)
    answer = await browsers().post(f"/r/{table.code}/take", data=form)
    assert answer.status_code == 422
    assert await seat_of(table.guest, table) == 1


async def closed(table: Table) -> dict[str, object]:
    """Waits until the guest's seat can be taken by no link; returns what is shown of the guest."""
    async with asyncio.timeout(5):
        while True:
            person: dict[str, object] = (await table.host.get(table.api)).json()["people"][1]
            if not person["open"]:
                return person
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("path", "body"),
    [("chat", {"text": "I am back"}), ("deeds", {"id": "d1", "what": "back"})],
)
async def test_who_does_something_without_a_page_is_there(
    table: Table, path: str, body: dict[str, str]
) -> None:
    await reopened(table)
    done = await table.guest.post(f"{table.api}/{path}", body)
    assert done.status_code == 200, done.text
    assert (await closed(table))["online"] is True
    again = await table.host.post(f"{table.api}/reopen", {"seat": 1})
    assert again.json()["code"] == "not_long_away"


async def test_who_plays_without_a_page_is_there(table: Table) -> None:
    for present in ([False, False], [False, True]):
        people = (await table.host.get(table.api)).json()["people"]
        assert sorted(person["online"] for person in people) == present
        await table.step()


async def test_no_link_takes_a_seat_after_the_end(table: Table, join: Join) -> None:
    secret, friend = await reopened(table), await join("Eve")
    over = await table.host.post(f"{table.api}/deeds", {"id": "c1", "what": "concede"})
    assert over.status_code == 200, over.text
    at_once = await friend.post(f"{table.api}/take", {"secret": secret})
    assert (at_once.status_code, at_once.json()["code"]) == (409, "game_over")
    await closed(table)
    later = await friend.post(f"{table.api}/take", {"secret": secret})
    assert (later.status_code, later.json()["code"]) == (409, "game_over")
    assert await seat_of(table.guest, table) == 1
