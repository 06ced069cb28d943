"""From the link to a seat: what a friend with a phone has to do, counted as it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.async_api import BrowserContext, expect

from tests.browser.conftest import Meet
from tests.browser.hands import Finger
from tests.browser.person import PHONE, Person
from tests.browser.remote import Remote

MOST_SECONDS = 10.0
COUNT = """(() => {
    const told = new WeakSet()
    addEventListener('click', ({isTrusted, target}) => {
        const text = target.closest('input[type=text], label:has(input[type=text])')
        if (isTrusted && !text) window.counted('click')
    }, true)
    addEventListener('input', ({target}) => {
        if (!told.has(target)) window.counted('field')
        told.add(target)
    }, true)
})()"""
"""A tap into a text field belongs to filling it in; any other one is a click."""


async def counting(context: BrowserContext) -> list[str]:
    """Returns what somebody does in their browser from now on: `click` or `field` for each."""
    done: list[str] = []

    def count(what: str) -> None:
        done.append(what)

    await context.expose_function("counted", count)
    await context.add_init_script(COUNT)
    return done


async def sits(friend: Person, link: str, name: str | None, done: list[str]) -> list[str]:
    """Goes from the link to a seat by what the page shows; returns what that took."""
    done.clear()
    began = time.monotonic()
    await friend.page.goto(link)
    if name is not None:
        await friend.types(friend.page.locator("main input[name=name]"), name)
    leave = friend.button("Leave the table")
    sit = friend.button("Sit down")
    await expect(leave.or_(sit).first).to_be_visible()
    if await sit.is_visible():
        await friend.press(sit)
    await expect(leave).to_be_visible()
    assert time.monotonic() - began < MOST_SECONDS
    return list(done)


async def test_a_field_and_a_click_at_first_and_later_a_click_at_most(
    meet: Meet, remote: Callable[[str], Any]
) -> None:
    bo = await meet("Bo", viewport=PHONE, has_touch=True, is_mobile=True)
    bo.hands = Finger()
    done = await counting(bo.context)
    ann: Remote = await remote("Ann")
    links = [f"/r/{await ann.opens_room(game)}" for game in ("lost_cities", "take_the_gold")]
    assert await sits(bo, links[0], "Bo", done) == ["field", "click"]
    assert await sits(bo, links[1], None, done) == ["click"]
    assert await sits(bo, links[0], None, done) == [], "the seat is still Bo's"
    await expect(bo.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])
