"""One player on two devices, and a friend whose browser has forgotten them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from sqlalchemy.engine import URL

from tests.browser.conftest import Meet
from tests.browser.looks import fits, sound
from tests.browser.person import PHONE
from tests.browser.tables import two
from tests.faults.houses import UNLIMITED
from tests.servers import Server

NOWHERE = "about:blank"


@pytest.fixture
def own_house(database_url: URL, tmp_path: Path) -> Iterator[Server]:
    """A house in which somebody is away for long after a second."""
    url = database_url.render_as_string(hide_password=False)
    with Server(url, tmp_path / "house", port=None, AWAY_SECONDS="1", **UNLIMITED) as server:
        yield server


def sockets_of(page: Page) -> list[str]:
    """Returns a list that grows with every socket that the page opens."""
    opened: list[str] = []
    page.on("websocket", lambda socket: opened.append(socket.url))
    return opened


async def test_a_second_device_lives_beside_the_first_until_it_is_signed_out(meet: Meet) -> None:
    table = await two(meet)
    ann = table.ann
    opened = sockets_of(ann.page)
    own = await ann.another_tab()
    await own.page.goto("/me")
    await own.press(own.button("Add a device"))
    link = await own.page.get_by_label("Link", exact=True).input_value()
    await expect(own.page.locator(".qr svg")).to_be_visible()
    await expect(own.page.get_by_text("This link only works on this computer.")).to_be_visible()
    await expect(own.page.locator(".devices time")).to_have_text([re.compile(r" \d\d?:\d\d")] * 2)
    await sound(own, "the page of a new code", once=True)

    phone = await meet("Ann", viewport=PHONE)
    await phone.page.goto(link)
    await expect(phone.page).to_have_url(re.compile("/me$"))
    await fits(phone, "the page of a code that came by its link")
    await phone.press(phone.button("Play here too"))
    await phone.page.wait_for_url("**/games")
    assert (phone.typed, phone.pressed) == (0, 1)
    await phone.press(phone.page.locator("a.mine"))
    await phone.is_live()
    assert await phone.hand() == await ann.hand()
    await phone.takes_turn()
    await ann.waits()
    await table.bo.takes_turn()
    for device in (phone, ann):
        await device.ask.wait_for()

    await own.page.goto("/me")
    await fits(own, "the page of my devices")
    others = own.page.locator(".devices li", has_not=own.page.get_by_text("this one"))
    await own.press(others.get_by_text("Sign out", exact=False).first)
    lost = sockets_of(phone.page)
    await own.press(others.get_by_role("button", name="Sign it out"))
    await expect(phone.page.locator("#wire")).to_contain_text("signed out")
    await expect(phone.page.locator("main")).to_have_attribute("inert", "")
    await expect(phone.page.locator("main > *, [data-region]")).to_have_count(0)
    await expect(phone.page).to_have_title("Lost Cities · Motherlode")
    await fits(phone, "a page that was signed out")
    await phone.page.wait_for_timeout(1500)
    assert lost == [], "no way back, so it is not tried"
    assert opened == [], "nobody was kicked off meanwhile"
    await phone.press(phone.page.locator("#wire button"))
    await expect(phone.page.get_by_text("You are watching")).to_be_visible()
    await ann.takes_turn()


async def test_a_forgotten_friend_comes_back_by_a_new_link(meet: Meet, own_house: Server) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    hand = (await table.seats[1].shown(table.code))["view"]["hand"]
    await bo.page.goto(NOWHERE)
    await expect(ann.page.locator("#r-players")).to_contain_text("away")
    await ann.page.wait_for_timeout(1100)
    await ann.press(ann.page.locator("header .menu > summary"))
    await ann.press(ann.page.get_by_text("A friend cannot get back in"))
    await ann.press(ann.button("New link for the seat of Bo"))
    link = await ann.page.get_by_label("Link", exact=True).input_value()
    await fits(ann, "the page of a new link")
    await ann.press(ann.button("Back to the table"))
    await ann.is_live()

    friend = await meet("Bojan", viewport=PHONE)
    await friend.page.goto(link)
    await friend.is_live()
    assert "#" not in friend.page.url
    await fits(friend, "the page of an open seat")
    await friend.types(friend.page.locator("main input[name=name]:visible"), "Bojan")
    await friend.press(friend.button("Take the seat"))
    await expect(friend.page.locator("#r-players")).to_contain_text("Ann")
    assert (friend.typed, friend.pressed) == (1, 1)
    assert (await (await friend.remote()).shown(table.code))["view"]["hand"] == hand
    await expect(ann.page.locator("#r-log")).to_contain_text("made a new link")
    await ann.takes_turn()
    await friend.takes_turn()

    await bo.page.goto(table.link)
    await expect(bo.page.get_by_text("You are watching")).to_be_visible()
    await expect(bo.page.locator("#take")).to_have_count(0)
    late = await meet("Cy")
    await late.page.goto(link)
    await expect(late.page.locator("#wire")).to_contain_text("no good any more")
