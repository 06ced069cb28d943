"""axe finds nothing serious on any page, in light and dark."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.looks import SIZES, sound
from tests.browser.remote import play_until
from tests.browser.tables import running, two

STILL: dict[str, Any] = {"reduced_motion": "reduce"}
"""Colours that are on their way from light to dark are not looked at."""


@pytest.mark.parametrize("viewport", SIZES)
async def test_pages_before_a_game(meet: Meet, viewport: dict[str, int] | None) -> None:
    size = STILL | ({"viewport": viewport} if viewport else {})
    ann, bo, cy = [await meet(name, **size) for name in ("Ann", "Bo", "Cy")]
    cy.troubles.expect("404", "422")
    for path in ("/", "/new/lost_cities", "/rules/lost_cities"):
        await cy.page.goto(path)
        await sound(cy, path)
    await cy.page.goto("/r/bado-keli-mofu-nixi")
    await sound(cy, "unknown code")
    await cy.page.goto("/nowhere")
    await sound(cy, "nothing here")
    link = await ann.opens_room()
    await sound(ann, "lobby, host alone")
    await bo.follows(link)
    await sound(bo, "sit down")
    await bo.sits_down()
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])
    await ann.press(ann.page.locator("summary", has_text="Change"))
    await ann.press(ann.page.locator("header summary"))
    await sound(ann, "lobby, host")
    await bo.press(bo.page.locator("summary", has_text="The shuffle is promised"))
    await sound(bo, "lobby, guest")
    await cy.follows(link)
    await sound(cy, "full")


async def test_the_start(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    await bo.follows(link)
    await bo.sits_down()
    await bo.page.close()  # does not give its part: the start waits for it
    await ann.press(ann.button("Start the game"))
    await ann.main("starting").wait_for()
    await sound(ann, "starting", once=True)
    await ann.sees_the_table()


@pytest.mark.parametrize("viewport", SIZES)
async def test_pages_of_a_game(meet: Meet, viewport: dict[str, int] | None) -> None:
    size = STILL | ({"viewport": viewport} if viewport else {})
    ann, bo, cy = [await meet(name, **size) for name in ("Ann", "Bo", "Cy")]
    table = await running(ann, bo, left=12, colours=6)
    await cy.follows(table.link)
    await sound(cy, "spectator")
    await cy.page.keyboard.press("ArrowLeft")
    await expect(cy.page.locator(".felt.bygone")).to_be_visible()
    await sound(cy, "looking back")
    await sound(bo, "not my turn")
    await ann.chooses((await ann.hand())[0])
    await sound(ann, "my turn, a card chosen")
    await ann.acts("discard")
    await sound(ann, "my turn, to draw")
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.locator("summary", has_text="Give up"))
    await sound(ann, "menu")
    await ann.page.goto(f"/r/{table.code}/log")
    await sound(ann, "log")
    await play_until(table.code, 0, *table.seats)
    await bo.result.wait_for()
    await bo.press(bo.page.locator("summary", has_text="How chance was drawn"))
    await sound(bo, "end")
    await bo.page.goto(f"/r/{table.code}/back?at=7&as=0")
    await sound(bo, "a step as the other one saw it")
    await bo.page.goto(f"/verify?room={table.code}")
    await expect(bo.page.locator("#result")).to_be_visible()
    await sound(bo, "what a record proves")


async def test_axe_would_find_something(meet: Meet) -> None:
    """The check itself: a page with a fault does not pass."""
    table = await two(meet)
    await table.ann.evaluate(
        "() => { document.querySelector('h1').outerHTML = '<img src=\"data:,\" width=9>' }"
    )
    with pytest.raises(AssertionError, match="image-alt"):
        await sound(table.ann, "spoiled")
