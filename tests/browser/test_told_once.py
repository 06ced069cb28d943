"""What is shown over a table goes when it has been seen: the news since my last move, the menu."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.person import PHONE, Person
from tests.browser.tables import Table, running


async def _with_news(meet: Meet) -> Table:
    """Has Ann at a phone come back to a table where Bo has played and drawn."""
    ann, bo = await meet("Ann", viewport=PHONE, has_touch=True), await meet("Bo")
    table = await running(ann, bo)
    first, second = table.seats
    await first.plays_on(table.code)
    await second.plays(table.code, (await second.shown(table.code))["prompt"]["legal"][0])
    await second.plays_on(table.code)
    return table


async def _comes_back(ann: Person) -> None:
    await ann.page.reload()
    await ann.is_live()


async def test_what_is_new_since_my_last_move_is_told_once(meet: Meet) -> None:
    table = await _with_news(meet)
    ann, note = table.ann, table.ann.page.locator(".away")
    await _comes_back(ann)
    await expect(note.locator("li")).to_have_count(2)
    await ann.press(ann.page.locator(".chat > summary"))
    await expect(note).to_have_count(0)
    await _comes_back(ann)
    await expect(note).to_have_count(0)


async def test_the_menu_closes_over_what_was_chosen_in_it(meet: Meet) -> None:
    ann, bo = await meet("Ann", viewport=PHONE, has_touch=True), await meet("Bo")
    await running(ann, bo)
    await ann.press(ann.page.locator("header .menu > summary"))
    await ann.press(ann.page.locator(".menu summary", has_text="End without a winner"))
    await ann.press(ann.page.locator(".menu").get_by_role("button", name="Agree to end"))
    await expect(ann.page.locator(".menu[open]")).to_have_count(0)
    await expect(ann.page.locator(".note.agreeing")).to_be_visible()
    await expect(bo.page.locator(".note.agreeing")).to_be_visible()


async def test_a_table_leaves_room_for_what_is_announced(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    await running(ann, bo)
    await ann.evaluate(
        "import(document.querySelector('script[src*=\"/house\"]').src)"
        ".then(({announce}) => announce({id: 'a', text: 'Down at eight. '.repeat(30)}))"
    )
    await expect(ann.page.locator("#announced")).to_contain_text("Down at eight.")
    await ann.page.wait_for_function(
        "document.documentElement.scrollHeight <= innerHeight"
        " && document.getElementById('announced').offsetHeight > 60"
    )
