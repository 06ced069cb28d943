"""From the home page to the score sheet, by clicking, with people who watch."""

from __future__ import annotations

import re

from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.person import number
from tests.browser.tables import two

CONTROLS = "main form, main button:not([data-share]), .hand"
"""What somebody who only watches must not have."""
TURNS = 44
"""Five colours leave 44 cards in the deck; here each turn takes one."""


async def test_two_play_a_whole_game_while_a_third_watches(meet: Meet) -> None:
    ann, bo, cy, dan = [await meet(name) for name in ("Ann", "Bo", "Cy", "Dan")]
    link = await ann.opens_room(first=0)
    assert (ann.typed, ann.pressed) == (1, 2)
    await cy.follows(link)
    await expect(cy.page.get_by_text("Ann invites you to this table.")).to_be_visible()
    await bo.follows(link)
    await bo.sits_down()
    assert (bo.typed, bo.pressed) == (1, 1), "a new guest: one field and one click"
    await expect(cy.page.get_by_role("heading", name="This table is full")).to_be_visible()
    await dan.follows(link)
    await expect(dan.page.get_by_role("heading", name="This table is full")).to_be_visible()
    assert await dan.button("Sit down").count() == 0
    await ann.starts()
    for person in (bo, cy, dan):
        await person.sees_the_table()
    await expect(dan.page.get_by_text("All seats are taken and the game is on.")).to_be_visible()
    for turn in range(TURNS):
        await (bo if turn % 2 else ann).takes_turn()
        if turn in {0, 20}:
            assert await cy.page.locator(CONTROLS).count() == 0
            await expect(cy.page.locator(".result")).to_have_count(0)
    sheets = [await person.final_sheet() for person in (ann, bo, cy)]
    assert _by_name(sheets[0]) == _by_name(sheets[1]) == _by_name(sheets[2])
    assert len(sheets[0]) == 7
    totals = [number(text) for text in sheets[0][-1][1:]]
    won = (
        "You win!" if totals[0] > totals[1] else "Bo wins!" if totals[0] < totals[1] else "A draw!"
    )
    await expect(ann.result.get_by_role("heading").first).to_have_text(won)
    assert await cy.page.locator(CONTROLS).count() == 0


async def test_a_returning_browser_sits_down_with_one_click(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    await bo.remote()
    await bo.follows(await ann.opens_room())
    assert await bo.page.locator("main input[name=name]").count() == 0
    await bo.sits_down()
    assert (bo.typed, bo.pressed) == (0, 1)
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])


async def test_opening_the_link_seats_nobody(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    await bo.remote()
    for _ in range(3):
        await bo.follows(link)
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann"])


async def test_the_host_arranges_and_the_guest_sees_it(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    await bo.follows(link)
    await bo.sits_down()
    await ann.press(ann.button("Move Bo one seat up"))
    await expect(bo.page.locator(".seat bdi")).to_have_text(["Bo", "Ann"])
    await ann.press(ann.page.locator("summary", has_text="Change"))
    await ann.hands.choose(ann.page.locator('input[name="option.rounds"][value="3"]'))
    await ann.press(ann.button("Keep these"))
    await expect(bo.page.locator(".facts")).to_contain_text("Three rounds")
    await ann.press(ann.button("Remove Bo from the table"))
    await expect(bo.page.locator("#wire")).to_contain_text("You no longer have a seat")
    await bo.sits_down()
    await ann.press(ann.button("Leave the table"))
    await bo.page.get_by_text("host", exact=True).wait_for()
    assert await bo.button("Start the game").is_disabled()


async def test_a_move_is_taken_back_and_a_game_given_up(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    hand = await ann.hand()
    await ann.discards(hand[0])
    await expect(bo.page.locator("#r-log li").first).to_contain_text("Ann discarded")
    await ann.takes_back()
    assert await ann.hand() == hand
    await expect(bo.page.locator("#r-log li").first).to_have_text("Ann took the last move back.")
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.locator("summary", has_text="Give up"))
    await ann.press(ann.button("Give the game up"))
    await expect(bo.result.get_by_role("heading").first).to_have_text("You win!")
    await expect(ann.result.get_by_role("heading").first).to_have_text("Bo wins!")


async def test_an_unknown_code_says_so(meet: Meet) -> None:
    ann = await meet("Ann")
    ann.troubles.expect("404")
    await ann.page.goto("/r/bado-keli-mofu-nixi")
    await expect(ann.page.get_by_role("heading")).to_have_text("No table has this link")
    await expect(ann.button("To the games")).to_be_visible()


def _by_name(sheet: list[list[str]]) -> list[dict[str, str]]:
    """Returns the rows with the names of the head as keys: each viewer's own column is first."""
    names = [re.sub(r"\W", "", name) for name in sheet[0][1:]]
    return [
        {
            "row": row[0],
            **{
                name: re.sub(r"\s*not begun", "", text)
                for name, text in zip(names, row[1:], strict=True)
            },
        }
        for row in sheet[1:]
    ]
