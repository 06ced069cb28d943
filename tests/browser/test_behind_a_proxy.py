"""Behind a proxy with TLS, on another port and under another name, pages find their own house."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Route, WebSocket

from tests.browser.conftest import Meet
from tests.browser.person import HOUSE_NAME
from tests.browser.tls_proxy import behind_tls
from tests.servers import Server

KNOCK = """(url) => new Promise((done) => {
    const socket = new WebSocket(url, ["motherlode.html.v1"]);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
})"""


async def test_sockets_links_and_cookies_are_those_of_the_outer_address(
    meet: Meet, house: Server, tmp_path: Path
) -> None:
    async with behind_tls(house.port, tmp_path) as outside:
        ann = await meet("Ann", url=outside, ignore_https_errors=True)
        bo = await meet("Bo", url=outside, ignore_https_errors=True)
        opened: list[str] = []

        def noted(socket: WebSocket) -> None:
            opened.append(socket.url)

        bo.page.on("websocket", noted)
        link = await ann.opens_room(first=0)
        assert link.startswith(f"{outside}/r/")
        await bo.follows(link)
        await bo.sits_down()
        await ann.starts()
        await bo.sees_the_table()
        await ann.takes_turn()
        await bo.ask.wait_for()
        code = link.rpartition("/")[2]
        address = f"{outside.replace('https', 'wss', 1)}/rooms/{code}/socket"
        assert {url.partition("?")[0] for url in opened} == {address}
        cookies = await bo.context.cookies(outside)
        assert [one["secure"] for one in cookies if one["name"] == "motherlode"] == [True]
        assert await bo.page.evaluate(KNOCK, address) == "open"

        # The browser sends the cookie along from a page of another port of the same name.
        foreign = f"https://{HOUSE_NAME}:1/"

        async def blank(route: Route) -> None:
            await route.fulfill(body="<!doctype html><title>foreign</title>")

        await bo.context.route(foreign, blank)
        await bo.page.goto(foreign)
        bo.troubles.expect(r"WebSocket connection to .* failed", "favicon")
        assert await bo.page.evaluate(KNOCK, address) == "refused"
