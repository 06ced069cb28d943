"""What is pressed twice is meant once: no second player, no answer to the next question."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Request, Route, expect

from tests.browser.conftest import Meet
from tests.browser.person import PHONE
from tests.browser.silver_person import Crew, Marker, seated
from tests.servers import Server

PRESS_TWICE = """() => {
    const button = document.querySelector('form[action$="/sit"] button');
    button.click();
    setTimeout(() => button.click(), 200);
}"""
"""Not by Playwright, which would wait for the first press to be answered."""


async def test_sitting_down_with_a_double_click_takes_one_seat(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    await bo.follows(link)
    await bo.is_live()
    posts: list[str] = []

    def count(sent: Request) -> None:
        if sent.method == "POST":
            posts.append(sent.url)

    async def slowly(route: Route) -> None:
        await asyncio.sleep(0.5)
        await route.continue_()

    bo.page.on("request", count)
    await bo.page.route("**/sit", slowly)
    await bo.page.get_by_label("Your name").fill("Bo")
    await bo.evaluate(PRESS_TWICE)
    await expect(bo.page.get_by_text("You have a seat")).to_be_visible()
    assert len(posts) == 1
    await expect(ann.page.get_by_text("2 of 2 taken")).to_be_visible()


GAPS = (0.12, 0.25, 0.4)
"""Seconds between the two presses of one: quick hands, usual ones, slow ones."""


async def _at_the_first_turn(meet: Meet, server: Server, code: str, *each: dict[str, Any]) -> Crew:
    crew = await seated(meet, server, code, *each)
    await crew.plays_on(1, 1)
    return await crew.opened()


async def _bo_is_done(crew: Crew) -> None:
    """The other seat answers first: then the next turn comes as soon as Ann has marked."""
    bo = crew.markers[1].remote
    while prompt := (await bo.shown(crew.code))["prompt"]:
        await bo.plays(crew.code, prompt["legal"][-1], prompt=prompt["n"])


async def _middle_of_mark(marker: Marker) -> tuple[float, float]:
    box = await marker.mark.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def _a_square_without_symbol(marker: Marker) -> None:
    """Chooses what leads to no second question in the same turn."""
    await marker.page.wait_for_timeout(600)
    place = next(one for one in await marker.places(whole=False) if one.brings.startswith("-"))
    await marker.who.press(marker.tool("one"))
    await marker.points_at(place.map, *place.cells)
    assert await marker.chosen() == place


async def _turn(marker: Marker) -> int:
    view = await marker.shown()
    assert view["pending"] is None, "nothing has been marked in this turn"
    return int(view["turn"])


@pytest.mark.faults
async def test_a_double_click_does_not_answer_the_next_question(meet: Meet, server: Server) -> None:
    crew = await _at_the_first_turn(meet, server, "bado-keli-mofu-sude", {}, {})
    ann = crew.markers[0]
    for turn, gap in enumerate(GAPS, 1):
        await _bo_is_done(crew)
        await _a_square_without_symbol(ann)
        x, y = await _middle_of_mark(ann)
        await ann.page.mouse.click(x, y)
        await asyncio.sleep(gap)
        await ann.page.mouse.click(x, y)
        await expect(ann.page.locator("#r-expedition")).to_contain_text(f"turn {turn + 1}/7")
        await asyncio.sleep(0.3)
        assert await _turn(ann) == turn + 1
    await ann.who.press(ann.tool("next"))
    await ann.answers(ann.mark)
    assert (await ann.shown())["pending"], "pressed once more, it answers"


@pytest.mark.parametrize("gap", GAPS)
async def test_a_double_tap_does_not_take_itself_back(
    meet: Meet, server: Server, gap: float
) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    code = f"bado-keli-mofu-su{'kms'[GAPS.index(gap)]}a"
    crew = await (await seated(meet, server, code, phone, {})).opened()
    ann = crew.markers[0]
    back = ann.who.button("Take back")
    for box in (await ann.page.locator("input[name=maps]").all())[:2]:
        await ann.who.hands.toggle(box)
    x, y = await _middle_of_mark(ann)
    await ann.page.touchscreen.tap(x, y)
    await asyncio.sleep(gap)
    await ann.page.touchscreen.tap(x, y)
    await asyncio.sleep(0.3)
    await expect(ann.page.locator("#r-turn")).to_contain_text("You are done.")
    place = await back.bounding_box()
    assert place
    assert 0 < x - place["x"] < place["width"], "it lies where the answer was pressed"
    assert 0 < y - place["y"] < place["height"], "it lies where the answer was pressed"
    await asyncio.sleep(0.3)
    await ann.page.touchscreen.tap(x, y)
    await ann.mark.wait_for()


async def test_a_key_that_is_held_answers_once(meet: Meet, server: Server) -> None:
    crew = await _at_the_first_turn(meet, server, "bado-keli-mofu-suti", {}, {})
    ann = crew.markers[0]
    for turn, place in enumerate(("#own", "form.ask button.main"), 1):
        await _bo_is_done(crew)
        await _a_square_without_symbol(ann)
        await ann.page.locator(place).focus()
        for _ in range(12):
            await ann.page.keyboard.down("Enter")
            await asyncio.sleep(0.04)
        await ann.page.keyboard.up("Enter")
        await expect(ann.page.locator("#r-expedition")).to_contain_text(f"turn {turn + 1}/7")
        assert await _turn(ann) == turn + 1


async def test_other_buttons_answer_at_once(meet: Meet, server: Server) -> None:
    crew = await _at_the_first_turn(meet, server, "bado-keli-mofu-suto", {}, {})
    ann = crew.markers[0]
    await _bo_is_done(crew)
    await _a_square_without_symbol(ann)
    await ann.answers(ann.mark)
    before = await ann.chosen()
    box = await ann.tool("next").bounding_box()
    assert box
    await ann.page.mouse.click(box["x"] + 20, box["y"] + 20)
    assert await ann.chosen() != before
