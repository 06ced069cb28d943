"""A person who plays Gold Hunting at a browser, and tables that are dealt already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, expect

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.remote import Remote

STILL: dict[str, Any] = {"reduced_motion": "reduce"}
MINE = "21 321 123 12"
THEIRS = "111 32 232 12"


class Digger:
    """A person with words for what is done in Gold Hunting. `who` is the person."""

    def __init__(self, who: Person, remote: Remote) -> None:
        self.who = who
        self.page = who.page
        self.remote = remote

    # Building

    def loose(self, size: int) -> Locator:
        """Returns the first bar of a size that has no place yet."""
        return self.page.locator(f'.gh-tray .gh-piece[data-size="{size}"]').first

    def piece(self, mountain: int, place: int) -> Locator:
        """Returns a bar of a mountain by its place from the top."""
        return self.page.locator(f'[data-lot="{mountain}"] .gh-piece').nth(place)

    def base(self, mountain: int) -> Locator:
        """Returns what puts the chosen bar on top of a mountain."""
        return self.page.locator(f'[data-lot="{mountain}"] .gh-base')

    def action(self, name: str) -> Locator:
        """Returns the button `mix`, `clear` or `back`."""
        return self.page.locator(f'[data-do="{name}"]')

    @property
    def chosen(self) -> Locator:
        """The bar that is to be placed."""
        return self.page.locator('.gh-piece[aria-pressed="true"]')

    @property
    def ready(self) -> Locator:
        """The button that sends what is built."""
        return self.page.locator("#ready")

    async def stacks(self, build: str) -> None:
        """Builds mountains, `"21 321 123 12"`, by pressing each bar and then its mountain."""
        for mountain, bars in enumerate(build.split()):
            for size in bars:
                await self.who.press(self.loose(int(size)))
                await expect(self.chosen).to_have_count(1)
                await self.who.press(self.base(mountain))
                await expect(self.chosen).to_have_count(0)

    async def built(self) -> str:
        """Returns what stands on the building site, bars from bottom to top."""
        stacks: list[str] = await self.page.evaluate(
            """() => [...document.querySelectorAll('.gh-lot')].map((lot) =>
                [...lot.querySelectorAll('.gh-piece')].reverse().map((bar) => bar.dataset.size)
                .join('') || '-')"""
        )
        return " ".join(stacks)

    async def is_ready(self) -> None:
        """Sends what is built and waits for the answer."""
        await self.answers(self.ready)

    # Hunting

    def mountain(self, number: int) -> Locator:
        """Returns the choice of one of the other's mountains."""
        return self.page.locator(f'input[name=mountain][type=radio][value="{number}"]')

    def call(self, action: str) -> Locator:
        """Returns the button of an announcement, of the rush or the safe."""
        return self.page.locator(f'form.ask button[name=action][value="{action}"]')

    async def digs(self, mountain: int, action: str) -> None:
        """Chooses a mountain, announces and waits for the answer."""
        await self.who.ask.wait_for()
        await self.who.hands.choose(self.mountain(mountain))
        await self.answers(self.call(action))

    async def saves(self) -> None:
        """Puts the pile into the safe."""
        await self.answers(self.call("safe"))

    async def answers(self, button: Locator) -> None:
        """Presses and waits until the question is another one."""
        asked = await self.who.ask.get_attribute("id")
        await self.who.press(button)
        await self.page.locator(f"form#{asked}").wait_for(state="detached")

    async def told(self) -> str:
        """Returns the newest line of the log."""
        return str(await self.page.locator("#r-log li").first.text_content())


@dataclass
class Claim:
    """A table of two diggers. Ann digs first."""

    code: str
    ann: Digger
    bo: Digger

    async def begun(self, mine: str = MINE, theirs: str = THEIRS) -> Claim:
        """Has both build, and waits until Ann is asked."""
        await self.ann.remote.plays(self.code, build(mine))
        await self.bo.remote.plays(self.code, build(theirs))
        for digger in (self.ann, self.bo):
            if not digger.who.scripted:
                await digger.who.looks_again()
        await self.ann.page.locator("form.ask .gh-calls").wait_for()
        return self


def build(stacks: str) -> dict[str, Any]:
    """Returns the move that builds `"21 321 123 12"`."""
    mountains = [[int(size) for size in bars] for bars in stacks.split()]
    return {"kind": "build", "mountains": mountains}


async def claimed(ann: Person, bo: Person, **options: int) -> Claim:
    """Has two people at a table that is dealt."""
    first, second = await ann.remote(), await bo.remote()
    code = await first.opens_room("gold_hunting", 2, **{"first": 0, **options})
    await second.sits(code)
    await first.starts(code)
    for person in (ann, bo):
        await person.follows(f"{ann.url}/r/{code}")
        await person.main("gold_hunting").wait_for()
    return Claim(code, Digger(ann, first), Digger(bo, second))


async def two(meet: Meet, **options: Any) -> Claim:
    """Has a new Ann and a new Bo at a table; `options` are those of their browsers."""
    return await claimed(await meet("Ann", **options), await meet("Bo", **options))
