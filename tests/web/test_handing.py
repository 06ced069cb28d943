"""Several people on one device, as a browser without a script uses it."""

from __future__ import annotations

import re

import httpx

from app.web.hands import COOKIE, HEADER
from tests.secrets.hooks import secrets_of
from tests.secrets.reading import without_faces
from tests.web.conftest import Browsers, Join
from tests.web.test_pages import forms, opened, said

LC = secrets_of("lost_cities")


async def shared(browser: httpx.AsyncClient) -> str:
    """Opens a room, adds Bo on the same device, and starts; returns the room's path."""
    room = await opened(browser, **{"option.first": "0"})
    assert (await browser.post(f"{room}/add", data={"called": "Bo"})).status_code == 303
    assert (await browser.post(f"{room}/start")).status_code == 303
    return room


async def page(browser: httpx.AsyncClient, path: str, **headers: str) -> str:
    """Looks at a page; returns it without the drawings that every page has."""
    answer = await browser.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return without_faces(answer.text)


def layout(page: str) -> str:
    """Returns which page it is, and of which seat."""
    found = re.search(r'data-layout="(\w+)" data-seat="(\d*)"', page)
    assert found is not None
    return f"{found[1]}@{found[2]}"


async def press(browser: httpx.AsyncClient, room: str, what: str, form: dict[str, str]) -> None:
    """Sends a form of the room; it must do what it should."""
    answer = await browser.post(f"{room}/{what}", data=form)
    assert (answer.status_code, answer.headers.get("location")) == (303, room), answer.text


async def test_who_is_added_is_named_and_can_be_taken_away(browser: httpx.AsyncClient) -> None:
    room = await opened(browser)
    empty = await browser.post(f"{room}/add", data={"called": " "})
    assert (empty.status_code, said(empty)) == (422, True)
    own = await browser.post(f"{room}/add", data={"called": "ann"})
    assert (own.status_code, said(own)) == (409, True)
    assert 'value="ann"' in own.text, "what was typed stays"
    await press(browser, room, "add", {"called": "Bo"})
    lobby = await page(browser, room)
    assert "(on this device)" in lobby
    assert forms(lobby, f"{room}/add") == [], "the table is full"
    [remove] = forms(lobby, f"{room}/remove")
    await press(browser, room, "remove", remove)
    assert "Bo" not in await page(browser, room)


async def test_a_game_is_handed_over_without_a_script(browser: httpx.AsyncClient) -> None:
    room = await shared(browser)
    curtain = await page(browser, room)
    assert layout(curtain) == "curtain@"
    assert LC.in_text(curtain) == set()
    i_am, others = forms(curtain, f"{room}/seat")
    assert (i_am["seat"], others["seat"]) == ("0", "1")
    await press(browser, room, "seat", i_am)
    first = await page(browser, room)
    assert layout(first) == "lost_cities@0"
    discard = forms(first, f"{room}/move")[0] | {"action": "discard"}
    await press(browser, room, "move", discard)
    draw = await page(browser, room)
    assert layout(draw) == "lost_cities@0"
    await press(browser, room, "move", forms(draw, f"{room}/move")[0] | {"draw": "deck"})
    done = await page(browser, room)
    assert layout(done) == "lost_cities@0"
    assert "Done, hand over to" in done
    # Investments exist three times, and the discarded card lies open.
    held = {card for card in LC.in_text(done) if "$" not in card} - {discard["card"]}
    assert held
    await press(browser, room, "seat", forms(done, f"{room}/seat")[-1])
    for path in (room, f"{room}/log", f"{room}/record"):
        assert not LC.in_text(await page(browser, path)) & held, path
    assert COOKIE not in browser.cookies
    curtain = await page(browser, room)
    assert layout(curtain) == "curtain@"
    await press(browser, room, "seat", forms(curtain, f"{room}/seat")[0])
    second = await page(browser, room)
    assert layout(second) == "lost_cities@1"
    assert not LC.in_text(second) & held
    pile = discard["card"][0]
    other = next(
        card for card in re.findall(r'name="card" value="(\w+)"', second) if card[0] != pile
    )
    answer = {"action": "discard", "card": other}
    await press(browser, room, "move", forms(second, f"{room}/move")[0] | answer)
    draw = await page(browser, room)
    await press(browser, room, "move", forms(draw, f"{room}/move")[0] | {"draw": pile})
    assert layout(await page(browser, room)) == "curtain@", "nothing new was seen: at once"
    assert COOKIE not in browser.cookies


async def test_a_page_says_itself_whose_hands_it_is_in(browser: httpx.AsyncClient) -> None:
    """So does what client.js fetches; what it says goes before what a page without it kept."""
    room = await shared(browser)
    assert layout(await page(browser, room, **{HEADER: "1"})) == "lost_cities@1"
    assert layout(await page(browser, room, **{HEADER: "7"})) == "curtain@"
    await press(browser, room, "seat", {"seat": "0"})
    assert layout(await page(browser, room)) == "lost_cities@0"
    assert layout(await page(browser, room, **{HEADER: ""})) == "curtain@"
    assert COOKIE not in browser.cookies, "the covered page forgets it"
    for kept in ("0", "0.x", "-1.0", "99.0", "1.-5", "\u0661.0"):
        browser.cookies.set(COOKIE, kept, path=room) if kept.isascii() else None
        assert layout(await page(browser, room)) == "curtain@"


async def test_nobody_takes_a_seat_of_others(browsers: Browsers, join: Join) -> None:
    ann, dora = browsers(), browsers()
    room = await shared(ann)
    await opened(dora, "Dora")
    assert (await dora.post(f"{room}/seat", data={"seat": "0"})).status_code == 403
    watched = await dora.get(room, headers={HEADER: "0", "cookie": f"{COOKIE}=0.0"})
    assert LC.in_text(without_faces(watched.text)) == set()
    assert (await ann.post(f"{room}/seat", data={"seat": "2"})).status_code == 403
    stale = await ann.post(f"{room}/do", data={"what": "concede"})
    assert (stale.status_code, said(stale)) == (403, True), "a covered page acts for nobody"
    program = await join("Eve")
    code = room.removeprefix("/r/")
    asked = await program.post(f"/api/rooms/{code}/seats", {"name": "Flo"})
    assert (asked.status_code, asked.json()["code"]) == (403, "not_seated")
