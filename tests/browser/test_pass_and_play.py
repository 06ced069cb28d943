"""Two people at one device: it is handed over, and in between there is nothing to be seen."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.looks import fits, sound
from tests.browser.person import PHONE, Person
from tests.secrets.hooks import secrets_of
from tests.secrets.reading import without_faces

LC = secrets_of("lost_cities")


def cards(text: str) -> set[str]:
    """Returns the cards that a text names, but for investments, which exist three times."""
    return {card for card in LC.in_text(text) if "$" not in card}


async def shown(person: Person) -> set[str]:
    """Returns every card that is named anywhere in the page, also where nobody sees it."""
    return cards(without_faces(await person.page.content()))


async def hand(person: Person) -> set[str]:
    """Returns the cards of whose page it is."""
    return cards(await person.page.locator('[data-region="prompt"]').inner_html())


async def covered(person: Person, name: str) -> None:
    """Waits until the page waits for somebody."""
    await person.main("curtain").wait_for()
    await expect(person.page.locator(".over .name")).to_have_text(name)


async def says(person: Person, name: str) -> None:
    """Presses "I am ..."."""
    await person.press(person.button(f"I am {name}"))
    await person.main("lost_cities").wait_for()


async def seated(meet: Meet) -> Person:
    """Returns somebody with Bo beside them, at a table where Ann begins."""
    ann = await meet("Ann", viewport=PHONE)
    await ann.opens_room(first=0)
    await ann.press(ann.page.locator("summary", has_text="Add a player on this device"))
    await ann.types(ann.page.get_by_label("Their name"), "Bo")
    await ann.press(ann.button("Add this player"))
    await expect(ann.page.get_by_text("(on this device)")).to_be_visible()
    await ann.is_live()
    await ann.press(ann.button("Start the game"))
    await covered(ann, "Ann")
    return ann


async def turn(person: Person) -> set[str]:
    """Discards, draws from the deck and hands over; returns the hand with the new card."""
    await person.ask.wait_for()
    await person.discards((await person.hand())[0])
    await person.press(person.ask.locator('button[name=draw][value="deck"]'))
    done = person.button("Done, hand over")
    await done.wait_for()
    held = await hand(person)
    assert held
    await person.press(done)
    return held


async def test_a_device_is_handed_over_with_nothing_left_on_it(meet: Meet) -> None:
    ann = await seated(meet)
    page = ann.page
    assert await shown(ann) == set(), "nobody has said yet who looks"
    await fits(ann, "covered")
    await sound(ann, "covered", once=True)
    await says(ann, "Ann")
    first = await turn(ann)
    await covered(ann, "Bo")
    assert not await shown(ann) & first
    await expect(page.locator(".over .name")).to_be_focused()
    assert await page.title() == "● Your turn · Lost Cities · Motherlode"
    await says(ann, "Bo")
    assert not await shown(ann) & first
    second = await hand(ann)
    assert second
    # Looking back ends with it.
    await page.keyboard.press("ArrowLeft")
    await page.locator(".felt.bygone").wait_for()
    await ann.press(ann.button("Cover"))
    await covered(ann, "Bo")
    assert not await shown(ann) & (first | second)
    await page.keyboard.press("ArrowLeft")
    await says(ann, "Bo")
    # Loaded anew, left and come back to, and in a second tab it is covered.
    await page.reload()
    await covered(ann, "Bo")
    await says(ann, "Bo")
    await page.goto("/games")
    await page.go_back()
    await covered(ann, "Bo")
    assert not await shown(ann) & (first | second)
    tab = await ann.another_tab()
    await covered(tab, "Bo")
    await says(ann, "Bo")
    assert await tab.main("curtain").count(), "each page is in hands of its own"
    await page.bring_to_front()
    await turn(ann)
    await covered(ann, "Ann")
    await covered(tab, "Ann")


async def test_a_page_is_covered_also_without_a_connection(meet: Meet) -> None:
    ann = await seated(meet)
    await says(ann, "Ann")
    held = await hand(ann)
    assert held
    ann.troubles.expect("ERR_INTERNET_DISCONNECTED", "WebSocket")
    await ann.context.set_offline(True)
    await ann.press(ann.button("Cover"))
    assert not await shown(ann) & held
    await ann.context.set_offline(False)
    await covered(ann, "Ann")
    await says(ann, "Ann")
    assert await hand(ann) == held


async def test_the_end_is_for_both_and_the_next_game_has_the_same_people(meet: Meet) -> None:
    ann = await seated(meet)
    await says(ann, "Ann")
    await ann.press(ann.page.locator("details.menu > summary").first)
    await ann.press(ann.page.locator("summary", has_text="Give up"))
    await ann.press(ann.button("Give the game up"))
    await expect(ann.result.locator("h2").first).to_have_text("Bo wins!")
    await ann.press(ann.result.locator("summary", has_text="How chance was drawn"))
    await expect(ann.result.locator("[data-kept]")).to_contain_text("Consistent")
    await ann.press(ann.button("Rematch"))
    await ann.page.get_by_text("(on this device)").wait_for()
    await expect(ann.page.locator(".seat .who")).to_contain_text(["Ann", "Bo"])
    await ann.is_live()
