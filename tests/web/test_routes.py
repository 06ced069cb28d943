"""Every door that gives game data, tried by everybody during a game."""

from __future__ import annotations

from typing import Any

import httpx
from fastapi import FastAPI

from tests.web.conftest import Browsers, Join, Program, Table

DOORS = {
    "/": [],
    "/api/announcement": [],
    "/api/devices": [],
    "/api/games": ["page=1"],
    "/api/games/next": ["but=none"],
    "/api/notifications": [],
    "/api/rooms/{code}": [],
    "/api/rooms/{code}/chat": [],
    "/api/rooms/{code}/record": [],
    "/api/rooms/{code}/steps": ["seat=0", "seat=1", "seat=-1", "until=3"],
    "/api/rooms/{code}/view": ["seat=0", "seat=1", "seat=-1"],
    "/favicon.ico": [],
    "/games": ["page=1"],
    "/games/next": ["but=none"],
    "/healthz": [],
    "/me": [],
    "/metrics": [],
    "/me/{rest}": [],
    "/new/{game}": [],
    "/openapi.json": [],
    "/push.js": [],
    "/r/{code}": ["seat=0", "seat=1"],
    "/r/{code}/": [],
    "/r/{code}/{rest}": [],
    "/r/{code}/chat": [],
    "/r/{code}/back": ["at=3", "as=0", "as=1", "as=all", "at=-1&as=1"],
    "/r/{code}/log": ["before=999", "before=3"],
    "/r/{code}/qr.svg": [],
    "/r/{code}/record": [],
    "/r/{code}/steps": ["as=0", "as=1", "as=all&until=5"],
    "/readyz": [],
    "/robots.txt": [],
    "/rules/{game}": [],
    "/static/{path:path}": [],
    "/verify": ["room=none"],
}


def paths_of(app: FastAPI) -> set[str]:
    """Returns every address that can be got, sockets left out."""
    found: set[str] = set()
    waiting: list[Any] = list(app.routes)
    while waiting:
        route = waiting.pop()
        inner = getattr(route, "original_router", None)
        waiting.extend(inner.routes if inner is not None else [])
        if "GET" in (getattr(route, "methods", None) or ()):
            found.add(route.path)
    return found


def test_every_door_is_known(app: FastAPI) -> None:
    assert paths_of(app) == set(DOORS), "a new door has to be tried here too"


def address(door: str, code: str) -> str:
    """Returns a path through a door, for a room of Lost Cities."""
    return (
        door.replace("{code}", code)
        .replace("{game}", "lost_cities")
        .replace("{path:path}", "app.css")
    )


def cards(view: dict[str, Any]) -> set[str]:
    """Returns every card that a view names."""
    piles = {pile["top"] for pile in view["piles"].values() if pile["top"]}
    laid = {card for seat in view["expeditions"] for column in seat.values() for card in column}
    return piles | laid | set(view.get("hand") or ())


def names(card: str, answer: httpx.Response) -> bool:
    """Whether an answer names a card. Pages hold the faces of all cards as drawings: not those."""
    text = answer.text
    if "json" in answer.headers.get("content-type", ""):
        text = text.replace('\\"', '"')  # pages that are steps come as texts in JSON
        if f'"{card}"' in text:
            return True
    marks = (f'href="#{card}"', f'value="{card}"', f'data-piece="{card}"', f'data-card="{card}"')
    return any(mark in text for mark in marks)


async def test_no_door_gives_more_than_its_visitor_may_know(
    table: Table, join: Join, app: FastAPI, browsers: Browsers, http: httpx.AsyncClient
) -> None:
    for _ in range(12):
        await table.step()
    views = [(await p.get(f"{table.api}/view")).json()["view"] for p in (table.host, table.guest)]
    every = {f"{colour}{value}" for colour in views[0]["colours"] for value in range(2, 11)}
    told = {
        card
        for line in (await http.get(f"{table.api}/record")).json()["entries"]
        for event in line["events"]
        if (card := event.get("card"))
    }
    public = cards({**views[0], "hand": ()}) | told
    refused = await join("Eve")
    assert (await refused.post(f"{table.api}/seats")).status_code == 409
    may_see = {
        "host": (table.host, public | set(views[0]["hand"])),
        "guest": (table.guest, public | set(views[1]["hand"])),
        "refused guest": (refused, public),
        "stranger": (Program(http, None), public),
    }
    house = app.state.house
    room = await house.rooms.by_code(table.code)
    secrets = [
        (await house.rooms.server_seed(room.id)).hex(),
        (await house.rooms.seed(room.id)).hex(),
    ]
    tried = 0
    for role, (program, known) in may_see.items():
        tokens = [p.token for p in (table.host, table.guest, refused) if p is not program]
        for door, queries in DOORS.items():
            path = address(door, table.code)
            for query in ["", *queries]:
                answer = await program.get(f"{path}?{query}")
                assert answer.status_code < 500, (role, path)
                for card in every - known:
                    assert not names(card, answer), (role, path, query, card)
                for secret in (*secrets, *tokens):
                    assert secret not in answer.text, (role, path, query)
                tried += 1
    assert tried == 4 * sum(1 + len(queries) for queries in DOORS.values())
    assert every - public, "the game should still hide something"


async def test_someone_removed_sees_what_everybody_sees(
    room: tuple[str, Program], join: Join, browsers: Browsers
) -> None:
    code, host = room
    gone, guest = await join("Eve"), await join("Ben")
    await gone.post(f"/api/rooms/{code}/seats")
    browser = browsers()
    cookie = {"cookie": f"motherlode={host.token}"}
    answer = await browser.post(f"/r/{code}/remove", data={"seat": "1"}, headers=cookie)
    assert answer.status_code == 303
    await guest.post(f"/api/rooms/{code}/seats")
    await host.post(f"/api/rooms/{code}/start")
    seen = (await gone.get(f"/api/rooms/{code}/view")).json()
    assert seen["room"]["you"] is None
    assert seen["prompt"] is None
    assert not seen["view"].get("hand")
    watched = (await browsers().get(f"/api/rooms/{code}/view")).json()
    assert watched == seen
