"""Rates and compression, at their edges."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from app.chat.lines import TEXT_MOST
from app.chat.pace import Pace
from app.config import Settings
from app.play.ending import MOST_CHANGES
from app.play.position import MOST_UNDOS
from app.players.names import NAME_MOST
from app.rooms.codes import CONSONANTS, VOWELS
from app.serving import uvicorn_config
from app.web.addresses import NOTHING_THERE
from app.web.arriving import ArrivingProtocol
from app.web.incoming import MOST_HEAD, MOST_WAITING
from app.web.limits import Rate, address_key
from app.web.transport import MOST_QUEUED, PIECES_PER_SECOND
from tests.web.conftest import OpenHouse, Table
from tests.web.test_security import client_of


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_allows_a_burst_and_refills_steadily() -> None:
    clock = Clock()
    rate = Rate(3, 60, clock=clock)
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 20]
    assert rate.wait("b") == 0
    clock.now += 19
    assert rate.wait("a") == 1
    clock.now += 1
    assert [rate.wait("a") for _ in range(2)] == [0, 20]
    clock.now += 600
    assert [rate.wait("a") for _ in range(4)] == [0, 0, 0, 20]


def test_no_limit_is_no_limit() -> None:
    rate = Rate(0, 60)
    assert not any(rate.wait("a") for _ in range(1000))


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("somewhere", "somewhere"),
    ],
)
def test_a_household_is_counted_as_one(address: str, key: str) -> None:
    assert address_key({"type": "http", "client": (address, 1)}) == key


def test_the_limits_that_are_no_settings_are_told_as_they_are() -> None:
    root = Path(__file__).resolve().parent.parent.parent
    table = (
        (root / "docs" / "security.md").read_text(encoding="utf-8").partition("\n## Limits\n")[2]
    )
    rows = re.findall(r"^\| ([^|]+) \| ([^|]*\d[^|]*) \| [^|]* \|$", table, re.MULTILINE)
    serving = uvicorn_config(FastAPI(), Settings())
    pace = {name: each.default for name, each in inspect.signature(Pace).parameters.items()}
    assert dict(rows) == {
        "Requests and handshakes of one address": "`REQUESTS_PER_MINUTE`; "
        f"what is not there counts as {NOTHING_THERE}",
        "An address with its headers": f"{MOST_HEAD // 1024} kB",
        "The time until a request has arrived, with its body": (
            f"{ArrivingProtocol.arrive_seconds:g} seconds"
        ),
        "Requests of one connection before the first is answered": f"{MOST_WAITING}",
        "Pings, pongs and pieces of messages on one socket": (
            f"{PIECES_PER_SECOND} a second, twice that at once"
        ),
        "Messages that come at once on one socket": f"{MOST_QUEUED:,}",
        "A client that answers no ping": (
            f"{serving.ws_ping_timeout:g} seconds; "
            f"one is sent every {serving.ws_ping_interval:g} seconds"
        ),
        "Chat": f"{TEXT_MOST} characters; "
        f"{pace['most']} within {pace['seconds']:g} seconds of one player",
        "Names": f"{NAME_MOST} characters",
        "Take-backs, changes of mind about ending, of one seat between two moves": (
            f"{MOST_UNDOS}, {MOST_CHANGES}"
        ),
    }


async def test_an_address_asks_only_so_often(house: OpenHouse) -> None:
    async with house(requests_per_minute=30) as app:
        flood, other = client_of(app, "203.0.113.1"), client_of(app, "203.0.113.2")
        async with flood, other:
            answers = [await flood.get("/robots.txt") for _ in range(31)]
            assert [answer.status_code for answer in answers] == [200] * 30 + [429]
            for path in ("/", "/api/games", "/static/none.css", "/readyz"):
                refused = await flood.get(path)
                assert refused.status_code == 429, path
                assert 1 <= int(refused.headers["retry-after"]) <= 60
                assert "Wait a little" in refused.text
                assert refused.headers["x-content-type-options"] == "nosniff"
            assert (await flood.get("/api/games")).json()["code"] == "too_fast"
            assert (await flood.get("/healthz")).status_code == 200
            assert (await other.get("/robots.txt")).status_code == 200


async def test_codes_are_not_guessed_for_long(house: OpenHouse) -> None:
    """And few of them mean a room: a code has 50.6 random bits."""
    async with house(requests_per_minute=60) as app:
        for start, address in (("/r/", "203.0.113.1"), ("/api/rooms/", "203.0.113.2")):
            async with client_of(app, address) as client:
                answers = [await client.get(f"{start}bado-bado-bado-ba{at}o") for at in "bdfghj"]
            assert [answer.status_code for answer in answers] == [404] * 3 + [429] * 3
        assert len(CONSONANTS) ** 8 * len(VOWELS) ** 8 > 2**50


async def test_long_answers_are_compressed_for_who_can_read_that(
    http: httpx.AsyncClient, table: Table
) -> None:
    for _ in range(10):
        await table.step()
    for path in ("/", f"/r/{table.code}", f"{table.api}/record"):
        packed = await http.get(path, headers={"accept-encoding": "br, gzip"})
        plain = await http.get(path, headers={"accept-encoding": "identity"})
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.headers["vary"] == "Accept-Encoding"
        assert int(packed.headers["content-length"]) < len(plain.content) / 2
        assert "content-encoding" not in plain.headers
        assert packed.text == plain.text
    short = await http.get("/healthz", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in short.headers
