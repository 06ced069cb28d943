"""What I have begun stays as it is, whatever the others do."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.tables import two

MARK = """() => {
    document.querySelector('form.ask').mine = document.getElementById('r-prompt').mine = true
}"""
KEPT = """() => Boolean(document.querySelector('form.ask').mine
    && document.getElementById('r-prompt').mine)"""


async def test_the_region_of_my_prompt_is_not_replaced(meet: Meet) -> None:
    table = await two(meet, left=40)
    ann, bo = table.ann, table.bo
    card = (await ann.hand())[3]
    await ann.chooses(card)
    await ann.evaluate(MARK)
    focus = await ann.evaluate("() => document.activeElement.id")
    assert focus, "a chosen card has the focus"

    await bo.page.close()
    await expect(ann.page.locator("#r-players")).to_contain_text("away")
    bo.page = await bo.context.new_page()
    await bo.follows(table.link)
    await expect(ann.page.locator("#r-players")).not_to_contain_text("away")
    cy = await meet("Cy")
    await cy.follows(table.link)
    await cy.is_live()
    again = await ann.another_tab()
    await again.page.close()
    bo2 = await bo.another_tab()
    await bo2.page.reload()
    await bo2.is_live()

    assert await ann.evaluate(KEPT), "the node of my prompt is the same"
    assert await ann.evaluate("() => document.activeElement.id") == focus
    await expect(ann.ask.locator(f'input[value="{card}"]:checked')).to_have_count(1)
    await ann.acts("discard")
    assert await ann.page.evaluate("() => document.getElementById('r-prompt').mine === true")


async def test_options_half_changed_stay_in_the_lobby(meet: Meet) -> None:
    ann, bo, cy = await meet("Ann"), await meet("Bo"), await meet("Cy")
    link = await ann.opens_room()
    await ann.press(ann.page.locator("summary", has_text="Change"))
    three = ann.page.locator('input[name="option.rounds"][value="3"]')
    await ann.hands.choose(three)
    await three.focus()
    await bo.follows(link)
    await bo.sits_down()
    await cy.follows(link)
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])
    await expect(ann.page.get_by_text("1 watching")).to_be_visible()
    await bo.press(bo.button("Leave the table"))
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann"])
    await expect(three).to_be_checked()
    await expect(three).to_be_focused()
    await ann.press(ann.button("Keep these"))
    await expect(ann.page.locator(".facts")).to_contain_text("Three rounds")


async def test_a_name_half_typed_stays(meet: Meet) -> None:
    ann, bo, cy = await meet("Ann"), await meet("Bo"), await meet("Cy")
    link = await ann.opens_room()
    await bo.follows(link)
    field = bo.page.locator("main input[name=name]")
    await bo.types(field, "Bojan the gr")
    await cy.follows(link)
    await ann.page.reload()
    await expect(
        bo.page.get_by_text("1 watching").or_(bo.page.get_by_text("2 watching"))
    ).to_be_visible()
    await cy.sits_down()
    await expect(bo.page.get_by_role("heading", name="This table is full")).to_be_visible()
    await cy.press(cy.button("Leave the table"))
    await expect(field).to_have_value("Bojan the gr")


async def test_a_new_name_half_typed_stays(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    await _begins_to_rename(ann, "Annab")
    await bo.follows(link)
    await bo.sits_down()
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])
    field = ann.page.locator("header input[name=name]")
    await expect(field).to_have_value("Annab")
    await expect(field).to_be_focused()


async def _begins_to_rename(person: Person, name: str) -> None:
    await person.press(person.page.locator("header summary"))
    await person.types(person.page.locator("header input[name=name]"), name)
