"""What the house writes down about itself: where something happened, but nothing that is secret."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.databases import Databases
from tests.faults.houses import UNLIMITED
from tests.realtime.people import Person, person, started
from tests.servers import Server

pytestmark = pytest.mark.servers

NAMES = ("Annegret", "Bolesław")
MOVES = "/api/rooms/{code}/moves"
SAID = "a sentence between friends"


@pytest.fixture
async def server(databases: Databases, tmp_path: Path) -> AsyncIterator[Server]:
    """A house that writes down as much as it can."""
    async with databases.lent() as url:
        address = url.render_as_string(hide_password=False)
        with Server(address, tmp_path, port=None, LOG_LEVEL="DEBUG", **UNLIMITED) as running:
            yield running


@pytest.fixture
async def people(server: Server) -> AsyncIterator[list[Person]]:
    """Two players."""
    async with httpx.AsyncClient(timeout=10) as http:
        yield [await person(server.url, http, name) for name in NAMES]


async def seeds(server: Server) -> list[str]:
    """Returns the secret seeds of all rooms, as they would look in a log."""
    connection = await asyncpg.connect(server.database_url.replace("+asyncpg", ""))
    rows = await connection.fetch("select server_seed from rooms")
    await connection.close()
    return [spelled for row in rows for spelled in (row[0].hex(), repr(row[0])[2:-1])]


async def test_lines_tell_the_room_and_the_seat_and_no_secret(
    server: Server, people: list[Person]
) -> None:
    ann, bo = people
    code = await started(people, "lost_cities", {"first": 0})
    device = (await ann.post("/devices/codes")).json()
    phone = Person(server.url, None, ann.http)
    added = (await phone.post("/devices", {"code": device["code"]})).json()["token"]
    async with ann.line(code) as first, bo.line(code) as second:
        await second.say({"t": "move", "id": "early", "prompt": 0, "moves": [{"kind": "draw"}]})
        refused = await second.hear_of("refused")
        await first.say({"t": "chat", "id": "said", "text": SAID})
        await second.hear_of("chat")
        await first.move(first.prompt["legal"][0])
        await second.hear_state(v=1)
    early = {"id": "early", "prompt": 0, "moves": [{"kind": "draw"}]}
    told_by_http = (await bo.post(f"/rooms/{code}/moves", early)).json()["code"]
    assert (await bo.get(f"/games/{ann.token}?page={ann.token}")).status_code == 404
    with pytest.raises(InvalidStatus):
        async with Person(server.url, "nobody's token", ann.http).line(code):
            pass
    kept = await seeds(server)
    assert server.stop() == 0
    output = server.output()
    lines: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines()]
    names = ("room", "seats", "code", "status", "path")
    told = [line for line in lines if line["event"] == "refused"]
    assert [{name: line[name] for name in names if name in line} for line in told] == [
        {"room": code, "seats": [1], "code": refused["code"]},
        {"room": code, "code": told_by_http, "status": 409, "path": MOVES},
        {"code": "not_found", "status": 404, "path": ""},
        {"room": code, "code": "sign_in", "status": 401},
    ]
    assert {"house_open", "house_listening", "socket_opened", "socket_closed", "house_closed"} <= {
        line["event"] for line in lines
    }
    assert all({"event", "level", "timestamp"} <= line.keys() for line in lines)
    tokens = (ann.token, bo.token, added)
    for secret in (*tokens, *kept, *NAMES, device["code"], SAID):
        assert secret
        assert secret not in output
        assert json.dumps(secret)[1:-1] not in output
