"""The code to scan that leads to a room."""

from __future__ import annotations

import io
import re

import httpx
import segno

from tests.web.conftest import BASE, OpenHouse
from tests.web.test_pages import opened
from tests.web.test_security import client_of


async def test_the_code_to_scan_is_a_plain_drawing(browser: httpx.AsyncClient) -> None:
    room = await opened(browser)
    drawn = await browser.get(f"{room}/qr.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.count("<path") == 2
    assert "style" not in drawn.text


async def test_the_code_to_scan_is_the_link_at_the_public_address(house: OpenHouse) -> None:
    drawings = []
    for public, origin in (
        (None, BASE),
        *[(url, url) for url in ("https://a.test", "https://b.test")],
    ):
        async with house(public_url=public) as app, client_of(app) as client:
            made = (await client.post("/api/players", json={"name": "Ann"})).json()
            answer = await client.post(
                "/api/rooms",
                json={"game": "lost_cities"},
                headers={"authorization": f"Bearer {made['token']}"},
            )
            path = f"/r/{answer.json()['code']}"
            drawn = (await client.get(f"{path}/qr.svg")).text
            expected = io.BytesIO()
            segno.make(origin + path, error="m").save(expected, kind="svg", border=3)
            assert squares(drawn) == squares(expected.getvalue().decode())
            assert f"{origin}{path}" in (await client.get(path)).text
            drawings.append(squares(drawn))
    assert len(set(drawings)) == 3


def squares(svg: str) -> str:
    """Returns what is dark in the drawing of a code."""
    return str(re.findall(r' d="([^"]+)"', svg)[-1])
