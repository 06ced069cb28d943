"""axe finds nothing serious on any page, in light and dark."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.person import PHONE, Person
from tests.browser.remote import play_until
from tests.browser.tables import running, two

BAD = {"serious", "critical"}
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
"""Colours that are on their way from light to dark are not looked at."""


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
async def test_pages_before_a_game(meet: Meet, viewport: dict[str, int] | None) -> None:
    size = STILL | ({"viewport": viewport} if viewport else {})
    ann, bo, cy = [await meet(name, **size) for name in ("Ann", "Bo", "Cy")]
    cy.troubles.expect("404", "422")
    for path in ("/", "/new/lost_cities", "/rules/lost_cities"):
        await cy.page.goto(path)
        await _sound(cy, path)
    await cy.page.goto("/r/bado-keli-mofu-nixi")
    await _sound(cy, "unknown code")
    await cy.page.goto("/nowhere")
    await _sound(cy, "nothing here")
    link = await ann.opens_room()
    await _sound(ann, "lobby, host alone")
    await bo.follows(link)
    await _sound(bo, "sit down")
    await bo.sits_down()
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])
    await ann.press(ann.page.locator("summary", has_text="Change"))
    await ann.press(ann.page.locator("header summary"))
    await _sound(ann, "lobby, host")
    await bo.press(bo.page.locator("summary", has_text="The shuffle is promised"))
    await _sound(bo, "lobby, guest")
    await cy.follows(link)
    await _sound(cy, "full")


async def test_the_start(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    await bo.follows(link)
    await bo.sits_down()
    await bo.page.close()  # does not give its part: the start waits for it
    await ann.press(ann.button("Start the game"))
    await ann.main("starting").wait_for()
    await _sound(ann, "starting", once=True)
    await ann.sees_the_table()


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
async def test_pages_of_a_game(meet: Meet, viewport: dict[str, int] | None) -> None:
    size = STILL | ({"viewport": viewport} if viewport else {})
    ann, bo, cy = [await meet(name, **size) for name in ("Ann", "Bo", "Cy")]
    table = await running(ann, bo, left=12, colours=6)
    await cy.follows(table.link)
    await _sound(cy, "spectator")
    await _sound(bo, "not my turn")
    await ann.chooses((await ann.hand())[0])
    await _sound(ann, "my turn, a card chosen")
    await ann.acts("discard")
    await _sound(ann, "my turn, to draw")
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.locator("summary", has_text="Give up"))
    await _sound(ann, "menu")
    await ann.page.goto(f"/r/{table.code}/log")
    await _sound(ann, "log")
    await play_until(table.code, 0, *table.seats)
    await bo.result.wait_for()
    await bo.press(bo.page.locator("summary", has_text="How the cards were shuffled"))
    await _sound(bo, "end")


async def test_axe_would_find_something(meet: Meet) -> None:
    """The check itself: a page with a fault does not pass."""
    table = await two(meet)
    await table.ann.evaluate(
        "() => { document.querySelector('h1').outerHTML = '<img src=\"data:,\" width=9>' }"
    )
    with pytest.raises(AssertionError, match="image-alt"):
        await _sound(table.ann, "spoiled")


async def _sound(person: Person, where: str, *, once: bool = False) -> None:
    """Nothing serious in light; and in dark, what can differ there: contrast."""
    page = person.page
    axe = Axe()
    found = (await axe.run(page)).response["violations"]
    wide = page.viewport_size is None or page.viewport_size["width"] > PHONE["width"]
    if wide and not once:
        await page.emulate_media(color_scheme="dark")
        only = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
        found += (await axe.run(page, options=only)).response["violations"]
        await page.emulate_media(color_scheme="light")
    bad = [
        f"{one['id']} ({one['impact']}): {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in BAD
        for node in one["nodes"]
    ]
    assert not bad, f"{where}:\n" + "\n".join(bad)
