"""What tells me that it is my turn, what a screen reader hears, and what moves on the page."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.tables import two

COUNT_TRANSITIONS = """(() => {
    window.transitions = 0
    const begin = document.startViewTransition
    document.startViewTransition = function (...all) {
        window.transitions += 1
        return begin.apply(this, all)
    }
})()"""


async def test_title_and_icon_say_that_it_is_my_turn(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    icon = "() => document.getElementById('icon').href"
    await expect(ann.page).to_have_title("● Your turn · Lost Cities · Motherlode")
    await expect(bo.page).to_have_title("Lost Cities · Motherlode")
    mine, calm = await ann.evaluate(icon), await bo.evaluate(icon)
    assert mine != calm
    assert "icon-turn" in mine
    await ann.takes_turn()
    await expect(ann.page).to_have_title("Lost Cities · Motherlode")
    await expect(bo.page).to_have_title("● Your turn · Lost Cities · Motherlode")
    assert await ann.evaluate(icon) == calm
    assert await bo.evaluate(icon) == mine


async def test_the_live_region_speaks_the_others_move(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    spoken = bo.page.locator('[aria-live="polite"]#r-speech')
    await expect(spoken).to_have_count(1)
    before = await bo.page.locator("#r-speech").evaluate_handle("one => one")
    await ann.discards((await ann.hand())[0])
    await expect(spoken).to_contain_text(re.compile(r"Ann discarded (a )?\w+ \w+\."))
    await ann.draws()
    await expect(spoken).to_contain_text("Ann drew from the deck; 43 left.")
    await expect(spoken).to_contain_text("Your turn.")
    same = await bo.page.locator("#r-speech").evaluate("(one, old) => one === old", before)
    assert same, "a reader only hears changes inside an element that stays"


async def test_pieces_travel_and_input_is_not_held_up(meet: Meet) -> None:
    table = await two(meet)
    ann = table.ann
    await ann.page.add_init_script(COUNT_TRANSITIONS)
    await ann.page.reload()
    await ann.is_live()
    await ann.takes_turn()
    assert await ann.evaluate("() => window.transitions") > 0


async def test_nothing_moves_with_reduced_motion(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    await ann.page.emulate_media(reduced_motion="reduce")
    await ann.page.add_init_script(COUNT_TRANSITIONS)
    await ann.page.reload()
    await ann.is_live()
    await ann.takes_turn()
    await bo.takes_turn()
    await ann.ask.wait_for()
    assert await ann.evaluate("() => window.transitions") == 0
    moving = await ann.evaluate("() => document.getAnimations().length")
    assert moving == 0


async def test_only_what_i_may_know_has_a_name_in_the_page(meet: Meet) -> None:
    table = await two(meet, left=30)
    ann, bo, cy = table.ann, table.bo, await meet("Cy")
    await cy.follows(table.link)
    for turn in range(3):
        await (bo if turn % 2 else ann).takes_turn()
        await (ann if turn % 2 else bo).ask.wait_for()
        await expect(cy.page.locator("#r-deck b")).to_have_text(str(29 - turn))
        shown = [(await seat.shown(table.code))["view"] for seat in table.seats]
        public = _public(shown[0])
        assert await _named(ann.page) <= public | set(shown[0]["hand"])
        assert await _named(bo.page) <= public | set(shown[1]["hand"])
        assert await _named(cy.page) <= public
        assert set(shown[1]["hand"]) <= await _named(bo.page), "the search finds what is there"


async def _named(page: Any) -> set[str]:
    return set(
        await page.evaluate(
            "() => [...document.querySelectorAll('[data-piece]')].map((one) => one.dataset.piece)"
        )
    )


def _public(view: dict[str, Any]) -> set[str]:
    lying = {card for side in view["expeditions"] for cards in side.values() for card in cards}
    return lying | {pile["top"] for pile in view["piles"].values() if pile["top"]}
