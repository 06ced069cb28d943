"""A person who plays Silver & Gold at a browser, and tables whose deal is known beforehand."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator

from tests.browser.conftest import Meet
from tests.browser.hands import Finger, Keys
from tests.browser.person import Person
from tests.browser.remote import Remote
from tests.browser.tables import dealt
from tests.servers import Server

NAMES = ("Ann", "Bo", "Cy", "Dan")
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
PATTERNS = {
    "domino": "two in a line",
    "line3_a": "three in a line",
    "line3_b": "three in a line",
    "corner3_a": "corner of three",
    "corner3_b": "corner of three",
    "tee4": "T of four",
    "ell4": "L of four",
    "square4": "block of four",
}
"""What the pages call the expeditions."""
Cell = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """A place of the list: a map and its squares; `whole` if they are the pattern."""

    value: str
    whole: bool
    brings: str

    @property
    def map(self) -> int:
        """The number of the map."""
        return int(self.value.split()[0])

    @property
    def cells(self) -> frozenset[Cell]:
        """Its squares, by row and column."""
        return frozenset((int(cell[0]), int(cell[1])) for cell in self.value.split()[1:])


class Marker:
    """A person with words for what is done in Silver & Gold. `who` is the person."""

    def __init__(self, who: Person, remote: Remote, code: str) -> None:
        self.who = who
        self.page = who.page
        self.remote = remote
        self.code = code
        self.blind = False

    # What is asked, and what is shown

    @property
    def mark(self) -> Locator:
        """The button that marks the chosen place."""
        return self.page.locator("form.ask button.main")

    def tool(self, name: str) -> Locator:
        """Returns a button by what it does: `turn`, `mirror`, `back`, `next`, `one`."""
        return self.page.locator(f'form.ask [data-do="{name}"]')

    async def kind(self) -> str:
        """Waits for a question; returns the kind of its answer, or `over`."""
        await self.page.locator("form.ask, .result").first.wait_for()
        field = self.page.locator("form.ask input[name=kind]")
        return await field.input_value() if await field.count() else "over"

    async def done(self) -> None:
        """Marks what is offered until nothing more is asked in this turn."""
        await self.marks()
        while await self.asks("extra"):
            await self.marks()

    async def asks(self, kind: str) -> bool:
        """Tells whether an answer of that kind is asked at this moment."""
        return bool(await self.page.locator(f'form.ask input[name=kind][value="{kind}"]').count())

    async def places(self, *, whole: bool | None = None) -> list[Place]:
        """Returns the legal places, in their order; only patterns or only squares if asked for."""
        found = await self.who.evaluate(
            """() => [...document.querySelectorAll('#place option')].map((one) => [
                one.value, 'whole' in one.parentElement.dataset, one.dataset.brings])"""
        )
        return [place for place in (Place(*one) for one in found) if whole in (None, place.whole)]

    async def chosen(self) -> Place:
        """Returns the chosen place; what is drawn on the maps must be the same."""
        value = await self.page.locator("#place").input_value()
        place = next(one for one in await self.places() if one.value == value)
        assert await self.drawn() == (place.map, place.cells)
        return place

    async def drawn(self) -> tuple[int, frozenset[Cell]]:
        """Returns the map and the squares on which a place is drawn as chosen."""
        tiles = await self.who.evaluate(
            """() => [...document.querySelectorAll('#own [data-map] .sg-pick rect')].map((one) => [
                one.closest('[data-map]').dataset.map,
                (one.y.baseVal.value - 3) / 44, (one.x.baseVal.value - 3) / 44])"""
        )
        assert len({tile[0] for tile in tiles}) == 1, f"one place is chosen, got {tiles}"
        return int(tiles[0][0]), frozenset((int(row), int(column)) for _, row, column in tiles)

    async def fresh(self) -> set[tuple[int, Cell]]:
        """Returns the squares that are drawn as marked in this turn, each with its map."""
        drawn = await self.who.evaluate(
            """() => [...document.querySelectorAll('#own [data-map] .sg-fresh')].map((one) =>
                [one.closest('[data-map]').dataset.map, one.getAttribute('d')])"""
        )
        return {
            (int(number), ((int(y) - 4) // 44, (int(x) - 4) // 44))
            for number, path in drawn
            for x, y in re.findall(r"M(\d+) (\d+)", path)
        }

    async def regions(self) -> dict[str, str]:
        """Returns what every region of the page has now.

        Without the style of a button that rests for a moment after a press: see `twice.js`.
        """
        found: dict[str, str] = await self.who.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll('[data-region]')]
                .map((one) => [one.dataset.region,
                    one.innerHTML.replace(/ style="(pointer-events: none;)?"/g, '')]))"""
        )
        return found

    async def shown(self) -> dict[str, Any]:
        """Returns the view that the server gives to this person."""
        view: dict[str, Any] = (await self.remote.shown(self.code))["view"]
        return view

    # What is done

    async def points_at(self, number: int, cell: Cell) -> None:
        """Presses a square of one of the own maps."""
        island = self.page.locator(f'#own [data-map="{number}"] .island')
        spot = await island.evaluate(
            """(one, [row, column]) => {
                const box = one.viewBox.baseVal, {width} = one.getBoundingClientRect()
                const scale = width / box.width
                return {x: (column * 44 + 22 - box.x) * scale, y: (row * 44 + 22) * scale}
            }""",
            list(cell),
        )
        if isinstance(self.who.hands, Finger):
            await island.tap(position=spot)
        else:
            await island.click(position=spot)

    async def keeps(self, *maps: int) -> None:
        """Keeps two of the maps dealt; the first two if none is named."""
        boxes = self.page.locator("input[name=maps]")
        await boxes.first.wait_for(state="attached")
        numbers = maps or [await boxes.nth(at).get_attribute("value") for at in (0, 1)]
        for number in numbers:
            await self.who.hands.toggle(self.page.locator(f'input[name=maps][value="{number}"]'))
        await self.answers(self.mark)

    async def takes(self, source: str) -> None:
        """Takes a map of the display, or `deck`."""
        await self.who.hands.choose(self.page.locator(f'input[name=map][value="{source}"]'))
        await self.answers(self.mark)

    async def marks(self, place: Place | None = None) -> None:
        """Marks what is chosen, first of all what is offered; without a script, from the list."""
        if place:
            await self.page.locator("#place").select_option(place.value)
        if self.who.scripted and isinstance(self.who.hands, Keys):
            await self.who.hands.reach(self.page.locator("#own"))
            await self.answers(None)
        else:
            await self.answers(self.mark)

    async def answers(self, button: Locator | None) -> None:
        """Presses the button, or Enter, and waits until the question is another one."""
        asked = await self.who.ask.get_attribute("id")
        await (self.who.press(button) if button else self.page.keyboard.press("Enter"))
        await self.page.locator(f"form#{asked}").wait_for(state="detached")

    async def acts(self) -> str:
        """Does what is asked as a person in a hurry: what is offered; maps from here and there."""
        kind = await self.kind()
        if kind == "keep":
            await self.keeps()
        elif kind == "take_map":
            boxes = self.page.locator("input[name=map]")
            at = (await boxes.count() - 1) if self.blind else 0
            self.blind = not self.blind
            await self.takes(str(await boxes.nth(at).get_attribute("value")))
        elif kind != "over":
            await self.marks()
        return kind


class Crew:
    """A table of people with open pages, one for each seat; seat 0 is the first start player."""

    def __init__(self, code: str, markers: list[Marker]) -> None:
        self.code = code
        self.markers = markers

    @property
    def link(self) -> str:
        """The address of the room."""
        return f"{self.markers[0].who.url}/r/{self.code}"

    async def opened(self) -> Crew:
        """Everybody opens the page."""
        await asyncio.gather(*(marker.who.follows(self.link) for marker in self.markers))
        return self

    async def up_to_date(self) -> None:
        """Waits until every page that is open asks what the server asks now."""
        for marker in self.markers:
            prompt = (await marker.remote.shown(self.code))["prompt"]
            if prompt and marker.who.scripted and marker.page.url == self.link:
                await marker.page.locator(f"form#p{prompt['n']}").wait_for()

    async def plays_on(self, round_number: int, turn: int) -> None:
        """Programs answer for all seats until that turn has come, or the game is over."""
        while True:
            view = await self.markers[0].shown()
            if view["stage"] == "over":
                return
            if view["stage"] == "mark" and (view["round"], view["turn"]) >= (round_number, turn):
                return
            await self._answers()

    async def _answers(self) -> None:
        """One seat that is asked something gives the first legal answer."""
        for marker in self.markers:
            prompt = (await marker.remote.shown(self.code))["prompt"]
            if prompt:
                await marker.remote.plays(self.code, prompt["legal"][0], prompt=prompt["n"])
                return

    async def takes_a_map(self, seat: int) -> None:
        """Programs answer for all seats until a seat has to take a map."""
        while (await self.markers[0].shown())["taking"] != seat:
            await self._answers()
        await self.up_to_date()

    async def comes(self, expedition: str) -> None:
        """Programs answer for all seats until this expedition has just come."""
        while True:
            view = await self.markers[0].shown()
            assert view["stage"] != "over", f"expected {expedition} to come"
            if view["expedition"] == expedition:
                return await self.up_to_date()
            await self.plays_on(view["round"], view["turn"] + (view["stage"] != "keep"))


async def seated(
    meet: Meet,
    server: Server,
    code: str,
    *each: dict[str, Any],
    secret: int = 0,
    **options: int | bool,
) -> Crew:
    """Has people at a table that is dealt, `each` with options of their own browser."""
    people = [await meet(name, **STILL, **one) for name, one in zip(NAMES, each, strict=False)]
    remotes = [await person.remote() for person in people]
    known = secret.to_bytes(32, "big")
    await dealt(server, remotes, "silver_and_gold", code=code, secret=known, first=0, **options)
    return Crew(code, [Marker(*one, code) for one in zip(people, remotes, strict=True)])
