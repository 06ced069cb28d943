"""Silver & Gold while others choose: what is taken back, what stays, what nobody else sees."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.silver_person import STILL, Crew, Marker, Place, seated
from tests.servers import Server

TOLD = {"who-0", "turn", "log", "speech"}
"""The regions that may tell others that seat 0 is done, or is choosing again."""
DONE = "You are done. Waiting for Bo."


async def test_taking_back_while_another_has_half_chosen(meet: Meet, server: Server) -> None:
    crew = await (await seated(meet, server, "bado-keli-mofu-sase", {}, {})).opened()
    ann, bo = crew.markers
    watching = await meet("Eve", **STILL)
    eve = Marker(watching, await watching.remote(), crew.code)
    await watching.follows(crew.link)
    await _maps_are_taken_back(crew)
    await bo.keeps()
    for marker in (ann, bo, eve):
        await expect(marker.page.locator("#r-expedition")).to_contain_text("turn 1/7")
    half = await _half(bo)
    before = [await marker.regions() for marker in (bo, eve)]
    await _marks_a_cross(ann)
    await _takes_back(ann, "mark")
    await _marks_a_cross(ann)
    assert [await marker.regions() for marker in (bo, eve)] == before, "nothing is told of it"
    for _ in "twice":
        await ann.marks()
        await expect(ann.page.locator("#r-turn")).to_have_text(DONE)
        for marker, seen in zip((bo, eve), before, strict=True):
            await expect(marker.page.locator("#who0")).to_contain_text("done")
            assert _changed(seen, await marker.regions()) <= TOLD, "marks are secret so far"
        await _takes_back(ann, "extra")
        await expect(bo.page.locator("#who0")).to_contain_text("choosing")
    await ann.marks()
    await expect(bo.page.locator("#who0")).to_contain_text("done")
    assert await bo.chosen() == half, "a half-made choice outlives what others do"
    assert (await eve.shown())["pending"] is None
    await ann.page.reload()
    await expect(ann.page.locator("#r-turn")).to_have_text(DONE)
    await expect(ann.page.locator("#own .sg-fresh")).not_to_have_count(0)
    await bo.answers(bo.mark)
    for marker, seen in zip((bo, eve), before, strict=True):
        await expect(marker.page.locator("#r-expedition")).to_contain_text("turn 2/7")
        assert "sheet-0" in _changed(seen, await marker.regions()), "now the marks are there"
    await expect(ann.page.locator("#own .sg-fresh")).to_have_count(0)
    await expect(ann.who.button("Take back")).to_have_count(0)


async def test_too_late_to_take_back_is_said(meet: Meet, server: Server) -> None:
    """An old page without JavaScript still has the button; and its list is all that is needed."""
    plain = {"java_script_enabled": False}
    crew = await seated(meet, server, "bado-keli-mofu-sasi", plain, {})
    await crew.plays_on(1, 1)
    ann, bo = (await crew.opened()).markers
    assert await ann.tool("turn").is_hidden()
    place = (await ann.places(whole=True))[-1]
    await ann.marks(place)
    await expect(ann.page.locator("#own .sg-fresh")).to_have_count(1)
    await ann.who.press(ann.who.button("Take back"))
    await ann.done()
    await bo.done()
    ann.who.troubles.expect("409")
    await ann.who.press(ann.who.button("Take back"))
    note = ann.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))
    await expect(note).to_contain_text("There is nothing to take back")


@pytest.mark.faults
async def test_a_restart_keeps_what_was_answered(meet: Meet, own_house: Server) -> None:
    crew = await seated(meet, own_house, "bado-keli-mofu-saso", {}, {})
    await crew.plays_on(1, 3)
    ann, bo = (await crew.opened()).markers
    await ann.done()
    given, half = (await ann.shown())["pending"], await _half(bo)
    for marker in crew.markers:
        marker.who.troubles.expect("ERR_CONNECTION_(REFUSED|RESET)", "WebSocket connection to")
    await asyncio.to_thread(own_house.kill)
    await expect(bo.page.locator("#wire")).to_contain_text("No connection")
    await asyncio.to_thread(own_house.start)
    for marker in crew.markers:
        await marker.who.is_live()
    view = await ann.shown()
    assert view["pending"] == given
    await expect(ann.page.locator("#r-turn")).to_have_text(DONE)
    await expect(ann.who.button("Take back")).to_be_visible()
    assert await bo.chosen() == half
    await bo.done()
    after = await bo.shown()
    marked = {str(it["map"]): it["marked"] for it in after["players"][0]["maps"] if it}
    assert all(
        cell in marked[number] for number in given["cells"] for cell in given["cells"][number]
    )


async def _maps_are_taken_back(crew: Crew) -> None:
    ann, bo = crew.markers
    numbers = (await ann.shown())["dealt"]
    await ann.keeps(*numbers[:2])
    await expect(bo.page.locator("#who0")).to_contain_text("done")
    assert not any(player["maps"] != [None, None] for player in (await bo.shown())["players"])
    await _takes_back(ann, "keep")
    await ann.keeps(*numbers[2:])
    assert (await ann.shown())["kept"] == numbers[2:]


async def _half(marker: Marker) -> Place:
    """Chooses another place than the one that is offered; does not mark it."""
    offered = await marker.chosen()
    await marker.who.press(marker.tool("next"))
    await marker.who.press(marker.tool("turn"))
    chosen = await marker.chosen()
    assert chosen != offered
    return chosen


async def _marks_a_cross(marker: Marker) -> None:
    """Marks a single square with a cross by pointing at it."""
    await marker.who.press(marker.tool("one"))
    place = next(one for one in await marker.places(whole=False) if one.brings.startswith("x"))
    await marker.points_at(place.map, *place.cells)
    assert await marker.chosen() == place
    await expect(marker.page.locator("#choice")).to_contain_text("1 more square")
    await marker.answers(marker.mark)
    assert await marker.kind() == "extra"


async def _takes_back(marker: Marker, kind: str) -> None:
    """Takes back; then the question of that kind is there again."""
    await marker.who.press(marker.who.button("Take back"))
    await marker.page.locator(f'form.ask input[value="{kind}"]').wait_for(state="attached")


def _changed(before: dict[str, str], now: dict[str, str]) -> set[str]:
    assert before.keys() == now.keys()
    return {name for name, html in now.items() if html != before[name]}
