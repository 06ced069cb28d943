"""Without JavaScript every page is a plain form, and a whole game can be played."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.remote import play_until


@pytest.mark.faults
async def test_a_whole_game_without_javascript(meet: Meet) -> None:
    ann = await meet("Ann", java_script_enabled=False)
    bo = await meet("Bo", java_script_enabled=False)
    link = await ann.opens_room(first=0)
    code = link.rsplit("/", 1)[1]
    await bo.follows(link)
    await bo.sits_down()
    await ann.looks_again()
    await ann.starts()
    await ann.takes_turn()
    await _comes_by_itself(bo)
    await bo.takes_turn()
    for left in (24, 2):
        await play_until(code, left, await ann.remote(), await bo.remote())
        for person in (ann, bo):
            await person.looks_again()
        first, second = (ann, bo) if await ann.ask.count() else (bo, ann)
        await first.takes_turn()
        await _comes_by_itself(second)
        await second.takes_turn()
    await first.result.wait_for()
    assert [row[0] for row in await ann.final_sheet()] == [row[0] for row in await bo.final_sheet()]


async def test_the_page_refreshes_by_itself_only_while_i_owe_nothing(meet: Meet) -> None:
    ann = await meet("Ann", java_script_enabled=False)
    bo = await meet("Bo", java_script_enabled=False)
    link = await ann.opens_room(first=0)
    assert await _refreshes(ann) is False, "the host may be reading or arranging"
    await bo.follows(link)
    assert await _refreshes(bo) is False, "a name is being typed"
    await bo.sits_down()
    assert await _refreshes(bo) is True
    await ann.looks_again()
    await ann.starts()
    assert await _refreshes(ann) is False
    await bo.loads(link)
    assert await _refreshes(bo) is True
    card = (await ann.hand())[0]
    await ann.discards(card)
    assert await _refreshes(ann) is False, "the draw is still owed"
    await ann.draws()
    assert await _refreshes(ann) is True


async def test_a_refused_move_is_explained_on_the_page(meet: Meet) -> None:
    ann = await meet("Ann", java_script_enabled=False)
    bo = await meet("Bo", java_script_enabled=False)
    link = await ann.opens_room(first=0)
    await bo.follows(link)
    await bo.sits_down()
    await ann.looks_again()
    await ann.starts()
    old = await ann.another_tab()
    await ann.takes_turn()
    old.troubles.expect("409")  # the old tab still shows the question that has been answered
    await old.chooses((await old.hand())[-1])
    await old.press(old.ask.locator('button[value="discard"] >> visible=true'))
    await expect(old.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_be_visible()
    assert await _refreshes(old) is True
    async with old.page.expect_navigation(timeout=10_000):
        pass
    assert old.page.url == link, "the refused form's own address is nothing to look at"


async def _comes_by_itself(person: Person) -> None:
    """The page is left alone until it shows that it is the person's turn."""
    await person.ask.wait_for()


async def _refreshes(person: Person) -> bool:
    found = re.search(r'<meta http-equiv="refresh"', await person.page.content())
    return found is not None


async def test_nothing_is_shown_that_only_a_script_could_do(meet: Meet) -> None:
    ann = await meet("Ann", java_script_enabled=False)
    link = await ann.opens_room()
    await expect(ann.page.get_by_label("Link to this table")).to_have_value(link)
    for name in ("Copy", "Send"):
        await expect(ann.page.get_by_role("button", name=name)).to_have_count(0)
    bo = await meet("Bo")
    await bo.follows(link)
    await bo.press(bo.page.get_by_text("Invite a friend"))
    await expect(bo.page.get_by_role("button", name="Copy")).to_be_visible()
    await expect(bo.page.get_by_text(", here")).to_have_count(1)
