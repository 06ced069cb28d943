"""The chat without a script, as text and nothing else; tables that only those at them see."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.web.conftest import Browsers, Join, Program, Table
from tests.web.test_pages import begun, forms, opened, said
from tests.web.test_routes import DOORS, address

HOSTILE = [
    "<svg/onload=alert()>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}}${7*7}%(x)s",
    "</script></p><b>Bo",
]


def lines(page: str) -> list[str]:
    """Returns what a page shows as said, as HTML, oldest first in the document."""
    return re.findall(r'<p class="words" dir="auto">(.*?)</p></li>', page)


async def test_the_chat_works_as_plain_forms(browsers: Browsers) -> None:
    ann, bo = browsers(), browsers()
    room = await begun(ann, bo)
    page = (await ann.get(f"{room}/chat")).text
    text, *_ = forms(page, f"{room}/chat")
    for _ in range(2):  # pressed twice: said once
        answer = await ann.post(f"{room}/chat", data={**text, "text": "Hello Bo"})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{room}/chat")
    answer = await bo.post(f"{room}/chat", data={"what": "laugh", "back": "table"})
    assert (answer.status_code, answer.headers["location"]) == (303, room)
    for path in (room, f"{room}/chat"):
        shown = lines((await bo.get(path)).text)
        assert sorted(re.sub("<[^>]+>", "", line) for line in shown if line) == [
            "Ha ha",
            "Hello Bo",
        ]
    refused = await ann.post(f"{room}/chat", data={"text": "x" * 301})
    assert (refused.status_code, said(refused)) == (422, True)
    assert f'value="{"x" * 301}"' in refused.text


@pytest.mark.parametrize("text", HOSTILE)
async def test_what_is_said_is_only_text(browsers: Browsers, text: str) -> None:
    ann = browsers()
    room = await opened(ann, "</script><b>Al")
    assert (await ann.post(f"{room}/chat", data={"text": text})).status_code == 303
    plain = text.translate(
        {ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&#34;", ord("'"): "&#39;"}
    )
    for path in (room, f"{room}/chat"):
        page = (await ann.get(path)).text
        assert plain in lines(page)
        assert text not in page or text == plain
        assert "</script><b>Al" not in page


async def test_a_watcher_who_may_write_gives_a_name_first(browsers: Browsers) -> None:
    ann, bo, cy = browsers(), browsers(), browsers()
    room = await begun(ann, bo)
    assert not forms((await cy.get(room)).text, f"{room}/chat")
    refused = await cy.post(f"{room}/chat", data={"text": "let me", "name": "Cy"})
    assert (refused.status_code, said(refused), "set-cookie" in refused.headers) == (
        403,
        True,
        False,
    )
    for host in (bo, ann):
        await host.post(f"{room}/watching", data={"watching": "yes", "watchers_chat": "yes"})
    assert f'href="{room}/chat">Write in the chat' in (await cy.get(room)).text
    form, *more = forms((await cy.get(f"{room}/chat")).text, f"{room}/chat")
    assert ("name" in form, more) == (True, [])
    empty = await cy.post(f"{room}/chat", data={"text": " ", "name": "Cy"})
    assert (empty.status_code, "set-cookie" in empty.headers) == (422, False)
    key = {"once": "k" * 20, "id": "twice", "text": "may I", "name": "Ann", "back": "table"}
    for _ in range(2):
        answer = await cy.post(f"{room}/chat", data=key)
        assert (answer.status_code, answer.headers["location"]) == (303, room)
    page = (await ann.get(f"{room}/chat")).text
    assert lines(page) == ["may I"]
    assert re.search(r'<bdi>Ann</bdi>.*?<span class="tag">watching</span>', page), "no player"


async def test_a_closed_table_shows_nothing_to_who_has_no_seat(
    table: Table, join: Join, http: httpx.AsyncClient
) -> None:
    for _ in range(4):
        await table.step()
    (await table.host.post(f"{table.api}/chat", {"text": "among us"})).raise_for_status()
    answer = await table.host.post(f"{table.api}/watching", {"watching": False})
    assert answer.json()["watching"] is False
    harmless = {"/r/{code}/qr.svg", "/r/{code}/", "/r/{code}/{rest}"}
    for program in (await join("Eve"), Program(http, None)):
        for door in DOORS:
            if "{code}" in door and door not in harmless:
                answer = await program.get(address(door, table.code))
                assert answer.status_code in {403, 303}, door
                assert "among us" not in answer.text
                assert 'data-region="' not in answer.text
        page = await program.get(f"/r/{table.code}")
        assert "This table is not watched" in page.text
        for path, body in (("chat", {"text": "hi"}), ("seats", {}), ("deeds", {})):
            refused = await program.post(f"{table.api}/{path}", body)
            assert 400 <= refused.status_code < 500
            assert "view" not in refused.json()
    for player in (table.host, table.guest):
        assert (await player.get(f"{table.api}/view")).json()["view"]
        assert "among us" in (await player.get(f"/r/{table.code}")).text


async def test_chat_is_no_part_of_a_record(table: Table) -> None:
    before = (await table.host.get(f"{table.api}/record")).json()
    (await table.guest.post(f"{table.api}/chat", {"text": "secretly"})).raise_for_status()
    shown = (await table.host.get(f"{table.api}/chat")).json()["lines"]
    assert [line["text"] for line in shown] == ["secretly"]
    assert (await table.host.get(f"{table.api}/record")).json() == before
