"""Chat on sockets: who is heard by whom, and what it leaves alone."""

from __future__ import annotations

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.realtime.protocol import HTML_PROTOCOL
from tests.realtime.conftest import Arrive
from tests.realtime.people import Person, started

FIRST = {"first": 0}


async def watching(host: Person, code: str, *, watching: bool, chat: bool = False) -> None:
    """Chooses for the host who may watch and write."""
    body = {"watching": watching, "watchers_chat": chat}
    (await host.post(f"/rooms/{code}/watching", body)).raise_for_status()


async def shown(person: Person, code: str) -> list[object]:
    """Returns what a player is shown of a room, apart from the time."""
    state = (await person.get(f"/rooms/{code}/view")).json()
    return [state[key] for key in ("v", "r", "room", "view", "prompt")]


async def test_a_line_reaches_everybody_and_changes_nothing(arrive: Arrive) -> None:
    ann, bo, cy = await arrive("Ann"), await arrive("Bo"), await arrive("Cy")
    code = await started([ann, bo], "lost_cities", FIRST)
    before = (await ann.get(f"/rooms/{code}/record")).json()
    async with (
        ann.line(code) as one,
        bo.line(code, protocol=HTML_PROTOCOL) as two,
        cy.line(code) as watcher,
    ):
        for line in (one, two, watcher):
            await line.quiet()
        state = await shown(ann, code)
        await one.say({"t": "chat", "id": "c1", "text": "<b>good</b> luck"})
        told = [await line.hear_of("chat") for line in (one, two, watcher)]
        assert told[0] == told[1] == told[2]
        assert (told[0]["kind"], told[0]["seat"], told[0]["name"], told[0]["text"]) == (
            *("text", 0, "Ann"),
            "<b>good</b> luck",
        )
        assert await one.hear_of("said") == {"t": "said", "id": "c1", "line": told[0]["id"]}
        await two.say({"t": "react", "what": "bravo"})
        assert [(await line.hear_of("chat"))["text"] for line in (one, two)] == ["bravo"] * 2
        # No state follows, in either protocol: no region was drawn for what was said.
        assert [message["t"] for message in await two.quiet()] == []
        assert [message["t"] for message in await one.quiet()] == []
        assert await shown(ann, code) == state
    assert (await ann.get(f"/rooms/{code}/record")).json() == before


async def test_nobody_speaks_as_another(arrive: Arrive) -> None:
    ann, bo, cy = await arrive("Ann"), await arrive("Bo"), await arrive("Ann")
    code = await started([ann, bo], "lost_cities", FIRST)
    async with ann.line(code) as one, bo.line(code) as two, cy.line(code) as watcher:
        await two.say({"t": "chat", "id": "a", "text": "me", "name": "Ann", "who": "x", "at": "y"})
        line = await one.hear_of("chat")
        assert (line["name"], line["seat"]) == ("Bo", 1)
        await two.say({"t": "chat", "id": "b", "text": "I am Ann", "seat": 0})
        refused = await two.hear_of("refused")
        assert (refused["id"], refused["code"]) == ("b", "not_seated")
        await watcher.say({"t": "chat", "id": "c", "text": "I too"})
        assert (await watcher.hear_of("refused"))["code"] == "chat_seated_only"
        await watching(ann, code, watching=True, chat=True)
        await watcher.say({"t": "chat", "id": "d", "text": "a namesake"})
        line = await one.hear_of("chat")
        assert (line["name"], line["seat"], line["text"]) == ("Ann", None, "a namesake")
        answer = await bo.post(f"/rooms/{code}/chat", {"text": "by HTTP", "seat": 0})
        assert (answer.status_code, answer.json()["code"]) == (403, "not_seated")


async def test_people_at_one_device_speak_as_who_they_are(arrive: Arrive) -> None:
    ann = await arrive("Ann")
    code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    (await ann.post(f"/rooms/{code}/seats", {"name": "Bea"})).raise_for_status()
    (await ann.post(f"/rooms/{code}/start")).raise_for_status()
    async with ann.line(code) as line:
        for seat, name in ((1, "Bea"), (0, "Ann"), (None, "Ann")):
            await line.say({"t": "chat", "text": "here", "seat": seat})
            assert (await line.hear_of("chat"))["name"] == name
        await line.say({"t": "chat", "id": "c", "text": "here", "seat": 2})
        assert (await line.hear_of("refused"))["code"] == "not_seated"


async def test_what_was_missed_is_asked_for(arrive: Arrive) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities", FIRST)
    first = (await ann.post(f"/rooms/{code}/chat", {"text": "one"})).json()
    await ann.post(f"/rooms/{code}/chat", {"what": "luck"})
    async with bo.line(code) as line:
        await line.say({"t": "lines"})
        assert [each["text"] for each in (await line.hear_of("lines"))["lines"]] == ["one", "luck"]
        await line.say({"t": "lines", "after": first["id"]})
        assert [each["text"] for each in (await line.hear_of("lines"))["lines"]] == ["luck"]


async def test_what_is_no_line_is_refused(arrive: Arrive) -> None:
    ann = await arrive("Ann")
    room = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    messages: list[tuple[dict[str, object], str]] = [
        ({"t": "chat", "text": "\u200b"}, "chat_empty"),
        ({"t": "chat", "text": "x" * 301}, "chat_too_long"),
        ({"t": "chat", "text": 7}, "bad_message"),
        ({"t": "chat", "text": "x", "id": "no id"}, "bad_message"),
        ({"t": "react", "what": "<img>"}, "bad_reaction"),
        ({"t": "lines", "after": "yesterday"}, "bad_message"),
    ]
    async with ann.line(room) as line:
        for message, code in messages:
            await line.say(message)
            refused = await line.hear_of("refused")
            assert refused["code"] == code, message
            assert refused["message"].endswith("."), message
        for _ in range(6):
            await line.say({"t": "chat", "id": "last", "text": "x"})
            await line.say({"t": "react", "id": "other", "what": "wow"})
        await line.say({"t": "ping"})
        await line.hear_of("pong")
        assert [one["t"] for one in line.heard].count("chat") == 2, "one for each id"


async def test_watchers_are_sent_away_when_the_host_closes_the_table(arrive: Arrive) -> None:
    ann, bo, cy = await arrive("Ann"), await arrive("Bo"), await arrive("Cy")
    code = await started([ann, bo], "lost_cities", FIRST)
    nobody = Person(ann.url, None, ann.http)
    async with ann.line(code) as one, cy.line(code) as watcher, nobody.line(code) as stranger:
        seen = await one.hear(lambda each: each["t"] == "state" and _watchers(each) == 2)
        refused = await bo.post(f"/rooms/{code}/watching", {"watching": False})
        assert refused.json()["code"] == "not_host"
        await watching(ann, code, watching=False)
        for line in (watcher, stranger):
            with pytest.raises(ConnectionClosed) as closed:
                await line.hear(lambda each: each["t"] == "state" and each["r"] > seen["r"])
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4003
            assert closed.value.rcvd.reason == "this table is not watched"
        state = await one.hear(lambda each: each["t"] == "state" and _watchers(each) == 0)
        assert state["d"]["room"]["watching"] is False
        for person in (cy, nobody):
            with pytest.raises(InvalidStatus) as denied:
                async with person.line(code):
                    pass
            assert denied.value.response.status_code == 403
        await watching(ann, code, watching=True)
        async with cy.line(code) as again:
            assert again.state["d"]["view"]


def _watchers(message: dict[str, object]) -> object:
    return message["d"]["room"]["watchers"]  # type: ignore[index]


async def test_before_the_start_a_closed_table_can_still_be_joined(arrive: Arrive) -> None:
    ann, bo, cy = await arrive("Ann"), await arrive("Bo"), await arrive("Cy")
    code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    await watching(ann, code, watching=False)
    async with bo.line(code) as two, cy.line(code) as three:
        (await bo.post(f"/rooms/{code}/seats")).raise_for_status()
        (await ann.post(f"/rooms/{code}/start")).raise_for_status()
        state = await two.hear(lambda each: each["t"] == "state" and each["v"] == 0)
        assert state["d"]["view"]
        with pytest.raises(ConnectionClosed):
            await three.hear(lambda each: each["t"] == "state" and each["v"] == 0)


async def test_who_was_removed_or_found_no_seat_sees_what_a_stranger_sees(arrive: Arrive) -> None:
    """Also the player himself, in a browser that does not know him."""
    ann, bo, cy, di = [await arrive(name) for name in ("Ann", "Bo", "Cy", "Di")]
    code = (await ann.post("/rooms", {"game": "lost_cities", "options": FIRST})).json()["code"]
    await di.post(f"/rooms/{code}/seats")
    removed = {"seat": "1"}
    await ann.http.post(f"{ann.url}/r/{code}/remove", data=removed, headers=ann.headers)
    await bo.post(f"/rooms/{code}/seats")
    full = await cy.post(f"/rooms/{code}/seats")
    assert (full.status_code, full.json()["code"]) == (409, "full")
    (await ann.post(f"/rooms/{code}/start")).raise_for_status()
    nobody = Person(ann.url, None, ann.http)
    async with nobody.line(code) as stranger:
        wanted = stranger.state["d"]
        assert wanted["view"]["seat"] is None
        assert not wanted["view"].get("hand")
        for person in (cy, di):
            async with person.line(code) as line:
                assert line.state["d"]["view"] == wanted["view"]
                assert line.state["d"]["prompt"] is None
                await line.say({"t": "move", "id": "m", "prompt": 0, "moves": [{"kind": "play"}]})
                assert (await line.hear_of("refused"))["code"] == "not_seated"
                await line.say({"t": "do", "id": "d", "what": "undo", "seat": 0})
                assert (await line.hear_of("refused"))["code"] == "not_seated"
