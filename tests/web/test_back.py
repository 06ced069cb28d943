"""Looking back: every step is what its viewer saw then; after the end it is what anybody saw."""

from __future__ import annotations

import re
from typing import Any

import httpx

from tests.web.conftest import Browsers, Join, Program, Table


async def steps_of(program: Program, table: Table, query: str = "") -> dict[str, Any]:
    answer = await program.get(f"{table.api}/steps{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_steps_are_the_views_that_were_sent(table: Table, http: httpx.AsyncClient) -> None:
    everybody = {"host": table.host, "guest": table.guest, "stranger": Program(http, None)}
    sent: dict[str, dict[int, Any]] = {name: {} for name in everybody}
    for _ in range(14):
        for name, program in everybody.items():
            shown = (await program.get(f"{table.api}/view")).json()
            sent[name][shown["v"]] = shown["view"]
        await table.step()
    for name, program in everybody.items():
        past = await steps_of(program, table)
        assert (past["over"], past["closed"], past["more"]) == (False, False, False)
        assert [step["seq"] for step in past["steps"]] == list(range(15))
        for step in past["steps"][:-1]:
            assert step["view"] == sent[name][step["seq"]], name
            assert "prompt" not in step
    asked = await steps_of(table.host, table, "?seat=1")
    assert asked == await steps_of(table.host, table)
    assert (await steps_of(table.host, table, "?until=3"))["steps"][-1]["seq"] == 3


async def test_after_the_end_anybody_may_see_what_a_seat_saw(
    table: Table, http: httpx.AsyncClient
) -> None:
    for _ in range(6):
        await table.step()
    stranger = Program(http, None)
    running = await steps_of(stranger, table, "?seat=1")
    assert running["seat"] is None
    assert not any(step["view"]["hand"] for step in running["steps"])
    hands = (await steps_of(table.guest, table))["steps"]
    ended = await table.host.post(f"{table.api}/deeds", {"id": "c1", "what": "concede"})
    assert ended.status_code == 200
    over = await steps_of(stranger, table, "?seat=1")
    assert (over["seat"], over["over"]) == (1, True)
    assert over["steps"][:-1] == hands
    assert (await steps_of(stranger, table))["seat"] is None
    page = await stranger.get(f"/r/{table.code}/back?at=3&as=1")
    for card in over["steps"][3]["view"]["hand"]:
        assert f"#{card}" in page.text


async def test_a_page_of_a_step_leads_on_and_has_nothing_to_press(
    table: Table, browsers: Browsers
) -> None:
    for _ in range(6):
        await table.step()
    page = (await browsers().get(f"/r/{table.code}/back?at=3")).text
    assert "Step 4 of 7" in page
    assert re.findall(r'href="/r/[^"]*/back\?at=(\d)"', page) == ["0", "2", "4", "6"]
    assert not re.search(r"<(form|button|select)", page[page.index("<main") :])
    assert "client.js" not in page
    beyond = await browsers().get(f"/r/{table.code}/back?at=99999")
    assert "Step 7 of 7" in beyond.text
    steps = (await browsers().get(f"/r/{table.code}/steps?until=4")).json()
    assert (steps["index"], steps["total"], len(steps["steps"])) == (0, 7, 5)
    assert steps["steps"][0]["regions"].keys() > steps["steps"][1]["regions"].keys()


async def test_before_the_start_there_is_nothing_and_the_closed_table_stays_closed(
    room: tuple[str, Program], table: Table, browsers: Browsers, http: httpx.AsyncClient
) -> None:
    answer = await table.host.post("/api/rooms", {"game": "lost_cities", "seats": 2})
    code = answer.json()["code"]
    early = await table.host.get(f"/api/rooms/{code}/steps")
    assert (early.status_code, early.json()["code"]) == (409, "not_started")
    assert (await browsers().get(f"/r/{code}/back")).headers["location"] == f"/r/{code}"
    closed = {"watching": False, "watchers_chat": False}
    assert (await table.host.post(f"{table.api}/watching", closed)).status_code == 200
    stranger = Program(http, None)
    for path in (f"{table.api}/steps", f"/r/{table.code}/steps", f"/r/{table.code}/back"):
        assert (await stranger.get(path)).status_code == 403, path
    assert (await table.guest.get(f"{table.api}/steps")).status_code == 200


async def test_a_shared_device_looks_back_as_the_seat_that_it_shows(join: Join) -> None:
    ann = await join("Ann")
    answer = await ann.post("/api/rooms", {"game": "lost_cities", "seats": 2})
    code = answer.json()["code"]
    assert (await ann.post(f"/api/rooms/{code}/seats", {"name": "Bo"})).status_code == 200
    assert (await ann.post(f"/api/rooms/{code}/start")).status_code == 200
    assert (await ann.get(f"/r/{code}/steps")).json()["seat"] is None
    assert (await ann.get(f"/api/rooms/{code}/steps?seat=1")).json()["seat"] == 1
