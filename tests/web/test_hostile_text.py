"""Names, chat and devices full of markup, bidi marks and emoji, behind every door of the house."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI

from tests.web.conftest import Join, Program
from tests.web.reading import HOSTILE, Shape
from tests.web.test_routes import DOORS, address

MARKUP = [name[:24] for name in HOSTILE if set(name) & set("<>\"'")]
BIDI = "\u202e\u2066\u200f\u200b\ufeff"
EMOJI = "\N{WOMAN}\u200d\N{ROCKET}\N{PARTY POPPER}"


@pytest.mark.parametrize("text", [*MARKUP, "{{7*7}}", EMOJI], ids=range(len(MARKUP) + 2))
async def test_no_door_shows_it_as_more_than_text(
    app: FastAPI, http: httpx.AsyncClient, join: Join, text: str
) -> None:
    http.headers["user-agent"] = text.encode("ascii", "replace").decode() + " Firefox/1 Linux"
    host, guest = await join(BIDI + text), await join(text)
    made = await host.post("/api/rooms", {"game": "lost_cities", "seats": 2})
    code = made.json()["code"]
    await guest.post(f"/api/rooms/{code}/seats")
    lobby = await pages(host, code)
    assert (await host.post(f"/api/rooms/{code}/start")).status_code == 200
    for who in (host, guest):
        said = await who.post(f"/api/rooms/{code}/chat", {"text": BIDI + text * 2})
        assert said.status_code == 200, said.text
    playing = await pages(host, code)
    await host.post(f"/api/rooms/{code}/deeds", {"id": "a", "what": "concede"})
    shown = 0
    for moment in (lobby, playing, await pages(host, code)):
        for door, answer in moment.items():
            assert answer.status_code < 500, door
            assert not set(BIDI) & set(answer.text), door
            if not answer.headers.get("content-type", "").startswith("text/html"):
                continue
            if text in MARKUP:
                assert text not in answer.text, door
            read = Shape(answer.text)
            shown += any(text in piece for piece in read.texts)
            for _tag, *attributes in read.elements:
                assert not [name for name in attributes if name.startswith("on")], door
    assert shown > 10


async def pages(who: Program, code: str) -> dict[str, httpx.Response]:
    """What is behind each door, for somebody at the table."""
    return {door: await who.get(address(door, code)) for door in DOORS}


@pytest.mark.parametrize("text", ["n" * 500, "<b>" * 167, EMOJI * 170, "\u0301n" * 310])
async def test_five_hundred_characters_are_refused_with_a_reason(
    room: tuple[str, Program], http: httpx.AsyncClient, browser: httpx.AsyncClient, text: str
) -> None:
    code, host = room
    asked = [
        await http.post("/api/players", json={"name": text}),
        await host.post(f"/api/rooms/{code}/seats", {"name": text}),
        await host.post(f"/api/rooms/{code}/chat", {"text": text}),
    ]
    for answer in asked:
        assert answer.status_code == 422
        assert answer.json()["code"] in {"malformed", "name_too_long", "chat_too_long"}
        assert answer.json()["message"]
    page = await browser.post("/name", data={"name": text})
    assert page.status_code == 422
    assert "at most 24" in page.text
    assert text not in page.text
