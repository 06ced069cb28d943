"""Several seats answer at once, over real sockets: nobody is disturbed, and nothing is let slip."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import orjson
import pytest

from app.realtime.protocol import HTML_PROTOCOL
from tests.realtime.conftest import Arrive
from tests.realtime.people import Message, Person, started

HIDE = {"kind": "hide", "boxes": [1, 2, 3]}
UNDO = {"t": "do", "what": "undo"}


@pytest.fixture
async def three(arrive: Arrive) -> list[Person]:
    return [await arrive(name) for name in ("Ann", "Bo", "Cy")]


def told(message: Message) -> list[tuple[int, str]]:
    """Returns what a state told: seq and kind of each event."""
    return [
        (entry["seq"], event["kind"])
        for entry in message["d"]["events"]
        for event in entry["events"]
    ]


async def test_an_answer_and_its_take_back_tell_the_others_nothing(three: list[Person]) -> None:
    ann, bo, cy = three
    watcher = Person(ann.url, None, ann.http)
    code = await started(three, "torture")
    async with ann.line(code) as mine, bo.line(code) as theirs, watcher.line(code) as seen:
        before = await cy.get(f"/rooms/{code}/record")
        await mine.move(HIDE)
        assert told(await mine.hear_state(v=1)) == [(1, "hid")]
        await mine.say(UNDO | {"id": "u"})
        assert told(await mine.hear_state(v=2)) == [(2, "undone")]
        for line in (theirs, seen):
            for v in (1, 2):
                state = await line.hear_state(v=v)
                assert state["d"]["events"] == []
        assert (await cy.get(f"/rooms/{code}/record")).json() == before.json()


async def test_pages_of_the_others_stay_as_they_are(three: list[Person]) -> None:
    ann, bo, _ = three
    watcher = Person(ann.url, None, ann.http)
    code = await started(three, "torture")
    async with AsyncExitStack() as stack:
        mine = await stack.enter_async_context(ann.line(code))
        pages = [
            await stack.enter_async_context(person.line(code, protocol=HTML_PROTOCOL))
            for person in (bo, watcher)
        ]
        for page in pages:
            await page.quiet(0.1)
        await mine.move(HIDE)
        await mine.hear_state(v=1)
        await mine.say(UNDO | {"id": "u"})
        await mine.hear_state(v=2)
        await mine.move(HIDE)
        for page in pages:
            while page.state["v"] < 3:
                changed = set((await page.hear_state(page.state["v"] + 1))["d"]["regions"])
                # Who still chooses may be seen; nothing was said, nothing asked anew.
                assert changed <= {"players", "turn"}


async def test_who_has_answered_reads_for_whom_to_wait(three: list[Person]) -> None:
    ann, bo, cy = three
    code = await started(three, "torture")
    async with ann.line(code) as mine, bo.line(code) as theirs:
        await mine.move(HIDE)
        await mine.hear_state(v=1)
        page = (await ann.http.get(f"{ann.url}/r/{code}", headers=ann.headers)).text
        assert "You are done. Waiting for <bdi>Bo</bdi>, <bdi>Cy</bdi>." in page
        assert "Take back: " in page
        await theirs.move(HIDE)
        await theirs.hear_state(v=2)
        page = (await cy.http.get(f"{cy.url}/r/{code}", headers=cy.headers)).text
        assert "You are done" not in page
        assert "Take back" not in page
        assert page.count("done</span>") == 2


class Bytes:
    """All that was sent about one game: by door, with the entry it was sent after."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int, bytes]] = []

    async def look(self, code: str, v: int, people: list[Person]) -> None:
        """Asks every door of a running game."""
        for person in people:
            for path in ("/r/{}", "/r/{}/log", "/r/{}/record", "/api/rooms/{}/view"):
                url = person.url + path.format(code)
                answer = await person.http.get(url, headers=person.headers)
                assert answer.status_code == 200
                self.heard.append((path, v, answer.content))
            async with person.line(code, known=0) as again:
                await again.say({"t": "sync"})
                await again.hear_state()
                self.heard += [("again", v, orjson.dumps(message)) for message in again.heard]


async def test_what_is_fleeting_is_sent_once_and_never_again(three: list[Person]) -> None:
    """The die of a raid, and what somebody hid: told as it happens, in no later byte."""
    ann, bo, _ = three
    watcher = Person(ann.url, None, ann.http)
    code = await started([ann, bo], "torture")
    sent = Bytes()
    async with ann.line(code) as first, bo.line(code) as second, watcher.line(code) as third:
        lines = [first, second, third]
        thrown = 0
        while thrown < 3 and (first.prompt or second.prompt):
            line = first if first.prompt else second
            move = _bold(line.prompt)
            v = line.state["v"] + 1
            await line.move(move)
            states = [await each.hear_state(v=v) for each in lines]
            dice = [kinds for kinds in map(told, states) if (v, "thrown") in kinds]
            assert len(dice) in (0, 3)
            thrown += len(dice) // 3
            hid = [(v, "hid") in told(state) for state in states]
            assert hid == [move["kind"] == "hide" and each is line for each in lines]
            await sent.look(code, v, [ann, bo, watcher])
    assert thrown
    for where, v, body in sent.heard:
        for word in (b"thrown", b'"die"', b'"hid"', b'"moves"', b'"body"'):
            assert word not in body, (where, v, word)


def _bold(prompt: Message) -> Any:
    """Raids where it may, and never stops a raid."""
    legal: list[dict[str, Any]] = prompt["legal"]
    raids = [move for move in legal if move["kind"] == "raid"]
    return (raids or legal)[0]


async def test_a_socket_that_comes_later_is_not_told_of_the_newest_entry_again(
    three: list[Person],
) -> None:
    ann, *_ = three
    code = await started(three, "torture")

    async with ann.line(code, known=-1) as line:
        assert told(line.state) == [(0, "dealt")]
        await line.move(HIDE)
        await line.hear_state(v=1)
        assert told(line.state) == [(1, "hid")]
        await line.say({"t": "sync"})
        assert told(await line.hear_state()) == []
    async with ann.line(code, known=-1) as line:
        assert told(line.state) == [(0, "dealt")]
