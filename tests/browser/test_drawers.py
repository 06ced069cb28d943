"""A drawer that somebody opened stays open while the others go on, with all that is in it."""

from __future__ import annotations

from playwright.async_api import Locator, Route, expect

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.take_person import seated
from tests.browser.take_plan import all_attacks
from tests.servers import Server

WATCH = """one => {
    const name = one.className
    window.seen = new Set()
    const look = () => {
        const drawer = document.getElementsByClassName(name)[0]
        window.seen.add(drawer?.open && drawer.querySelector('.sheet').checkVisibility())
        requestAnimationFrame(look)
    }
    look()
}"""
"""Notes for each frame whether a drawer was open."""


async def _hosts(meet: Meet) -> Person:
    """Returns the host of a table of Splendor with three free seats."""
    ann = await meet("Ann")
    code = await (await ann.remote()).opens_room("splendor", 4)
    await (await ann.remote()).sits(code)
    await ann.follows(f"{ann.url}/r/{code}")
    return ann


def _adding(person: Person) -> tuple[Locator, Locator]:
    """Returns the drawer in which a player is added, and its field."""
    return person.page.locator("details.add"), person.page.get_by_label("Their name")


async def test_a_name_is_typed_on_while_somebody_looks_in(meet: Meet) -> None:
    ann = await _hosts(meet)
    drawer, field = _adding(ann)
    await ann.press(drawer.locator("summary"))
    await field.click()
    await ann.page.keyboard.type("Sc")
    bo = await meet("Bo")
    await bo.follows(ann.page.url)
    watching = ann.page.locator("#r-seats").get_by_text("1 watching")
    await expect(watching).to_be_visible()
    await ann.page.keyboard.type("o")
    await expect(field).to_be_focused()
    await expect(field).to_have_value("Sco")
    await ann.page.keyboard.press("Home")
    await ann.page.keyboard.press("ArrowRight")
    await bo.page.close()
    await expect(watching).to_have_count(0)
    await ann.page.keyboard.type("e")
    await expect(field).to_have_value("Seco")
    await ann.page.keyboard.press("Enter")
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Seco"])
    await expect(drawer).not_to_have_attribute("open", "")


async def test_a_refused_name_stays_in_sight_until_its_drawer_is_closed(meet: Meet) -> None:
    ann = await _hosts(meet)
    drawer, field = _adding(ann)
    ann.troubles.expect("409")
    await ann.press(drawer.locator("summary"))
    await ann.types(field, "ann")
    await ann.press(ann.button("Add this player"))
    await expect(ann.page.get_by_role("alert").first).to_be_visible()
    await ann.is_live()
    await expect(field).to_be_visible()
    bo = await meet("Bo")
    await bo.follows(ann.page.url)
    watching = ann.page.locator("#r-seats").get_by_text("1 watching")
    await expect(watching).to_be_visible()
    await expect(field).to_be_visible()
    await ann.press(drawer.locator("summary"))
    await bo.page.close()
    await expect(watching).to_have_count(0)
    await expect(field).to_be_hidden()
    await expect(drawer.locator("summary")).to_be_focused()


async def test_a_drawer_whose_form_was_kept_closes_however_late_the_answer(meet: Meet) -> None:
    ann = await _hosts(meet)
    drawer = ann.page.locator("#r-options details", has_text="Who may watch")
    told = ann.page.locator("#r-options").get_by_text("Who has the link may watch and write.")

    async def late(route: Route) -> None:
        answer = await route.fetch(max_redirects=0)
        await told.wait_for()
        await route.fulfill(response=answer)

    await ann.page.route("**/watching", late)
    await ann.press(drawer.locator("summary"))
    await drawer.get_by_label("Watchers may write in the chat").set_checked(True)
    await ann.press(drawer.get_by_role("button", name="Keep this"))
    await expect(told).to_be_visible()
    await expect(drawer).not_to_have_attribute("open", "")
    await expect(drawer.locator("summary")).to_be_focused()


async def test_the_discard_pile_stays_open_while_others_move(meet: Meet, server: Server) -> None:
    plan = all_attacks("bado-keli-mofu-tuka")
    number = plan.first("pirate officer")
    room = await (await seated(meet, server, plan, at=number - 1)).opened()
    busy = {plan.moves[number - 1].seat, plan.moves[number].seat}
    reader = next(rogue for seat, rogue in enumerate(room.rogues) if seat not in busy)
    pile = reader.page.locator(".ttg-gone")
    close = pile.get_by_role("button", name="Close")
    lying = len(room.next.state.discards)
    await reader.who.press(pile.locator("summary"))
    await pile.evaluate(WATCH)
    await room.presses()
    await expect(pile.locator("summary")).to_be_focused()
    await close.focus()
    await room.presses()
    await expect(pile.locator("summary b")).not_to_have_text(str(lying))
    await expect(pile.locator("table")).to_be_visible()
    await expect(close).to_be_focused()
    assert await reader.page.evaluate("() => [...window.seen]") == [True]
    await reader.page.keyboard.press("Enter")
    await expect(pile.locator("table")).to_be_hidden()
