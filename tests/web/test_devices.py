"""A second device: a code by page and API, who is asked first, and what is taken away."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.web.conftest import Browsers, Join, OpenHouse, Table
from tests.web.test_security import client_of

PHONE = (
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0.0.0 Mobile Safari/537.36"
)


async def named(browser: httpx.AsyncClient, name: str) -> httpx.AsyncClient:
    """Gives a browser a name."""
    assert (await browser.post("/name", data={"name": name})).status_code == 303
    return browser


async def code_of(browser: httpx.AsyncClient) -> str:
    """Presses "Add a device"; returns the code that the page shows."""
    page = (await browser.post("/me/code")).text
    link = re.search(r"http://house\.test/me#code=([a-z0-9-]+)</textarea>", page)
    assert link is not None
    return link[1]


async def test_a_code_is_shown_once_as_link_picture_and_text(browser: httpx.AsyncClient) -> None:
    await named(browser, "Ann")
    page = (await browser.post("/me/code")).text
    code = await code_of(browser)
    assert "<svg" in page.partition('class="qr"')[2][:200]
    assert code not in page, "each press makes another one"
    assert code not in (await browser.get("/me")).text
    again = await browser.get("/me/code")
    assert (again.status_code, again.headers["location"]) == (303, "/me")


async def test_a_stranger_becomes_the_player_by_a_code(browsers: Browsers) -> None:
    ann, phone = await named(browsers(), "Ann"), browsers()
    made = await ann.post("/new/lost_cities", data={"seats": "2"})
    room = made.headers["location"]
    code = await code_of(ann)
    answer = await phone.post("/me/device", data={"code": code}, headers={"user-agent": PHONE})
    assert (answer.status_code, answer.headers["location"]) == (303, "/games")
    assert room in (await phone.get("/games")).text
    assert phone.cookies["motherlode"] != ann.cookies["motherlode"]
    for browser in (ann, phone):
        page = (await browser.get("/me")).text
        assert "Chrome · Android" in page
        assert page.count('name="device"') == 2
    used = await browsers().post("/me/device", data={"code": code})
    assert used.status_code == 422
    assert "no good any more" in used.text
    assert "set-cookie" not in used.headers


async def test_whoever_plays_as_another_is_asked_first(browsers: Browsers) -> None:
    ann, bo, tab = await named(browsers(), "Ann"), await named(browsers(), "Bo"), browsers()
    code = await code_of(ann)
    before = bo.cookies["motherlode"]
    asked = await bo.post("/me/device", data={"code": code})
    assert asked.status_code == 409
    assert "Play as <bdi>Ann</bdi> on this browser?" in asked.text
    assert "nobody could come back" in asked.text
    assert bo.cookies["motherlode"] == before
    answer = await bo.post("/me/device", data={"code": code, "instead": "yes"})
    assert answer.headers["location"] == "/games"
    assert 'value="Ann"' in (await bo.get("/me")).text
    tab.cookies.set("motherlode", before, domain="house.test")
    assert "no name here yet" in (await tab.get("/me")).text, "the old token is nobody's"


async def test_my_own_code_on_my_own_device_changes_nothing(browsers: Browsers) -> None:
    ann, phone = await named(browsers(), "Ann"), browsers()
    code = await code_of(ann)
    answer = await ann.post("/me/device", data={"code": code})
    assert answer.headers["location"] == "/games"
    assert "set-cookie" not in answer.headers
    assert (await phone.post("/me/device", data={"code": code})).status_code == 303, "still good"


async def test_devices_of_one_kind_are_told_apart(browsers: Browsers) -> None:
    """By a number, by when they were first and last here, and by which one this is."""
    agent = {"user-agent": PHONE}
    ann, other = browsers(), browsers()
    await ann.post("/name", data={"name": "Ann"}, headers=agent)
    assert "Chrome · Android</strong>" in (await ann.get("/me")).text, "one alone has no number"
    await other.post("/me/device", data={"code": await code_of(ann)}, headers=agent)
    for browser, own in ((ann, 1), (other, 2)):
        page = (await browser.get("/me")).text
        rows = re.findall(r"<li>.*?</li>", page.partition('class="devices"')[2], re.DOTALL)
        assert len(rows) == 2
        for number in (1, 2):
            (row,) = [row for row in rows if f"<strong>Chrome · Android ({number})</strong>" in row]
            assert f'Sign out<span class="vh"> (Chrome · Android ({number}))' in row
            assert ("this one" in row) is (number == own)
            assert re.search(r"Last here on <time [^>]*>.*?First here on <time ", row, re.DOTALL)


async def test_a_device_is_signed_out_from_another_one(browsers: Browsers) -> None:
    ann, phone = await named(browsers(), "Ann"), browsers()
    await phone.post("/me/device", data={"code": await code_of(ann)})
    page = (await ann.get("/me")).text
    ids = set(re.findall(r'name="device" value="([0-9a-f-]+)"', page))
    listed = (await ann.get("/api/devices")).json()["devices"]
    assert {one["id"] for one in listed} == ids
    other = next(one["id"] for one in listed if not one["this"])
    assert (await phone.get("/games")).text.count("Ann") > 0
    assert (await ann.post("/me/revoke", data={"device": other})).status_code == 303
    assert "no name here yet" in (await phone.get("/me")).text
    assert (await ann.post("/me/revoke", data={"device": other})).status_code == 404
    assert (await ann.post("/me/revoke", data={"device": "x"})).status_code == 404
    own = next(one["id"] for one in listed if one["this"])
    gone = await ann.post("/me/revoke", data={"device": own})
    assert "motherlode=" in gone.headers["set-cookie"]
    assert "no name here yet" in (await ann.get("/me")).text


async def test_only_ones_own_devices_are_listed_and_taken_away(join: Join) -> None:
    ann, bo = await join("Ann"), await join("Bo")
    (mine,) = (await ann.get("/api/devices")).json()["devices"]
    assert mine["this"] is True
    stolen = await bo.post(f"/api/devices/{mine['id']}/revoke")
    assert (stolen.status_code, stolen.json()["code"]) == (404, "unknown_device")
    assert (await ann.get("/api/devices")).status_code == 200


async def test_a_program_adds_a_device(
    table: Table, http: httpx.AsyncClient, browser: httpx.AsyncClient
) -> None:
    made = (await table.guest.post("/api/devices/codes")).json()
    assert made["url"] == f"http://house.test/me#code={made['code']}"
    other = await table.host.post("/api/devices", {"code": made["code"]})
    assert (other.status_code, other.json()["code"]) == (409, "other_player")
    same = await table.guest.post("/api/devices", {"code": made["code"]})
    assert (same.status_code, same.json()["code"]) == (409, "same_player")
    got = (await http.post("/api/devices", json={"code": made["code"]})).json()
    assert got["name"] == "Ben"
    bearer = {"authorization": f"Bearer {got['token']}"}
    assert (await http.get(f"{table.api}/view", headers=bearer)).json()["room"]["you"] == 1
    assert (await table.guest.get(f"{table.api}/view")).json()["room"]["you"] == 1


async def test_codes_can_be_tried_only_so_often(house: OpenHouse) -> None:
    async with house(codes_per_minute=3) as app, client_of(app) as client:
        tries = [
            (await client.post("/api/devices", json={"code": "2222-2222-2222"})).status_code
            for _ in range(4)
        ]
    assert tries == [422, 422, 422, 429]


@pytest.mark.parametrize(
    "agent", ["python-httpx/0.27", "", "Mozilla/5.0 <script>alert(1)</script>"]
)
async def test_a_label_is_made_of_our_own_words(browser: httpx.AsyncClient, agent: str) -> None:
    await browser.post("/name", data={"name": "Ann"}, headers={"user-agent": agent})
    (device,) = (await browser.get("/api/devices")).json()["devices"]
    assert device["label"] == ""
    assert (await browser.get("/me")).status_code == 200
