"""Several seats on one device: whose view a socket is sent, and when a page is covered."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from app.games.registry import GAMES
from app.realtime.protocol import HTML_PROTOCOL
from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, Person
from tests.secrets.hooks import secrets_of

LC = {"game": "lost_cities", "seats": 2, "options": {"first": 0}}
DECK = {"kind": "draw", "from": "deck"}
ENTRIES = 24
SAID = ("log", "speech", "say")
"""Regions of words that are compared elsewhere, or name seats by number."""
FOR_ALL = ("log", "result", "undo")
"""Regions that are the same on a covered page and on a spectator's."""


async def shared(ann: Person, names: list[str], new: dict[str, Any], *others: Person) -> str:
    """Opens a room, seats people on Ann's device and others on theirs, starts; returns the code."""
    code: str = (await ann.post("/rooms", new)).json()["code"]
    for name in names:
        (await ann.post(f"/rooms/{code}/seats", {"name": name})).raise_for_status()
    for other in others:
        (await other.post(f"/rooms/{code}/seats")).raise_for_status()
    (await ann.post(f"/rooms/{code}/start")).raise_for_status()
    return code


class Device:
    """A page that several people look at, as its socket tells it."""

    def __init__(self, code: str, person: Person, line: Line) -> None:
        self.code = code
        self.person = person
        self.line = line
        self.layout = ""
        self.regions: dict[str, str] = {}
        self.seat: int | None = None
        self._read = 0
        self.see()

    def see(self) -> None:
        """Takes in what has come."""
        for message in self.line.heard[self._read :]:
            if message["t"] == "state" and "layout" in message["d"]:
                told = message["d"]
                if (told["layout"], told.get("seat")) != (self.layout, self.seat):
                    self.regions = {}
                self.layout, self.seat = told["layout"], told.get("seat")
                self.regions |= told["regions"]
        self._read = len(self.line.heard)

    def covered(self) -> bool:
        """Whether it waits for somebody to say who it is."""
        return self.layout == "curtain"

    def done(self) -> bool:
        """Whether it asks to be handed over."""
        return 'class="pass"' in self.regions["turn"]

    @property
    def next(self) -> int:
        """Who is to take it."""
        named = re.search(r'name="seat" value="(\d+)"', self.regions["prompt"])
        assert named is not None
        return int(named[1])

    async def hand(self, seat: int | None) -> None:
        """Presses "I am ..." or, with None, covers the page."""
        before = (self.layout, self.seat)
        await self.line.say({"t": "seat", "seat": seat})
        while (self.layout, self.seat) == before:
            await self.line.hear_state()
            self.see()

    async def view(self, seat: int) -> dict[str, Any]:
        """What a seat may know."""
        shown: dict[str, Any] = (
            await self.person.get(f"/rooms/{self.code}/view?seat={seat}")
        ).json()
        return shown

    async def play(self, move_id: str, n: int, moves: list[Any]) -> None:
        """Sends moves without naming a seat: the one whose page it is."""
        await self.line.say({"t": "move", "id": move_id, "prompt": n, "moves": moves})
        answer = await self.line.hear(lambda heard: heard.get("ack") or heard["t"] == "refused")
        assert answer["t"] == "state", answer
        self.see()


@asynccontextmanager
async def device(code: str, person: Person) -> AsyncIterator[Device]:
    """Opens the page of a room."""
    async with person.line(code, protocol=HTML_PROTOCOL) as line:
        yield Device(code, person, line)


async def shows(line: Line, seat: int) -> dict[str, Any]:
    """Returns the next state of a program's socket that is of a seat."""
    return await line.hear(lambda one: one["t"] == "state" and one["d"]["room"]["you"] == seat)


async def test_a_program_asks_for_the_view_of_another_seat_of_its_own(arrive: Arrive) -> None:
    ann, cy = await arrive("Ann"), await arrive("Cy")
    code = await shared(ann, ["Bo"], LC)
    views = [(await ann.get(f"/rooms/{code}/view?seat={seat}")).json()["view"] for seat in (0, 1)]
    async with ann.line(code) as line:
        room = line.state["d"]["room"]
        assert (room["you"], room["yours"]) == (0, [0, 1])
        assert line.state["d"]["view"] == views[0]
        await line.say({"t": "seat", "seat": 1})
        other = (await shows(line, 1))["d"]
        assert (other["view"], other["prompt"]) == (views[1], None)
        await line.say({"t": "seat", "seat": 2})
        assert (await line.hear_of("refused"))["code"] == "not_seated"
        await line.say({"t": "move", "id": "w", "prompt": 0, "moves": [DECK]})
        assert (await line.hear_of("refused"))["code"] == "not_asked", "it is for the seat shown"
        await line.say({"t": "seat"})
        assert (await shows(line, 0))["d"]["view"] == views[0]
    async with cy.line(code) as line:
        assert line.state["d"]["room"]["yours"] == []
        await line.say({"t": "seat", "seat": 0})
        assert (await line.hear_of("refused"))["code"] == "not_seated"


async def test_a_card_drawn_can_be_looked_at_before_the_device_goes_on(arrive: Arrive) -> None:
    ann = await arrive("Ann")
    code = await shared(ann, ["Bo"], LC)
    async with device(code, ann) as page:
        assert page.covered()
        assert page.next == 0
        assert "Ann" in page.regions["prompt"]
        await page.hand(0)
        assert (page.layout, page.seat) == ("lost_cities", 0)
        discard = (await page.view(0))["prompt"]["legal"][-1]
        await page.play("a", 0, [discard])
        assert not page.covered(), "the turn is not over"
        await page.play("b", 1, [DECK])
        assert (page.seat, page.done()) == (0, True), "the new card is to be seen"
        await page.hand(None)
        assert (page.covered(), page.next) == (True, 1)
        await page.hand(1)
        pile = {"kind": "draw", "from": discard["card"][0]}
        other = next(
            move
            for move in (await page.view(1))["prompt"]["legal"]
            if move["kind"] == "discard" and move["card"][0] != pile["from"]
        )
        await page.play("c", 2, [other, pile])
        assert (page.covered(), page.next) == (True, 0), "nothing new was shown: at once"
        await page.hand(1)
        assert (page.seat, page.done()) == (1, True), "who comes back may look as long as they like"


async def test_others_far_away_play_on_devices_of_their_own(arrive: Arrive) -> None:
    ann, dora = await arrive("Ann"), await arrive("Dora")
    new = {"game": "splendor", "seats": 3, "options": {"first": 2}}
    code = await shared(ann, ["Bo"], new, dora)
    take = {"kind": "take", "gems": ["white", "blue", "green"]}
    async with device(code, ann) as page, dora.line(code) as far:
        assert (page.layout, page.seat) == ("splendor", None), "nobody here is asked: all may watch"
        assert "I am" in page.regions["turn"]
        await page.hand(1)
        assert page.seat == 1, "but who likes looks at what is theirs"
        await far.move(take)
        await page.line.hear_state(v=1)
        page.see()
        assert (page.covered(), page.next) == (True, 0), "now somebody else at the device is asked"
        await page.hand(0)
        await page.play("a", 1, [take])
        assert (page.covered(), page.next) == (True, 1)
        await page.hand(1)
        await page.play("b", 2, [take])
        assert (page.seat, page.layout) == (1, "splendor"), "nobody else here is asked"
        assert not page.done()
    async with ann.line(code, protocol=HTML_PROTOCOL) as line:
        assert Device(code, ann, line).seat is None, "a page that is loaded anew is covered"


async def test_a_page_whose_line_broke_stays_in_the_same_hands(arrive: Arrive, url: str) -> None:
    ann = await arrive("Ann")
    code = await shared(ann, ["Bo"], LC)
    async with ann.line(f"{code}", known=0, seat=0, protocol=HTML_PROTOCOL) as line:
        assert Device(code, ann, line).seat == 0
        discard = (await ann.get(f"/rooms/{code}/view")).json()["prompt"]["legal"][-1]
        await line.say({"t": "move", "id": "a", "prompt": 0, "moves": [discard, DECK]})
        await line.hear_state(v=1)
    async with ann.line(code, known=0, seat=0, protocol=HTML_PROTOCOL) as line:
        assert Device(code, ann, line).seat == 0, "the new card has not been seen yet"
    await ann.post(f"/rooms/{code}/deeds", {"id": "c", "what": "concede", "seat": 1})
    async with ann.line(code, known=1, seat=0, protocol=HTML_PROTOCOL) as line:
        over = Device(code, ann, line)
        assert (over.layout, over.seat) == ("lost_cities", None)
        assert "Ann</bdi> wins!" in over.regions["result"]
        assert 'form="rematch"' in over.regions["result"]


@pytest.mark.parametrize("key", list(GAMES))
async def test_between_two_turns_there_is_only_what_a_spectator_sees(
    arrive: Arrive, key: str
) -> None:
    secrets, random = secrets_of(key), Random(5)
    names = ["Bo", "Cy", "Di", "Ed"][: secrets.SEATS - 1]
    new = {"game": key, "seats": secrets.SEATS, "options": dict(secrets.OPTIONS)}
    ann, eve = await arrive("Ann"), await arrive("Eve")
    code = await shared(ann, names, new)
    played, presses, curtains = 0, 0, 0
    async with device(code, ann) as page, device(code, eve) as watcher:
        while played < ENTRIES and not page.regions["result"].strip():
            if page.covered():
                curtains += 1
                await watcher.line.say({"t": "sync"})
                await watcher.line.hear_state(v=page.line.state["v"])
                watcher.see()
                for name in FOR_ALL:
                    assert page.regions.get(name) == watcher.regions.get(name), name
                assert page.regions["speech"].strip() in watcher.regions["log"]
                lines = re.findall(r"<li>(.*?)</li>", page.regions["prompt"], re.DOTALL)
                assert all(line in watcher.regions["log"] for line in lines)
                own = [html for name, html in page.regions.items() if name not in SAID]
                rest = re.sub(r"<li>.*?</li>", "", "".join(own), flags=re.DOTALL)
                assert secrets.in_text(rest) == set()
                await page.hand(page.next)
                presses += 1
            elif page.done():
                await page.hand(None)
                presses += 1
            else:
                assert page.seat is not None
                prompt = (await page.view(page.seat))["prompt"]
                moves = secrets.choose(random, prompt["stage"], prompt["legal"])
                await page.play(f"m{played}", prompt["n"], moves)
                played += 1
                assert presses <= 2, "one press more than `I am` at most"
                presses = 0
    assert curtains > 1
