"""A plain form that is pressed twice is sent once: two requests would make two players."""

from __future__ import annotations

import asyncio

from playwright.async_api import Request, Route, expect

from tests.browser.conftest import Meet

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
