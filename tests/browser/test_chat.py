"""People talk beside the game: nobody's move is disturbed; who may watch is the host's choice."""

from __future__ import annotations

import re

from playwright.async_api import Locator, expect

from tests.browser.conftest import Meet
from tests.browser.person import PHONE, Person
from tests.browser.tables import running, two

HOSTILE = '<img src=x onerror="alert(1)"> {{7*7}} </script>'
MARK = "() => { document.querySelector('form.ask').mine = true }"
KEPT = "() => document.querySelector('form.ask').mine === true"


def lines(person: Person) -> Locator:
    """The lines of the chat that are shown."""
    return person.page.locator(".said li:visible .words")


async def says(person: Person, text: str) -> None:
    """Says a line, with the keyboard."""
    field = person.page.get_by_label("Say something")
    await person.types(field, text)
    await field.press("Enter")
    await expect(field).to_have_value("")


async def test_people_talk_beside_the_game(meet: Meet) -> None:
    table = await running(await meet("Ann"), await meet("Bo", viewport=PHONE), left=40)
    ann, bo = table.ann, table.bo
    unread = bo.page.locator(".unread")
    card = (await ann.hand())[2]
    await ann.chooses(card)
    await ann.evaluate(MARK)

    await says(ann, HOSTILE)
    await says(ann, "Your turn soon")
    await expect(lines(ann)).to_have_text([HOSTILE, "Your turn soon"])
    british = re.compile(r"^\d\d:\d\d$")
    await expect(ann.page.locator(".said time")).to_have_text([british, british])
    await expect(unread).to_have_text("unread: 2")
    await bo.press(bo.page.locator(".chat > summary"))
    await expect(lines(bo)).to_have_text([HOSTILE, "Your turn soon"])
    await expect(unread).to_be_hidden()
    await bo.press(bo.button("Wow"))
    await expect(lines(bo).last).to_have_text("Wow")
    flash = ann.page.locator(".flash")
    await expect(flash).to_have_text("Wow")
    await expect(ann.page.locator(".said li").last.locator("bdi")).to_have_text("Bo")
    await expect(flash).to_have_count(0)
    await expect(ann.page.locator("main img")).to_have_count(0)
    assert await ann.evaluate(KEPT), "nothing that was said has drawn my question again"
    await expect(ann.ask.locator(f'input[value="{card}"]:checked')).to_have_count(1)

    await bo.page.keyboard.press("Escape")
    await bo.page.reload()
    await bo.is_live()
    await expect(unread).to_be_hidden()
    await expect(bo.page.locator(".said li")).to_have_count(3)
    await _mutes(ann, bo)


async def _mutes(ann: Person, bo: Person) -> None:
    """Has Ann mute Bo, whom she then reads no more until she wants to."""
    await ann.press(ann.page.locator("summary", has_text="Mute"))
    choice = ann.page.locator(".hush").get_by_label("Bo", exact=True)
    await ann.hands.choose(choice)
    await expect(lines(ann)).to_have_count(2)
    await bo.press(bo.page.locator(".chat > summary"))
    await bo.press(bo.button("Ouch"))
    await expect(lines(bo)).to_have_count(4)
    await ann.page.reload()
    await ann.is_live()
    await expect(ann.page.locator(".said li")).to_have_count(4)
    await expect(lines(ann)).to_have_count(2)
    await expect(ann.page.locator(".hushed")).to_have_text("Muted by you: Bo")
    await ann.press(ann.page.locator("summary", has_text="Mute"))
    await choice.uncheck()
    await expect(lines(ann)).to_have_count(4)


async def test_what_is_said_without_a_connection_is_said_once_later(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    ann.troubles.expect("ERR_INTERNET_DISCONNECTED")
    await ann.context.set_offline(True)
    await expect(ann.page.get_by_text("No connection")).to_be_visible()
    field = ann.page.get_by_label("Say something")
    await ann.types(field, "Can you hear me?")
    await field.press("Enter")
    await says(bo, "Where are you?")
    await ann.context.set_offline(False)
    await ann.is_live()
    for person in (ann, bo):
        await expect(lines(person)).to_have_count(2)
    await expect(lines(bo).last).to_have_text("Can you hear me?")
    await expect(field).to_have_value("")
    for number in range(4):
        await says(ann, f"line {number}")
    await ann.types(field, "one too many")
    await field.press("Enter")
    await expect(ann.page.locator(".saying .refused")).to_contain_text("Wait a little")
    await expect(field).to_have_value("one too many")


async def test_the_host_lets_nobody_watch(meet: Meet) -> None:
    table = await two(meet)
    ann = table.ann
    cy = await meet("Cy", viewport=PHONE)
    cy.troubles.expect("403")
    await cy.follows(table.link)
    await ann.chooses((await ann.hand())[1])
    await ann.evaluate(MARK)
    await expect(ann.page.locator(".watchers")).to_contain_text("1 watching")
    await expect(cy.page.locator("form.ask, [data-send], #say")).to_have_count(0)
    await ann.press(ann.page.locator("summary", has_text="Menu"))
    await ann.press(ann.page.locator("summary", has_text="Who may watch"))
    await ann.page.get_by_label("Who has the link may watch").uncheck()
    await ann.press(ann.button("Keep this"))
    await expect(cy.page.get_by_text("switched watching off")).to_be_visible()
    await expect(ann.page.locator(".watchers")).to_be_hidden()
    assert await ann.evaluate(KEPT), "the host's half-made move is still there"
    await cy.press(cy.button("Reload"))
    await expect(cy.page.locator("h1")).to_have_text("This table is not watched")
    await expect(cy.page.locator("[data-region]")).to_have_count(0)
