"""By keyboard alone, by finger on a small phone, and over an address without a secure context."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.hands import Finger, Keys
from tests.browser.looks import fits, focused
from tests.browser.person import DESKTOP, HOUSE_NAME, PHONE, Person
from tests.browser.remote import play_until
from tests.servers import Server


@pytest.mark.faults
async def test_a_whole_game_by_keyboard(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    ann.hands = bo.hands = Keys()
    link = await ann.opens_room(first=0, rounds=1)
    code = link.rsplit("/", 1)[1]
    await bo.follows(link)
    await bo.sits_down()
    await ann.starts()
    await bo.sees_the_table()
    await focused(bo, "after the deal")
    other = await bo.remote()
    for turn in range(22):
        await ann.ask.wait_for()
        if turn:
            await focused(ann, "after the other's move")
        await ann.takes_turn()
        await focused(ann, "after my move")
        if turn in {0, 10}:
            await bo.takes_turn()
            await focused(bo, "after my move")
        else:
            assert await other.plays_on(code)
    await ann.result.wait_for()
    await focused(ann, "at the end")
    await ann.press(ann.button("Save the record").or_(ann.button("Rematch")).first)


async def test_take_back_and_give_up_by_keyboard(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    ann.hands = Keys()
    link = await ann.opens_room(first=0)
    await bo.follows(link)
    await bo.sits_down()
    await ann.starts()
    hand = await ann.hand()
    card = ann.page.locator(f'.hand label:has([data-piece="{hand[2]}"]) .vh').first
    words = await card.text_content()
    await ann.discards(hand[2])
    await expect(ann.button("Take back")).to_have_text(f"Take back: {words}")
    await ann.takes_back()
    await focused(ann, "after taking back")
    assert await ann.hand() == hand
    await ann.discards(hand[3])
    await ann.page.keyboard.press("Control+z")
    await expect(ann.button("Take back")).to_have_count(0)
    await focused(ann, "after taking back by its key")
    assert await ann.hand() == hand
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.locator("summary", has_text="Give up"))
    await ann.press(ann.button("Give the game up"))
    await expect(bo.result.get_by_role("heading").first).to_have_text("You win!")
    await expect(ann.result).to_be_visible()
    await expect(ann.page.locator("details.menu[open]")).to_have_count(0)
    await focused(ann, "at the end")


@pytest.mark.faults
async def test_a_game_by_finger_on_a_small_phone(meet: Meet) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    ann, bo = await meet("Ann", **phone), await meet("Bo", **phone)
    ann.hands = bo.hands = Finger()
    await ann.page.goto("/")
    await fits(ann, "home")
    await ann.page.goto("/new/lost_cities")
    await fits(ann, "new")
    await ann.page.goto("/rules/lost_cities")
    await fits(ann, "rules")
    link = await ann.opens_room(first=0, colours=6)
    code = link.rsplit("/", 1)[1]
    await fits(ann, "lobby, alone")
    await bo.follows(link)
    await fits(bo, "to sit down")
    await bo.sits_down()
    await bo.page.get_by_text("You have a seat.").wait_for()
    await fits(bo, "lobby, guest")
    await fits(ann, "lobby, host")
    await ann.starts()
    await bo.sees_the_table()
    for left in (50, 20, 2):
        await play_until(code, left, await ann.remote(), await bo.remote())
        for person in (ann, bo):
            await person.page.reload()
            await person.is_live()
        first, second = (ann, bo) if await ann.ask.count() else (bo, ann)
        await fits(second, "not my turn")
        await _turn_that_fits(first)
        await _turn_that_fits(second)
    await ann.result.wait_for()
    await fits(ann, "end")
    await ann.page.goto(f"/r/{code}/log")
    await fits(ann, "log")


@pytest.mark.faults
async def test_over_an_address_without_a_secure_context(meet: Meet, house: Server) -> None:
    url = f"http://{HOUSE_NAME}:{house.port}"
    ann, bo = await meet("Ann", url=url), await meet("Bo", url=url)
    link = await ann.opens_room(first=0)
    assert await ann.evaluate("() => window.isSecureContext") is False
    assert link.startswith(url)
    await ann.press(ann.button("Copy"))
    await expect(ann.page.locator("#wire")).to_be_visible()
    chosen = await ann.evaluate("() => getSelection().toString()")
    assert chosen == link, "where copying is not allowed the link stands selected"
    await bo.follows(link)
    await bo.sits_down()
    await ann.starts()
    await bo.sees_the_table()
    await ann.takes_turn()
    await bo.takes_turn()
    code = link.rsplit("/", 1)[1]
    seats = [await ann.remote(), await bo.remote()]
    await play_until(code, 1, *seats)
    mover = ann if (await seats[0].shown(code))["prompt"] else bo
    await mover.page.reload()  # what the page is about to be told comes with it
    await mover.is_live()
    await mover.takes_turn()
    record = await seats[0].record(code)
    assert all(record["hashes"]), "each browser promised its part of the shuffle"
    assert all(record["entries"][0]["body"]["r"]), "and gave it"
    await ann.press(ann.page.locator("summary", has_text="How chance was drawn"))
    await expect(ann.page.get_by_text("Consistent: this browser kept")).to_be_visible()


async def _turn_that_fits(person: Person) -> None:
    await person.ask.wait_for()
    await fits(person, "my turn")
    await _my_side_in_sight(person)
    cards = await person.hand()
    await person.chooses(cards[0])
    await fits(person, "a card is chosen")
    await person.acts("discard")
    await fits(person, "to draw")
    await _my_side_in_sight(person)
    await person.draws()


async def _my_side_in_sight(person: Person) -> None:
    """The bar covers nothing of the board, and nothing has to be scrolled."""
    for size in (DESKTOP, PHONE):
        await person.page.set_viewport_size(size)
        seen = await person.evaluate(_ABOVE_THE_BAR)
        assert seen["lowest"] <= seen["bar"], f"{size}: the bar covers the board: {seen}"
        assert seen["height"] <= size["height"], f"{size}: has to be scrolled: {seen}"


_ABOVE_THE_BAR = """async () => {
    await Promise.allSettled(document.getAnimations().map(one => one.finished))
    const bottom = one => one.getBoundingClientRect().bottom
    return {
        bar: document.querySelector('.bar').getBoundingClientRect().top,
        height: document.documentElement.scrollHeight,
        lowest: Math.max(...[...document.querySelectorAll('.lost-cities :is(.c, .sum, .chip)')]
            .map(bottom)),
    }
}"""
