"""Looking back in place of the table: by keys, by taps, while the game goes on behind it."""

from __future__ import annotations

from playwright.async_api import Locator, expect

from tests.browser.conftest import Meet
from tests.browser.person import PHONE, Person
from tests.browser.tables import two


def bar(person: Person) -> Locator:
    return person.page.locator(".felt.bygone .steps")


def where(person: Person) -> Locator:
    return bar(person).locator(".step-at")


async def test_steps_by_keys_and_back_to_a_half_made_choice(meet: Meet) -> None:
    table = await two(meet, left=36)
    ann, page = table.ann, table.ann.page
    card = (await ann.hand())[2]
    await ann.chooses(card)
    await page.locator("main h1, header .title").first.click()
    await page.keyboard.press("ArrowLeft")
    steps = await table.v() + 1
    await expect(where(ann)).to_have_text(f"Step {steps - 1} of {steps}")
    await page.keyboard.press("Home")
    await expect(where(ann)).to_have_text(f"Step 1 of {steps}")
    await expect(
        page.locator(".felt.bygone .hand .c, .felt.bygone .hand [data-piece]")
    ).not_to_have_count(0)
    controls = page.locator(".felt:visible :is(form, button, select, input:not(.scrub))")
    await expect(controls).to_have_count(0)
    await page.keyboard.press("Control+z")
    await page.keyboard.press("ArrowRight")
    await expect(where(ann)).to_have_text(f"Step 2 of {steps}")
    await page.keyboard.press("End")
    await expect(where(ann)).to_have_text(f"Step {steps} of {steps}")
    line = page.locator("#r-log li").nth(2)
    said = await line.inner_text()
    await line.click()
    await expect(bar(ann).locator(".say")).to_have_text(said)
    await page.keyboard.press("Escape")
    await expect(bar(ann)).to_have_count(0)
    assert await table.v() + 1 == steps, "nothing was played or taken back"
    chosen = ann.ask.locator(f'input[name=card][value="{card}"]').first
    await expect(chosen).to_be_checked()
    await ann.acts("discard")


async def test_the_game_going_on_is_noticed_and_one_tap_leads_to_it(meet: Meet) -> None:
    table = await two(meet, left=40)
    bo = table.bo
    await bo.page.set_viewport_size(PHONE)
    await bo.page.locator(".menu > summary").click()
    await bo.page.get_by_role("link", name="Look back").click()
    await bar(bo).locator('[data-go="before"]').click()
    steps = await table.v() + 1
    await expect(where(bo)).to_have_text(f"Step {steps - 1} of {steps}")
    assert await bar(bo).evaluate("bar => bar.getBoundingClientRect().right <= innerWidth")
    await table.seats[0].plays_on(table.code)
    await expect(bar(bo).locator(".step-later")).to_be_visible()
    await expect(where(bo)).to_have_text(f"Step {steps - 1} of {steps + 1}")
    await bar(bo).get_by_role("link", name="To the game", exact=True).click()
    await expect(bo.ask).to_be_visible()
    await expect(bar(bo)).to_have_count(0)
    await bo.page.locator("#story > summary").click()
    await bo.page.get_by_role("link", name="One step since your last move").click()
    await expect(where(bo)).to_have_text(f"Step {steps + 1} of {steps + 1}")
    await bo.page.keyboard.press("Escape")
    bo.troubles.expect("ERR_INTERNET_DISCONNECTED")
    await bo.context.set_offline(True)
    await bo.page.keyboard.press("ArrowLeft")
    await expect(bo.page.locator("#wire")).to_be_visible()
    await expect(bar(bo)).to_have_count(0)
    await expect(bo.ask).to_be_visible()


async def test_without_a_script_each_step_is_a_page(meet: Meet) -> None:
    table = await two(meet, left=40)
    plain = await meet("Cy", java_script_enabled=False)
    await plain.page.goto(f"{table.link}/back")
    steps = await table.v() + 1
    shown = plain.page.locator(".steps .step-at")
    await expect(shown).to_have_text(f"Step {steps} of {steps}")
    await plain.page.get_by_role("link", name="First step").click()
    await expect(shown).to_have_text(f"Step 1 of {steps}")
    await plain.page.get_by_role("link", name="Next step").click()
    await expect(shown).to_have_text(f"Step 2 of {steps}")
    await plain.page.get_by_role("link", name="To the game", exact=True).click()
    await expect(plain.page).to_have_url(table.link)
