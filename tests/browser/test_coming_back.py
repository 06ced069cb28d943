"""A page that slept, lost its line without a word, lay in the browser's cache, or grew old."""

from __future__ import annotations

import asyncio
import re
import time

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.tables import two
from tests.servers import Server

SLEEPS = """() => {
    const now = Date.now.bind(Date)
    window.asleep = 0
    Date.now = () => now() + window.asleep
}"""
"""Lets a page believe that it slept for a while: its timers stood still, the clock went on."""
TWO_MINUTES = "() => { window.asleep = 120_000 }"
FROZEN = 120
"""Seconds that a page is really frozen, in the long form."""
SOON = 2000
"""Milliseconds within which a page that woke up has to be right."""


class Network:
    """The line between a page and the server, which can go dead without a word."""

    def __init__(self) -> None:
        self.dead = False
        self.blocked = False
        self.tries = 0
        self.sent: list[str] = []

    async def stands_between(self, page: Page) -> None:
        """Takes the page's sockets in hand."""
        await page.route_web_socket(re.compile("/socket"), self._between)

    def goes_dead(self) -> None:
        """From now on nothing comes through on the lines there are."""
        self.dead = True

    async def _between(self, route: WebSocketRoute) -> None:
        self.tries += 1
        if self.blocked:
            await route.close(code=1001)
            return
        server = route.connect_to_server()
        line = {"dead": False}

        def lost() -> bool:
            line["dead"] = line["dead"] or self.dead
            return line["dead"]

        def from_page(message: str | bytes) -> None:
            self.sent.append(str(message))
            if not lost():
                server.send(message)

        def from_server(message: str | bytes) -> None:
            if not lost():
                route.send(message)

        route.on_message(from_page)
        server.on_message(from_server)


async def behind(person: Person, link: str) -> Network:
    """Opens a page that can sleep, behind a network that can go dead."""
    network = Network()
    person.page = await person.context.new_page()
    await person.page.add_init_script(f"({SLEEPS})()")
    await network.stands_between(person.page)
    await person.follows(link)
    return network


async def test_after_two_minutes_asleep_a_game_is_right_at_once(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    await bo.page.close()
    network = await behind(bo, table.link)
    await bo.waits()
    network.goes_dead()
    await ann.takes_turn()
    await bo.page.wait_for_timeout(300)
    await expect(bo.ask).to_have_count(0)
    network.dead = False
    woke = time.monotonic()
    await bo.evaluate(TWO_MINUTES)
    await bo.ask.wait_for(timeout=SOON)
    assert (time.monotonic() - woke) * 1000 < SOON
    assert network.tries == 2
    await bo.takes_turn()
    await ann.ask.wait_for()


async def test_after_two_minutes_asleep_a_lobby_is_right_at_once(meet: Meet) -> None:
    ann, bo = await meet("Ann"), await meet("Bo")
    link = await ann.opens_room()
    await ann.page.close()
    network = await behind(ann, link)
    network.goes_dead()
    await bo.follows(link)
    await bo.sits_down()
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann"])
    network.dead = False
    await ann.evaluate(TWO_MINUTES)
    await expect(ann.page.locator(".seat bdi")).to_have_text(["Ann", "Bo"], timeout=SOON)


@pytest.mark.faults
async def test_pages_that_were_frozen_for_two_minutes_are_right_at_once(
    meet: Meet, own_house: Server
) -> None:
    """Their scripts really stand still, and the server stops and comes back meanwhile."""
    table = await two(meet)
    ann, bo = table.ann, table.bo
    remotes = [await ann.remote(), await bo.remote()]
    code = await remotes[1].opens_room()
    lobby = await bo.another_tab()
    await lobby.follows(f"{bo.url}/r/{code}")
    lines = [await bo.context.new_cdp_session(tab.page) for tab in (bo, lobby)]
    for line in lines:
        await line.send("Debugger.enable")
        await line.send("Debugger.pause")
    ann.troubles.expect("WebSocket", "ERR_CONNECTION")
    bo.troubles.expect("WebSocket", "ERR_CONNECTION")
    await asyncio.to_thread(own_house.restart)
    await ann.is_live()
    await ann.takes_turn()
    await remotes[0].sits(code)
    await asyncio.sleep(FROZEN)
    for line in lines:
        await line.send("Debugger.disable")
    await bo.ask.wait_for(timeout=SOON)
    await expect(lobby.page.locator(".seat bdi")).to_have_text(["Bo", "Ann"], timeout=SOON)
    await bo.takes_turn()


async def test_a_move_on_a_line_that_is_dead_is_noticed_and_counts_once(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    await ann.page.close()
    network = await behind(ann, table.link)
    before = await table.v()
    card = (await ann.hand())[0]
    await ann.chooses(card)
    network.goes_dead()
    network.blocked = True
    sent = time.monotonic()
    await ann.press(ann.ask.locator('button[value="discard"] >> visible=true'))
    await expect(ann.page.locator('form.ask[aria-busy="true"]')).to_have_count(1)
    await expect(ann.page.locator("#wire")).to_contain_text("No connection", timeout=30_000)
    assert time.monotonic() - sent < 30
    network.dead = network.blocked = False
    await ann.evaluate("() => dispatchEvent(new Event('online'))")
    await ann.draws()
    await bo.ask.wait_for()
    assert await table.v() == before + 2
    moves = [one for one in network.sent if '"t":"form"' in one and '"discard"' in one]
    assert len(moves) == 2
    assert len(set(moves)) == 1, "sent again with the same id"


async def test_a_page_from_the_browsers_cache_is_right(meet: Meet) -> None:
    table = await two(meet)
    ann, bo = table.ann, table.bo
    await ann.takes_turn()
    hidden = "(what) => dispatchEvent(new PageTransitionEvent(what, { persisted: true }))"
    await ann.page.evaluate(hidden, "pagehide")
    await expect(bo.page.locator("#r-players")).to_contain_text("away")
    await bo.takes_turn()
    await expect(ann.ask).to_have_count(0)
    await ann.page.evaluate(hidden, "pageshow")
    await ann.ask.wait_for(timeout=SOON)
    await ann.takes_turn()


async def test_an_old_page_asks_to_be_reloaded_and_takes_no_move(meet: Meet) -> None:
    table = await two(meet)
    ann = table.ann
    await ann.page.close()
    ann.page = await ann.context.new_page()
    updated = True

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda message: route.send(newer(message) if updated else message))

    await ann.page.route_web_socket(re.compile("/socket"), between)
    await ann.page.goto(table.link)
    await expect(ann.page.locator("#wire")).to_contain_text("newer version")
    await expect(ann.page.locator("main")).to_have_attribute("inert", "")
    await expect(ann.page.locator("#wire button")).to_be_focused()
    updated = False
    await ann.press(ann.page.locator("#wire button"))
    await ann.is_live()
    await ann.takes_turn()


def newer(message: str | bytes) -> str:
    """Returns what a server of a later version would have sent instead."""
    return re.sub(r'"build":"[^"]+"', '"build":"later"', str(message))
