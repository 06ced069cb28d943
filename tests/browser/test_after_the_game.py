"""What friends do at the end of a game: play again, end it together, go on to the next one."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.tables import running, two

ELSEWHERE = "Another game waits"
LOOKED_AGAIN = """() => {
  document.dispatchEvent(new Event("visibilitychange"));
  return !document.querySelector("[data-elsewhere]").hidden;
}"""
"""Comes back to the page until it shows the way on; by itself it looks twice a minute."""


async def test_one_press_of_rematch_takes_everybody_along(meet: Meet) -> None:
    table = await two(meet)
    ann, bo, cy = table.ann, table.bo, await meet("Cy")
    await cy.follows(table.link)
    await table.seats[0].does(table.code, "concede")
    for person in (ann, bo, cy):
        await person.result.wait_for()
    assert await cy.button("Rematch").count() == 0
    await bo.press(bo.button("Rematch"))
    for person in (bo, ann, cy):
        await person.page.wait_for_url(lambda url: "/r/" in url and table.code not in url)
        await person.is_live()
    assert ann.page.url == bo.page.url == cy.page.url
    await expect(cy.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])
    await expect(cy.page.locator(".seat .tag")).to_have_text(["host"])
    assert await cy.button("Sit down").count() == 0
    await expect(ann.page.locator('main[data-promised="yes"]')).to_be_visible()
    await ann.starts()
    await bo.sees_the_table()
    await cy.sees_the_table()
    await expect(bo.ask).to_be_visible()  # Ann began the first game
    # Who opens the first table again stays there, and can go on from it.
    await ann.follows(table.link)
    await ann.press(ann.button("To the next game"))
    await ann.sees_the_table()


async def test_a_game_is_ended_together_and_the_host_leaves(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.locator("summary", has_text="End without a winner"))
    await ann.press(ann.button("Agree to end"))
    note = bo.page.locator(".agreeing")
    await expect(note).to_contain_text("1 of 2 agree")
    await expect(bo.page.locator("#r-log li").first).to_contain_text("Ann agreed to end the game")
    await ann.press(ann.page.locator(".agreeing").get_by_role("button", name="Play on"))
    await expect(note).to_have_count(0)
    await expect(bo.page.locator("#r-log li").first).to_have_text("Ann plays on.")
    await table.seats[1].does(table.code, "end")
    await ann.press(ann.page.locator(".agreeing").get_by_role("button", name="Agree to end"))
    for person in (ann, bo):
        await expect(person.result.get_by_role("heading").first).to_have_text(
            "Ended without a winner"
        )
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.locator("summary", has_text="Leave the table"))
    await ann.press(ann.button("Leave as host"))
    await ann.page.wait_for_url("**/games")
    await expect(ann.page.locator(".mine")).to_contain_text("ended without a winner")
    await bo.press(bo.button("Rematch"))
    await expect(bo.page.locator(".seat").nth(1)).to_contain_text("host")
    await expect(bo.page.locator(".seat").nth(0)).to_contain_text("seat held")


async def test_one_click_goes_to_the_next_game_that_waits_for_me(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    first = await running(ann, bo)
    second = await running(ann, bo)
    await expect(ann.page.get_by_role("link", name=ELSEWHERE)).to_be_visible()
    await ann.page.goto("/games")
    await expect(ann.page.locator(".mine .now")).to_have_count(2)
    assert await first.seats[0].plays_on(first.code)
    await ann.follows(second.link)
    await expect(ann.page.get_by_role("link", name=ELSEWHERE)).to_have_count(0)
    assert await second.seats[0].plays_on(second.code)
    await bo.follows(first.link)
    await expect(ann.ask).to_have_count(0)
    assert await first.seats[1].plays_on(first.code)
    await ann.page.wait_for_function(LOOKED_AGAIN)
    await expect(ann.page.get_by_role("link", name=ELSEWHERE)).to_be_visible()
    await ann.press(ann.page.get_by_role("link", name=ELSEWHERE))
    await ann.page.wait_for_url(re.compile(first.code))
    await expect(ann.ask).to_be_visible()
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.get_by_role("link", name="My games"))
    await expect(ann.page.locator(".mine .now")).to_have_count(1)
