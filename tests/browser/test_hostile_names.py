"""Whatever somebody calls themselves is text, wherever it is shown, and nothing else."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet

NAMES = [
    ("<svg/onload=alert(1)>", '"><img src=x onerror=x>'),
    ("{{7*7}}${7*7}%(x)s", "</script></title><b>Bo"),
    ("Bo\N{FAMILY}\N{ZERO WIDTH JOINER}\N{FIRE}", "'; -- &amp; \\u202e"),
    ("\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET} (host)", "W" * 24),
]


@pytest.mark.parametrize(("first", "second"), NAMES)
async def test_a_name_is_only_text(meet: Meet, first: str, second: str) -> None:
    ann, bo = await meet(first), await meet(second)
    link = await ann.opens_room(first=0)
    await bo.follows(link)
    await expect(bo.page.locator("#r-heading bdi")).to_have_text(first)
    await bo.sits_down()
    for person in (ann, bo):
        await expect(person.page.locator(".seat bdi")).to_have_text([first, second])
    await ann.starts()
    await bo.sees_the_table()
    await ann.takes_turn()
    for person, shown in ((ann, [second, first]), (bo, [first, second])):
        await expect(person.page.locator(".chip bdi")).to_have_text(shown)
    await expect(bo.page.locator("#r-log bdi").first).to_have_text(first)
    await expect(ann.page.locator("#r-turn bdi")).to_have_text(second)
    await bo.press(bo.page.locator("summary", has_text="Menu"))
    await bo.press(bo.page.locator("summary", has_text="Give up"))
    await bo.press(bo.button("Give the game up"))
    await expect(bo.result.locator("h2 bdi")).to_have_text(first)
    await expect(bo.result.locator("thead bdi")).to_have_text([second, first])
    code = link.rsplit("/", 1)[1]
    await ann.page.goto(f"/r/{code}/log")
    await expect(ann.page.locator(".lines bdi").first).to_have_text(second)
    for person in (ann, bo):
        await expect(person.page.locator("img:not(.qr), b:has-text('Bo'):not(.k)")).to_have_count(0)
        assert "Lost Cities" in await person.page.title()
        fits = "() => document.documentElement.scrollWidth <= innerWidth"
        assert await person.evaluate(fits)


async def test_marks_that_turn_the_text_round_are_taken_out(meet: Meet) -> None:
    ann = await meet("\u202eevil\u2066\u200b Ann\u0000\t")
    await ann.opens_room()
    await expect(ann.page.locator(".seat bdi")).to_have_text("evil Ann")


async def test_names_that_look_alike_are_told_apart(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("\N{CYRILLIC CAPITAL LETTER A}nn ")
    link = await ann.opens_room()
    await bo.follows(link)
    await bo.sits_down()
    shown = ["Ann", "\N{CYRILLIC CAPITAL LETTER A}nn (2)"]
    await expect(ann.page.locator(".seat bdi")).to_have_text(shown)


@pytest.mark.parametrize(("name", "told"), [("A" * 500, "too long"), ("\u200b\u202e ", "empty")])
async def test_a_name_that_cannot_be_is_refused_with_a_reason(
    meet: Meet, name: str, told: str
) -> None:
    ann = await meet(name)
    ann.troubles.expect("422")
    await ann.page.goto("/new/lost_cities")
    await ann.evaluate("() => document.querySelector('main input[name=name]').maxLength = 999")
    await ann.types(ann.page.locator("main input[name=name]"), name)
    await ann.press(ann.button("Open the table"))
    await expect(ann.page.get_by_role("alert")).to_contain_text(told)
