"""The page comes right by itself: after a killed server, a lost network, a reload, in many tabs."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.tables import two
from tests.servers import Server

OFFLINE = (
    r"WebSocket connection to",
    r"ERR_CONNECTION_(REFUSED|RESET)",
    r"ERR_INTERNET_DISCONNECTED",
)
"""What Chromium says about a server that is not there."""
NO_CONNECTION = re.compile("No connection")


async def test_a_killed_server_comes_back_under_open_pages(meet: Meet, own_house: Server) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    for person in (ann, bo):
        person.troubles.expect(*OFFLINE)
        await person.evaluate("() => { window.sameAsBefore = true }")
    await ann.takes_turn()
    await bo.ask.wait_for()
    before = await table.v()
    await asyncio.to_thread(own_house.kill)
    for person in (ann, bo):
        await expect(person.page.locator("#wire")).to_have_text(NO_CONNECTION)
    card = (await bo.hand())[-1]
    await bo.chooses(card)
    await bo.press(bo.ask.locator('button[value="discard"] >> visible=true'))
    await expect(bo.page.locator('form.ask[aria-busy="true"]')).to_have_count(1)
    await asyncio.to_thread(own_house.start)
    await expect(bo.ask.locator('button[name=draw][value="deck"]')).to_be_visible()
    await bo.draws()
    await ann.ask.wait_for()
    assert await table.v() == before + 2, "the move made while offline counted once"
    await ann.takes_turn()
    for person in (ann, bo):
        await expect(person.page.locator("#wire")).to_be_hidden()
        assert await person.evaluate("() => window.sameAsBefore") is True, "no reload"


async def test_a_lobby_comes_back_too(meet: Meet, own_house: Server) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    ann.troubles.expect(*OFFLINE)
    await asyncio.to_thread(own_house.kill)
    await expect(ann.page.locator("#wire")).to_have_text(NO_CONNECTION)
    await asyncio.to_thread(own_house.start)
    await bo.follows(link)
    await bo.sits_down()
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"])
    await ann.starts()
    await bo.sees_the_table()


async def test_a_lost_network_is_shown_and_healed(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    ann.troubles.expect(*OFFLINE)
    await ann.takes_turn()
    await ann.context.set_offline(True)
    await expect(ann.page.locator("#wire")).to_have_text(NO_CONNECTION)
    await bo.takes_turn()
    await ann.context.set_offline(False)
    await ann.ask.wait_for()
    await expect(ann.page.locator("#wire")).to_be_hidden()
    await ann.takes_turn()
    await bo.ask.wait_for()


@pytest.mark.faults
async def test_twenty_reloads_keep_my_seat(meet: Meet) -> None:
    table = await two(meet)
    ann = table.ann
    hand = await ann.hand()
    for _ in range(20):
        await ann.page.reload()
        assert await ann.hand() == hand
    await expect(ann.page.locator(".chip bdi")).to_have_text(["Bo", "Ann"])
    await expect(table.bo.page.locator("#r-players")).not_to_contain_text("away")
    await ann.is_live()
    await ann.takes_turn()


async def test_two_tabs_of_one_seat_both_live(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    again = await ann.another_tab()
    assert await again.hand() == await ann.hand()
    await ann.discards((await ann.hand())[0])
    await again.draws()
    await ann.waits()
    await bo.takes_turn()
    for tab in (ann, again):
        await tab.ask.wait_for()
    assert await again.hand() == await ann.hand()
    await again.page.close()
    await expect(bo.page.locator("#r-players")).not_to_contain_text("away")
    await ann.takes_turn()


async def test_going_back_shows_the_game_as_it_is_now(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    await ann.takes_turn()
    await ann.page.goto("/rules/lost_cities")
    await bo.takes_turn()
    await ann.page.go_back()
    await ann.ask.wait_for()
    await ann.takes_turn()
    await bo.ask.wait_for()


async def test_a_double_click_is_one_move(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    for turn in (1, 2, 3):
        await ann.ask.wait_for()
        before = await table.v()
        await ann.chooses((await ann.hand())[-1])
        await ann.ask.locator('button[value="discard"] >> visible=true').dblclick()
        deck = ann.ask.locator('button[name=draw][value="deck"]')
        await deck.dblclick()
        await bo.ask.wait_for()
        assert await table.v() == before + 2, f"turn {turn}: two clicks are one move"
        await bo.takes_turn()


async def test_a_tab_that_is_behind_is_told_and_brought_up_to_date(meet: Meet) -> None:
    table = await two(meet)
    ann = table.ann
    behind = Person(ann.name, ann.url, ann.context, await ann.context.new_page(), ann.troubles)
    holding = asyncio.Event()

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_server(message: str | bytes) -> None:
            if not holding.is_set():
                route.send(message)

        server.on_message(from_server)

    await behind.page.route_web_socket(re.compile("/socket"), between)
    await behind.follows(table.link)
    await behind.ask.wait_for()
    holding.set()
    await ann.takes_turn()
    await table.bo.takes_turn()
    before = await table.v()
    old = await behind.ask.get_attribute("id")
    await behind.chooses((await behind.hand())[-1])
    holding.clear()
    await behind.press(behind.ask.locator('button[value="discard"] >> visible=true'))
    await expect(behind.page.locator("#wire")).to_contain_text("The game has moved on")
    await expect(behind.page.locator(f"form#{old}")).to_have_count(0)
    assert await table.v() == before, "an answer to an old question changes nothing"
    await behind.takes_turn()


async def test_a_socket_that_is_refused_for_good_is_not_tried_again(meet: Meet) -> None:
    ann = (await two(meet)).ann
    tries: list[str] = []

    async def refuse(route: WebSocketRoute) -> None:
        tries.append(route.url)
        await route.close(code=1008)

    await ann.page.route_web_socket(re.compile("/socket"), refuse)
    await ann.page.reload()
    await expect(ann.page.locator("#wire")).to_contain_text("sent too much at once")
    await expect(ann.page.locator("#wire button")).to_be_visible()
    await ann.page.wait_for_timeout(1500)
    assert len(tries) == 1


async def test_a_page_comes_back_after_others_at_its_address_sent_too_much(meet: Meet) -> None:
    ann = (await two(meet)).ann
    met: list[str] = []

    async def crowded(route: WebSocketRoute) -> None:
        met.append(route.url)
        if len(met) == 1:
            await route.close(code=1013)
        else:
            route.connect_to_server()

    await ann.page.route_web_socket(re.compile("/socket"), crowded)
    await ann.page.reload()
    await expect(ann.page.locator("#wire")).to_contain_text("No connection")
    await ann.takes_turn()
    assert len(met) == 2
