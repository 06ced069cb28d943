"""Pages and plain forms, as a browser without a script uses them."""

from __future__ import annotations

import asyncio
import html
import re

import httpx
import pytest

from app.games.lost_cities.rules import LostCities
from tests.web.conftest import Browsers, Join, Table


async def opened(browser: httpx.AsyncClient, name: str = "Ann", **fields: str) -> str:
    """Opens a room as a new player and returns its path."""
    answer = await browser.post("/new/lost_cities", data={"name": name, "seats": "2", **fields})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def begun(host: httpx.AsyncClient, guest: httpx.AsyncClient) -> str:
    """Starts a game of two without a script and returns the room's path."""
    room = await opened(host)
    assert (await guest.post(f"{room}/sit", data={"name": "Ben"})).status_code == 303
    assert (await host.post(f"{room}/start")).status_code == 303
    return room


def forms(page: str, action: str) -> list[dict[str, str]]:
    """Returns the fields of each form that posts to `action`: those filled in or chosen first."""
    found = []
    for form in re.findall(r"<form\b.*?</form>", page, re.DOTALL):
        if f'action="{action}"' not in form:
            continue
        fields: dict[str, str] = {}
        for tag in re.findall(r"<(?:input|button)\b[^>]*>", form):
            if "disabled" in re.sub(r'"[^"]*"', "", tag):
                continue
            given = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
            if "name" in given:
                fields.setdefault(given["name"], html.unescape(given.get("value", "on")))
        found.append(fields)
    return found


def said(answer: httpx.Response) -> bool:
    """Tells whether a page says why something was refused."""
    return re.search(r'role="alert">\s*[^<\s]', answer.text) is not None


async def test_pages_open_for_everybody(browser: httpx.AsyncClient) -> None:
    for path in ("/", "/new/lost_cities", "/rules/lost_cities", "/robots.txt"):
        answer = await browser.get(path)
        assert answer.status_code == 200, path
        assert "set-cookie" not in answer.headers, path
        assert (await browser.head(path)).status_code == 200, path


async def test_what_is_not_there_is_a_page_that_says_so(browser: httpx.AsyncClient) -> None:
    rooms = ("/r/x", "/r/bado-bado-bado-bado", "/r/x/qr.svg")
    for path in ("/nothing", "/new/chess", "/rules/chess", *rooms):
        answer = await browser.get(path)
        assert answer.status_code == 404, path
        assert answer.headers["content-type"].startswith("text/html"), path
        assert 'href="/"' in answer.text, path


async def test_a_room_is_opened_with_a_name_and_one_press(browser: httpx.AsyncClient) -> None:
    room = await opened(browser)
    page = (await browser.get(room)).text
    assert f"http://house.test{room}" in page
    assert "<bdi>Ann</bdi>" in page


async def test_a_bad_form_is_drawn_again_with_a_sentence(browser: httpx.AsyncClient) -> None:
    for fields in (
        {"name": "", "seats": "2"},
        {"name": "Ann", "seats": "9"},
        {"name": "Ann", "seats": "2", "option.rounds": "2"},
        {"name": "Ann", "seats": "2", "option.cheat": "1"},
    ):
        answer = await browser.post("/new/lost_cities", data=fields)
        assert answer.status_code == 422
        assert said(answer)


async def test_looking_at_an_invitation_takes_nothing(
    browsers: Browsers, http: httpx.AsyncClient
) -> None:
    host = browsers()
    room = await opened(host)
    preview = {"user-agent": "WhatsApp/2.23 facebookexternalhit/1.1"}
    for _ in range(10):
        looked = await http.get(room, headers=preview)
        assert looked.status_code == 200
        assert "set-cookie" not in looked.headers
        assert (await http.head(room, headers=preview)).status_code == 200
        assert (await http.get(f"{room}/sit", headers=preview)).status_code == 303
    title = re.search(r'property="og:title" content="([^"]*)"', looked.text)
    assert title is not None
    assert title[1] == LostCities().meta.title
    shown = (await http.get(f"/api{room.replace('/r/', '/rooms/')}")).json()
    assert [person["seat"] for person in shown["people"]] == [0]
    assert (await browsers().post(f"{room}/sit", data={"name": "Ben"})).status_code == 303


async def test_a_code_may_be_written_in_any_way(browser: httpx.AsyncClient) -> None:
    room = await opened(browser)
    code = room.removeprefix("/r/")
    for spelled in (code.upper(), code.replace("-", ""), code.replace("-", " ")):
        answer = await browser.get(f"/r/{spelled}")
        assert (answer.status_code, answer.headers["location"]) == (303, room)


async def test_a_returning_browser_keeps_its_seat(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await opened(host)
    for _ in range(3):
        assert (await guest.post(f"{room}/sit", data={"name": "Ben"})).status_code == 303
    other = await opened(guest)
    assert other != room
    for _ in range(50):
        page = (await guest.get(room)).text
    assert page.count("<bdi>Ben</bdi>") >= 1
    code = room.removeprefix("/r/")
    people = (await host.get(f"/api/rooms/{code}")).json()["people"]
    assert [(person["seat"], person["name"]) for person in people] == [(0, "Ann"), (1, "Ben")]


async def test_sitting_down_pressed_twice_makes_one_guest(browsers: Browsers) -> None:
    """The second press goes out before the first one's cookie has come."""
    host, guest = browsers(), browsers()
    room = await opened(host)
    [form] = forms((await guest.get(room)).text, f"{room}/sit")
    key = re.search(r'name="once" value="([^"]+)" form="sit"', (await guest.get(room)).text)
    assert key is not None
    fields = {**form, "once": key[1], "name": "Ben"}
    first, second = browsers(), browsers()
    answers = await asyncio.gather(*(b.post(f"{room}/sit", data=fields) for b in (first, second)))
    answers.append(await browsers().post(f"{room}/sit", data=fields))
    assert [answer.status_code for answer in answers] == [303] * 3
    assert len({answer.cookies["motherlode"] for answer in answers}) == 1
    people = (await host.get(f"/api{room.replace('/r/', '/rooms/')}")).json()["people"]
    assert [person["name"] for person in people] == ["Ann", "Ben"]
    assert 'name="once"' not in (await first.get(room)).text


@pytest.mark.parametrize("stranger", [True, False], ids=["stranger", "known"])
async def test_opening_a_table_pressed_twice_makes_one_table(
    browsers: Browsers, stranger: bool
) -> None:
    """The second press goes out before the first one's answer has come."""
    first, second = browsers(), browsers()
    if not stranger:
        await opened(first)
        second.cookies = first.cookies
    page = (await first.get("/new/lost_cities")).text
    [form] = forms(page, "/new/lost_cities")
    fields = {**form, "name": "Ann"}
    answers = await asyncio.gather(
        *(each.post("/new/lost_cities", data=fields) for each in (first, second))
    )
    answers.append(await second.post("/new/lost_cities", data=fields))
    assert [answer.status_code for answer in answers] == [303] * 3
    assert len({answer.headers["location"] for answer in answers}) == 1
    for each in (first, second):
        assert "Your table." in (await each.get(answers[0].headers["location"])).text
    others = [
        await first.post("/new/lost_cities", data={**fields, "option.colours": "6"}),
        await first.post("/new/lost_cities", data={**fields, "once": "a-key-of-another-page"}),
    ]
    places = [answer.headers["location"] for answer in (answers[0], *others)]
    assert len(set(places)) == 3


async def test_a_refused_name_can_be_corrected_in_the_same_form(browsers: Browsers) -> None:
    room = await opened(browsers())
    guest = browsers()
    fields = {"once": "a-key-of-one-page-only", "name": " "}
    assert (await guest.post(f"{room}/sit", data=fields)).status_code == 422
    answer = await guest.post(f"{room}/sit", data={**fields, "name": "Ben"})
    assert answer.status_code == 303


async def test_playing_again_keeps_seats_and_options(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await opened(host, **{"option.colours": "6", "option.first": "1"})
    await guest.post(f"{room}/sit", data={"name": "Ben"})
    await host.post(f"{room}/start")
    await guest.post(f"{room}/do", data={"what": "concede"})
    for browser in (host, guest):
        await browser.get(room)
    page = (await host.get((await host.post(f"{room}/rematch")).headers["location"])).text
    for key, value in (("colours", "6"), ("rounds", "1"), ("first", "0")):
        assert f'name="option.{key}" value="{value}" checked' in page
    assert "seat held" not in page, "who reads the score is present, also without a script"


async def test_a_full_table_offers_to_watch(browsers: Browsers) -> None:
    host, guest, late = browsers(), browsers(), browsers()
    room = await opened(host)
    await guest.post(f"{room}/sit", data={"name": "Ben"})
    answer = await late.post(f"{room}/sit", data={"name": "Eve"})
    assert answer.status_code == 409
    assert "set-cookie" not in answer.headers
    assert "watch" in answer.text.lower()
    assert "Eve" not in answer.text


async def test_a_running_game_seats_nobody_and_shows_no_hand(browsers: Browsers) -> None:
    host, guest, late = browsers(), browsers(), browsers()
    room = await begun(host, guest)
    answer = await late.post(f"{room}/sit", data={"name": "Eve"})
    assert answer.status_code == 409
    page = (await late.get(room)).text
    assert page.count("<form") <= 1
    assert forms(page, f"{room}/move") == []


async def test_the_host_arranges_and_others_do_not(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await opened(host)
    await guest.post(f"{room}/sit", data={"name": "Ben"})
    for path, fields in (
        ("order", {"order": "1,0"}),
        ("remove", {"seat": "0"}),
        ("options", {"seats": "2", "option.rounds": "3"}),
        ("start", {}),
    ):
        answer = await guest.post(f"{room}/{path}", data=fields)
        assert answer.status_code == 403, path
        assert said(answer)
    assert (await host.post(f"{room}/order", data={"order": "1,0"})).status_code == 303
    assert (await host.post(f"{room}/options", data={"option.rounds": "3"})).status_code == 303
    api = room.replace("/r/", "/api/rooms/")
    shown = (await host.get(api)).json()
    assert [person["name"] for person in shown["people"]] == ["Ben", "Ann"]
    assert shown["options"]["rounds"] == 3
    assert (await host.post(f"{room}/remove", data={"seat": "0"})).status_code == 303
    assert [person["name"] for person in (await host.get(api)).json()["people"]] == ["Ann"]


async def test_the_next_person_is_host_when_the_host_leaves(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await opened(host)
    await guest.post(f"{room}/sit", data={"name": "Ben"})
    assert (await host.post(f"{room}/leave")).status_code == 303
    await host.post(f"{room}/sit")
    assert (await guest.post(f"{room}/start")).status_code == 303


async def test_equal_names_are_never_mixed_up(browsers: Browsers) -> None:
    host = browsers()
    room = await opened(host)
    twin = browsers()
    assert (await twin.post(f"{room}/sit", data={"name": "Ann\u200b"})).status_code == 303
    api = room.replace("/r/", "/api/rooms/")
    assert (await host.get(api)).json()["you"] == 0
    assert (await twin.get(api)).json()["you"] == 1


EVIL = ["<svg/onload=alert()>", '"><img src=x onerror=1>', "{{7*7}}", "</script>", "a&amp;b"]


@pytest.mark.parametrize("name", EVIL)
async def test_a_name_is_only_text(browsers: Browsers, name: str) -> None:
    host, guest = browsers(), browsers()
    room = await opened(host, name=name)
    await guest.post(f"{room}/sit", data={"name": name})
    await host.post(f"{room}/start")
    shown = html.escape(name).replace("&quot;", "&#34;")
    for path in (room, f"{room}/log", "/"):
        page = (await guest.get(path)).text
        assert f"<bdi>{shown}</bdi>" in page
        assert "<img src=x" not in page
        assert "onload=alert" not in page.replace(shown, "")
        assert f"<bdi>{name}" not in page or shown == name


async def test_a_game_is_played_without_a_script(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await begun(host, guest)
    api = room.replace("/r/", "/api/rooms/")
    for turn in range(8):
        seats = [await player.get(f"{api}/view") for player in (host, guest)]
        mover = host if seats[0].json()["prompt"] else guest
        before = (await mover.get(f"{api}/view")).json()
        legal = before["prompt"]["legal"][0]
        fields = {"prompt": str(before["prompt"]["n"])}
        fields |= (
            {"card": legal["card"], "action": legal["kind"]}
            if "card" in legal
            else {"draw": legal["from"]}
        )
        assert forms((await mover.get(room)).text, f"{room}/move"), turn
        for _ in range(2):
            assert (await mover.post(f"{room}/move", data=fields)).status_code == 303
        assert (await mover.get(f"{api}/view")).json()["v"] == before["v"] + 1


async def test_a_refused_move_is_explained_on_the_page(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await begun(host, guest)
    for fields, status in (
        ({"prompt": "99", "draw": "deck"}, 409),
        ({"prompt": "0", "draw": "nowhere"}, 422),
        ({"draw": "deck"}, 422),
        ({}, 422),
    ):
        answers = [await player.post(f"{room}/move", data=fields) for player in (host, guest)]
        assert status in {answer.status_code for answer in answers}
        assert all(said(answer) for answer in answers)
    watcher = browsers()
    assert (await watcher.post(f"{room}/move", data={"prompt": "0"})).status_code == 403
    assert (await watcher.post(f"{room}/do", data={"what": "concede"})).status_code == 403
    assert (await host.post(f"{room}/do", data={"what": "win"})).status_code == 422


async def test_a_move_is_taken_back_without_a_script(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await begun(host, guest)
    api = room.replace("/r/", "/api/rooms/")
    mover = host if (await host.get(f"{api}/view")).json()["prompt"] else guest
    before = (await mover.get(f"{api}/view")).json()
    card = before["view"]["hand"][0]
    fields = {"prompt": str(before["prompt"]["n"]), "card": card, "action": "discard"}
    await mover.post(f"{room}/move", data=fields)
    assert (await mover.post(f"{room}/do", data={"what": "undo"})).status_code == 303
    after = (await mover.get(f"{api}/view")).json()
    assert after["view"]["hand"] == before["view"]["hand"]
    assert after["v"] == before["v"] + 2


async def test_conceding_ends_the_game_and_opens_the_record(browsers: Browsers) -> None:
    host, guest = browsers(), browsers()
    room = await begun(host, guest)
    assert (await guest.post(f"{room}/do", data={"what": "concede"})).status_code == 303
    answer = await browsers().get(f"{room}/record")
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.json()["server_seed"]


async def test_the_log_is_read_page_by_page(table: Table, browser: httpx.AsyncClient) -> None:
    for _ in range(20):
        await table.step()
    page = await browser.get(f"/r/{table.code}/log?before=10")
    assert page.status_code == 200
    for odd in ("", "-1", "x", "9" * 30, "\u0000"):
        answer = await browser.get(f"/r/{table.code}/log", params={"before": odd})
        assert answer.status_code == 200


async def test_a_name_can_be_changed(browser: httpx.AsyncClient) -> None:
    room = await opened(browser)
    back = {"referer": f"http://house.test{room}"}
    answer = await browser.post("/name", data={"name": "Anna"}, headers=back)
    assert (answer.status_code, answer.headers["location"]) == (303, room)
    assert "<bdi>Anna</bdi>" in (await browser.get(room)).text


async def test_no_form_leads_off_the_house(browser: httpx.AsyncClient) -> None:
    for referer in ("http://evil.test/r/x", "http://house.test//evil.test", "javascript:1", ""):
        answer = await browser.post("/language", data={"lang": "xx"}, headers={"referer": referer})
        assert answer.headers["location"] == "/", referer


async def test_the_pages_answer_for_the_game_that_is_played(browser: httpx.AsyncClient) -> None:
    assert LostCities().meta.title in html.unescape((await browser.get("/")).text)


async def test_someone_elses_room_cannot_be_started(join: Join, browsers: Browsers) -> None:
    host = browsers()
    room = await opened(host)
    answer = await (await join("Eve")).post(room.replace("/r/", "/api/rooms/") + "/start")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_host")
