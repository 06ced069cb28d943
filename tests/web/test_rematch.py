"""Playing again: one new room, the same people on their seats, and nothing of the game before."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tests.web.conftest import Browsers, Join, Program, Table
from tests.web.test_routes import cards, names


async def over(table: Table) -> Table:
    """Ends the game of a table by agreement."""
    for player in (table.host, table.guest):
        answer = await player.post(f"{table.api}/deeds", {"id": "e", "what": "end"})
        assert answer.status_code == 200, answer.text
    return table


async def everybody_left(app: FastAPI, table: Table) -> None:
    """Ends the game of a table by agreement, and time goes by until nobody is there any more."""
    await over(table)
    app.state.house.hub.presence.visits.clear()


async def rematch(program: Program, code: str) -> dict[str, Any]:
    """Presses rematch; returns what came of it."""
    answer = await program.post(f"/api/rooms/{code}/rematch")
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def shown(program: Program, code: str) -> dict[str, Any]:
    """A room as somebody sees it."""
    room: dict[str, Any] = (await program.get(f"/api/rooms/{code}")).json()
    return room


def seats(room: dict[str, Any]) -> list[tuple[int, str, bool, bool]]:
    """Who sits where, for whom a seat is held, and who is the host."""
    return [(one["seat"], one["name"], one["held"], one["host"]) for one in room["people"]]


async def test_ten_presses_of_two_players_make_one_room(table: Table) -> None:
    await over(table)
    presses = [(table.host, table.guest)[n % 2] for n in range(10)]
    made = await asyncio.gather(*(rematch(player, table.code) for player in presses))
    assert len({one["code"] for one in made}) == 1
    assert made[0]["code"] != table.code
    assert [one["seat"] for one in made] == [0, 1] * 5
    room = await shown(table.guest, made[0]["code"])
    assert [seat[:3] for seat in seats(room)] == [(0, "Ann", False), (1, "Ben", False)]
    assert (await shown(table.host, table.code))["next"] == made[0]["code"]
    again = await rematch(table.host, table.code)
    assert again["code"] == made[0]["code"]


async def test_whoever_is_missing_has_the_seat_held(app: FastAPI, table: Table, join: Join) -> None:
    await everybody_left(app, table)
    made = await rematch(table.guest, table.code)
    code = made["code"]
    room = await shown(table.guest, code)
    assert seats(room) == [(0, "Ann", True, False), (1, "Ben", False, True)]
    assert room["commitment"] != (await shown(table.guest, table.code))["commitment"]
    alone = await table.guest.post(f"/api/rooms/{code}/start")
    assert (alone.status_code, alone.json()["code"]) == (409, "too_few")
    other = await join("Cy")
    refused = await other.post(f"/api/rooms/{code}/seats")
    assert (refused.status_code, refused.json()["code"]) == (409, "full")
    assert (await table.host.post(f"/api/rooms/{code}/seats")).json() == {"seat": 0}
    assert (await table.guest.post(f"/api/rooms/{code}/start")).status_code == 200


async def test_a_seat_that_the_host_frees_is_for_anybody(
    app: FastAPI, table: Table, join: Join, browsers: Browsers
) -> None:
    await everybody_left(app, table)
    code = (await rematch(table.guest, table.code))["code"]
    cookie = {"cookie": f"motherlode={table.guest.token}"}
    freed = await browsers().post(f"/r/{code}/remove", data={"seat": "0"}, headers=cookie)
    assert freed.status_code == 303
    other = await join("Cy")
    assert (await other.post(f"/api/rooms/{code}/seats")).json() == {"seat": 0}
    came = await rematch(table.host, table.code)
    assert came == {"code": code, "url": came["url"], "seat": None}


@pytest.mark.parametrize("first", [-1, 0, 1])
async def test_the_first_player_moves_on(join: Join, first: int) -> None:
    ann, ben = await join("Ann"), await join("Ben")
    options = {"first": first, "colours": 6}
    new = {"game": "lost_cities", "seats": 2, "options": options}
    code = (await ann.post("/api/rooms", new)).json()["code"]
    began = []
    for _ in range(3):
        await ben.post(f"/api/rooms/{code}/seats")
        assert (await ann.post(f"/api/rooms/{code}/start")).status_code == 200
        view = (await ann.get(f"/api/rooms/{code}/view")).json()
        began.append(0 if view["prompt"] else 1)
        assert view["room"]["options"]["colours"] == 6
        await over(Table(code, ann, ben))
        code = (await rematch(ann, code))["code"]
    assert began == [began[0], 1 - began[0], began[0]]
    assert first in {-1, began[0]}


async def test_only_who_played_and_only_after_the_end(table: Table, join: Join) -> None:
    early = await table.host.post(f"{table.api}/rematch")
    assert (early.status_code, early.json()["code"]) == (409, "not_over")
    await over(table)
    watcher = await (await join("Cy")).post(f"{table.api}/rematch")
    assert (watcher.status_code, watcher.json()["code"]) == (403, "not_seated")
    assert (await shown(table.host, table.code))["next"] is None


async def test_who_is_not_there_stays_a_spectator_of_a_game_that_began(
    table: Table, join: Join
) -> None:
    await over(table)
    code = (await rematch(table.host, table.code))["code"]
    await table.guest.post(f"/api/rooms/{code}/seats")
    await table.host.post(f"/api/rooms/{code}/start")
    late = await rematch(table.guest, table.code)
    assert late["seat"] == 1
    cy = await join("Cy")
    assert (await cy.post(f"/api/rooms/{code}/seats")).json()["code"] == "started"


async def test_the_page_has_one_button_then_the_way_on(
    app: FastAPI, table: Table, browsers: Browsers, http: httpx.AsyncClient
) -> None:
    await everybody_left(app, table)
    page = browsers()
    cookie = {"cookie": f"motherlode={table.guest.token}"}
    before = (await page.get(f"/r/{table.code}", headers=cookie)).text
    assert before.count('form="rematch"') == 1
    assert "Ended without a winner" in before
    watched = (await http.get(f"/r/{table.code}")).text
    assert 'form="rematch"' not in watched
    pressed = await page.post(f"/r/{table.code}/rematch", headers=cookie)
    assert pressed.status_code == 303
    following = pressed.headers["location"]
    assert following.startswith("/r/")
    mine = await page.get(f"/r/{table.code}", headers=cookie)
    for look in (mine, await http.get(f"/r/{table.code}")):
        assert f'href="{following}" data-next' in look.text
        assert 'form="rematch"' not in look.text
    lobby = (await page.get(following, headers=cookie)).text
    assert "seat held" in lobby
    assert f'href="/r/{table.code}"' in lobby


async def test_the_second_and_third_game_hide_what_the_first_one_hid(
    table: Table, http: httpx.AsyncClient
) -> None:
    stranger = Program(http, None)
    code = table.code
    dealt = []
    for _ in range(3):
        game = Table(code, table.host, table.guest)
        for _ in range(6):
            await game.step()
        views = [(await p.get(f"{game.api}/view")).json()["view"] for p in (game.host, game.guest)]
        dealt.append([sorted(view["hand"]) for view in views])
        public = cards({**views[0], "hand": ()})
        for other, hidden in ((game.host, 1), (game.guest, 0), (stranger, 0), (stranger, 1)):
            told = {e.get("card") for e in await _told(stranger, code)}
            numbers = {card for card in views[hidden]["hand"] if card[1:] != "$"}
            secret = numbers - public - told
            assert secret
            for path in ("/api/rooms/{}/view", "/api/rooms/{}/record", "/r/{}", "/api/rooms/{}"):
                answer = await other.get(path.format(code))
                assert not [card for card in secret if names(card, answer)], path
        await over(game)
        code = (await rematch(table.host, code))["code"]
        await rematch(table.guest, game.code)
        await table.host.post(f"/api/rooms/{code}/start")
    assert dealt[0] != dealt[1] != dealt[2]


async def _told(viewer: Program, code: str) -> list[dict[str, Any]]:
    """Every event of a game as a spectator was told it."""
    record = (await viewer.get(f"/api/rooms/{code}/record")).json()
    return [event for entry in record["entries"] for event in entry["events"]]
