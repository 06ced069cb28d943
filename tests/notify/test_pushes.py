"""Who is told of their turn while no page is open: who, when, how often, and in which words."""

from __future__ import annotations

import asyncio
import base64
import re

import pytest
from fastapi import FastAPI
from py_vapid import Vapid02

from app.database import Database
from app.notify.endpoints import Endpoints
from app.notify.keys import HouseKey
from app.play.table import Accepted
from app.web.house import House
from tests.notify.conftest import REST, Arrive
from tests.notify.pushservice import Arrived, Browser, PushService
from tests.realtime.people import Person, started

QUIET = REST * 3
"""Seconds after which a push that has not come is not going to come."""
NAMES = ("<svg/onload=alert(1)>", '"><img src=x onerror=x>')


async def subscribed(who: Person, service: PushService, path: str) -> Browser:
    """Has a new browser of somebody told."""
    browser = service.browser(path)
    answer = await who.post("/notifications", browser.wire)
    assert (answer.status_code, answer.json()) == (200, {"on": True}), answer.text
    return browser


async def turn(who: Person, code: str) -> None:
    """Makes a whole turn of Lost Cities as one entry: the first legal move, then from the deck."""
    shown = (await who.get(f"/rooms/{code}/view")).json()
    moves = [shown["prompt"]["legal"][-1], {"kind": "draw", "from": "deck"}]
    body = {"id": f"t{shown['v']}", "prompt": shown["prompt"]["n"], "moves": moves}
    (await who.post(f"/rooms/{code}/moves", body)).raise_for_status()


async def two(arrive: Arrive, names: tuple[str, str] = ("Ann", "Bo")) -> tuple[Person, Person]:
    """Makes two players."""
    return await arrive(names[0]), await arrive(names[1])


async def test_a_closed_page_is_told_once_for_each_question_and_only_the_game_and_who_plays(
    arrive: Arrive, service: PushService
) -> None:
    ann, bo = await two(arrive, NAMES)
    browser = await subscribed(bo, service, "bo")
    other = await subscribed(bo, service, "bo-at-work")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    await turn(ann, code)
    first, second = sorted(await service.pushes(2), key=lambda push: push.path)
    expected = {
        "title": "Your turn · Lost Cities",
        "body": f"With {NAMES[0]}",
        "path": f"/r/{code}",
        "tag": code,
    }
    assert browser.read(first) == expected
    assert other.read(second) == expected
    await checks_the_envelope(first, ann, code)
    # Bo makes two moves of one turn: that asks Bo something else, but Bo is there.
    shown = (await bo.get(f"/rooms/{code}/view")).json()
    move = next(one for one in shown["prompt"]["legal"] if one["kind"] == "discard")
    await asyncio.sleep(QUIET)
    body = {"id": "d", "prompt": shown["prompt"]["n"], "moves": [move]}
    (await bo.post(f"/rooms/{code}/moves", body)).raise_for_status()
    await asyncio.sleep(QUIET)
    assert len(service.came) == 2


async def checks_the_envelope(push: Arrived, who: Person, code: str) -> None:
    """What the push service itself can read is signed by the house, and names nothing."""
    kind, token, key = re.split(r" t=|,k=", push.headers["authorization"])
    public = (await who.get("/notifications")).json()["key"]
    assert (kind, key) == ("vapid", public)
    assert Vapid02.verify(f"vapid t={token},k={key}")
    assert push.headers["content-encoding"] == "aes128gcm"
    assert int(push.headers["ttl"]) >= 3600
    assert re.fullmatch(r"[0-9a-f]{32}", push.headers["topic"])
    seen = f"{push.headers} {push.body!r}"
    assert not [word for word in (code, "Lost Cities", *NAMES) if word in seen]


async def test_who_looks_is_not_told(arrive: Arrive, service: PushService) -> None:
    ann, bo = await two(arrive)
    await subscribed(bo, service, "bo")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    async with bo.line(code) as line:
        await line.say({"t": "seen"})
        await line.say({"t": "ping"})
        await line.hear_of("pong")
        await turn(ann, code)
        await asyncio.sleep(QUIET)
        assert service.came == []
    await turn(bo, code)
    async with bo.line(code):
        await turn(ann, code)
        await service.pushes(1)  # a page that does not say that it is in sight does not count


@pytest.mark.parametrize("rest", [1.0])
async def test_who_answers_in_time_is_not_told(
    arrive: Arrive, service: PushService, rest: float
) -> None:
    ann, bo = await two(arrive)
    await subscribed(bo, service, "bo")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    await turn(ann, code)
    await turn(bo, code)
    await asyncio.sleep(rest * 1.5)
    assert service.came == []


async def test_a_seat_that_a_bot_plays_is_not_told(
    arrive: Arrive, service: PushService, app: FastAPI
) -> None:
    ann, bo = await two(arrive)
    await subscribed(bo, service, "bo")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    house: House = app.state.house
    table = await house.tables.get((await house.rooms.by_code(code)).id)
    assert table is not None
    await turn(ann, code)
    assert isinstance(await table.hand(1, "bot", by=0, move_id="h"), Accepted)
    await asyncio.sleep(QUIET)
    assert service.came == []


async def test_a_game_that_begins_tells_who_is_to_move(
    arrive: Arrive, service: PushService
) -> None:
    ann, bo = await two(arrive)
    browser = await subscribed(bo, service, "bo")
    code = await started([ann, bo], "lost_cities", {"first": 1})
    (push,) = await service.pushes(1)
    assert browser.read(push)["path"] == f"/r/{code}"


async def test_a_browser_that_is_gone_is_forgotten_and_trouble_harms_nothing(
    arrive: Arrive, service: PushService
) -> None:
    ann, bo = await two(arrive)
    for path, status in (("gone", 410), ("lost", 404), ("down", 500), ("away", 307)):
        await subscribed(bo, service, path)
        service.answers[f"/{path}"] = status
    nobody = service.browser("x").wire | {"endpoint": "http://127.0.0.1:1/nobody"}
    assert (await bo.post("/notifications", nobody)).status_code == 422
    code = await started([ann, bo], "lost_cities", {"first": 0})
    await turn(ann, code)
    await service.pushes(4)
    await asyncio.sleep(QUIET)
    assert {push.path for push in service.came} == {"/gone", "/lost", "/down", "/away"}
    await turn(bo, code)
    await turn(ann, code)
    await service.pushes(6)
    await asyncio.sleep(QUIET)
    assert sorted(push.path for push in service.came[4:]) == ["/away", "/down"]
    assert (await bo.get(f"/rooms/{code}/view")).json()["v"] == 3


async def test_off_means_off_and_a_browser_speaks_for_its_last_player_alone(
    arrive: Arrive, service: PushService
) -> None:
    ann, bo = await two(arrive)
    shared = await subscribed(ann, service, "shared")
    assert (await bo.post("/notifications", shared.wire)).status_code == 200
    mine = await subscribed(ann, service, "ann")
    answer = await ann.post("/notifications/end", {"endpoint": mine.endpoint})
    assert (answer.status_code, answer.json()) == (200, {"on": False})
    # Nobody ends what another one asked for.
    assert (await ann.post("/notifications/end", {"endpoint": shared.endpoint})).is_success
    code = await started([ann, bo], "lost_cities", {"first": 0})
    await turn(ann, code)
    await service.pushes(1)
    await turn(bo, code)
    await asyncio.sleep(QUIET)
    assert [push.path for push in service.came] == ["/shared"]


async def test_a_device_that_is_signed_out_is_told_nothing_more(
    arrive: Arrive, service: PushService, url: str
) -> None:
    ann, bo = await two(arrive)
    await subscribed(bo, service, "bo")
    code = (await bo.post("/devices/codes")).json()["code"]
    added = await bo.http.post(f"{url}/api/devices", json={"code": code})
    phone = Person(url, added.json()["token"], bo.http)
    await subscribed(phone, service, "phone")
    devices = (await bo.get("/devices")).json()["devices"]
    other = next(one["id"] for one in devices if not one["this"])
    (await bo.post(f"/devices/{other}/revoke")).raise_for_status()
    await subscribed(bo, service, "bo")  # as its next page does by itself
    room = await started([ann, bo], "lost_cities", {"first": 0})
    await turn(ann, room)
    await service.pushes(1)
    await asyncio.sleep(QUIET)
    assert [push.path for push in service.came] == ["/bo"]


GOOD = "https://fcm.googleapis.com/fcm/send/abc"
BAD_ENDPOINTS = [
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evil.example/fcm.googleapis.com",
    "https://fcm.googleapis.com@evil.example/x",
    "https://user@fcm.googleapis.com/x",
    "https://fcm.googleapis.com:8443/x",
    "https://evilpush.apple.com/x",
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://[::1]/x",
    "https://fcm.googleapis.com:x/",
    "https://fcm.googleapis.com/\n",
    "https://fcm.googleapis.com:/x",
    "https://FCM.googleapis.com/x",
    "https://.push.apple.com/x",
    "https://a..push.apple.com/x",
    "https://-a.push.apple.com/x",
    "https://push.apple.com/x",
    "https://x_y.push.apple.com/x",
    "https://%65vil.example%2f.push.apple.com/x",
    "https://evil.example\\.push.apple.com/x",
    "https://evil.example#.push.apple.com/x",
    "https://evil.example?.push.apple.com/x",
    "https://@web.push.apple.com/x",
    "https://:@web.push.apple.com/x",
    "https://web.push.apple.com\\@evil.example/x",
    "https://web.push.apple.com/\\evil.example",
    "https://web.push.apple.com",
    "https://web.push.apple.com./x",
    "HTTPS://web.push.apple.com/x",
    "//fcm.googleapis.com/x",
    "file:///etc/passwd",
    "",
]
GOOD_ENDPOINTS = [
    GOOD,
    "https://fcm.googleapis.com:443/wp/x",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://web.push.apple.com/x",
    "https://wns2-par02p.notify.windows.com/w/?token=x",
]


def test_only_push_services_are_sent_to() -> None:
    known = Endpoints().known
    assert [one for one in GOOD_ENDPOINTS if not known(one)] == []
    assert [one for one in BAD_ENDPOINTS if known(one)] == []


async def test_what_is_no_subscription_is_refused_with_a_reason(
    arrive: Arrive, service: PushService, url: str
) -> None:
    ann = await arrive("Ann")
    good = service.browser("ann").wire
    for endpoint in BAD_ENDPOINTS:
        answer = await ann.post("/notifications", good | {"endpoint": endpoint})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_endpoint"), endpoint
    no_point = base64.b64encode(b"\x04" + bytes(64)).decode()
    for keys in (
        {"p256dh": "AAAA", "auth": "AAAA"},
        good["keys"] | {"auth": "#"},
        good["keys"] | {"auth": "A" * 24},
        good["keys"] | {"p256dh": no_point},
    ):
        answer = await ann.post("/notifications", good | {"keys": keys})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_keys"), keys
    answer = await ann.post("/notifications/end", {"endpoint": "a\x00b"})
    assert answer.status_code == 422
    stranger = Person(url, None, ann.http)
    for path in ("/notifications", "/notifications/end"):
        assert (await stranger.post(path, good)).status_code == 401


async def test_one_player_has_ten_browsers_at_most(arrive: Arrive, service: PushService) -> None:
    ann, bo = await two(arrive)
    for n in range(12):
        await subscribed(bo, service, f"b{n:02}")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    await turn(ann, code)
    await service.pushes(10)
    await asyncio.sleep(QUIET)
    assert sorted(push.path for push in service.came) == [f"/b{n:02}" for n in range(2, 12)]


async def test_the_key_is_made_once_also_by_two_that_start_together(database: Database) -> None:
    keys = [HouseKey(database) for _ in range(3)]
    await asyncio.gather(*(key.load() for key in keys[:2]))
    await keys[2].load()
    assert len({key.public for key in keys}) == 1
