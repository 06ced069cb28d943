"""A person who plays Take the Gold at a browser, and rooms whose game is known beforehand."""

from __future__ import annotations

from collections import Counter
from typing import Any

from playwright.async_api import Locator

from tests.browser.conftest import Meet
from tests.browser.person import Person
from tests.browser.remote import Remote
from tests.browser.tables import dealt
from tests.browser.take_plan import OPTIONS, Plan, Planned, Wire
from tests.servers import Server

NAMES = ("Ann", "Bo", "Cy", "Dan", "Eve", "Fay")
STILL: dict[str, Any] = {"reduced_motion": "reduce"}


class Rogue:
    """A person with words for what is done in Take the Gold. `who` is the person."""

    def __init__(self, who: Person) -> None:
        self.who = who
        self.page = who.page

    def card(self, kind: str) -> Locator:
        """Returns the choice of a card of the hand, to attack with."""
        return self.page.locator(f'form.ask input[type=radio][name=card][value="{kind}"]').first

    def target(self, seat: int) -> Locator:
        """Returns the choice of somebody to attack."""
        return self.page.locator(f'form.ask input[type=radio][name=target][value="{seat}"]')

    def boxes(self, kind: str) -> Locator:
        """Returns the boxes of all cards of a kind, to be discarded."""
        return self.page.locator(f'form.ask input[name=cards][value="{kind}"]')

    def button(self, move: Wire) -> Locator:
        """Returns what is pressed last."""
        if move["kind"] == "respond":
            return self.page.locator(
                f'form.ask button[name=with][value="{move["with"] or "none"}"]'
            )
        if move["kind"] == "discard":
            return self.page.locator("form.ask .ttg-acts button")
        return self.page.locator(f'form.ask button[name=kind][value="{move["kind"]}"]')

    async def prepares(self, move: Wire) -> None:
        """Chooses what the move is about, without the last press."""
        await self.who.ask.wait_for()
        if move["kind"] == "play":
            await self.who.hands.choose(self.card(move["card"]))
            if await self.target(move["target"]).count():
                await self.who.hands.choose(self.target(move["target"]))
        elif move["kind"] == "discard":
            kinds: Counter[str] = Counter(move["cards"])
            if kinds.total() == 1:
                await self.who.hands.choose(self.boxes(move["cards"][0]).first)
                return
            for kind, number in kinds.items():
                for at in range(number):
                    await self.who.hands.toggle(self.boxes(kind).nth(at))

    async def makes(self, move: Wire) -> None:
        """Makes a move by pressing, and waits until the question is another one."""
        await self.prepares(move)
        asked = await self.who.ask.get_attribute("id")
        await self.who.press(self.button(move))
        await self.page.locator(f"form#{asked}").wait_for(state="detached")

    @property
    def outcome(self) -> Locator:
        """What the table says of the attack."""
        return self.page.locator(".ttg-outcome")

    async def hand(self) -> list[str]:
        """Returns the cards of the hand by the names below them."""
        names = await self.page.locator("#r-prompt .ttg-cap").all_inner_texts()
        return [name.split(",")[0].strip().replace(" ", "_") for name in names]


class Room:
    """A room in which a planned game is played, with everybody's page open once `opened`."""

    def __init__(self, plan: Plan, rogues: list[Rogue], remotes: list[Remote]) -> None:
        self.plan = plan
        self.rogues = rogues
        self.remotes = remotes
        self.done = 0

    @property
    def link(self) -> str:
        """The address of the room."""
        return f"{self.rogues[0].who.url}/r/{self.plan.code}"

    @property
    def next(self) -> Planned:
        """The next move."""
        return self.plan.moves[self.done]

    @property
    def mover(self) -> Rogue:
        """Who makes it."""
        return self.rogues[self.next.seat]

    async def opened(self) -> Room:
        """Everybody opens the page."""
        for rogue in self.rogues:
            await rogue.who.follows(self.link)
        return self

    async def goes_on(self, until: int) -> None:
        """Plays the planned moves before that number through the API."""
        for number in range(self.done, until):
            planned = self.plan.moves[number]
            # One entry for each move, after the deal: the question has the number of the move.
            await self.remotes[planned.seat].plays(self.plan.code, planned.move, prompt=number)
        self.done = max(self.done, until)

    async def presses(self) -> None:
        """The next move is made on the page."""
        await self.mover.makes(self.next.move)
        self.done += 1


async def seated(meet: Meet, server: Server, plan: Plan, *, at: int = 0, **options: Any) -> Room:
    """Has people in a planned game after its first `at` moves; their pages are not open yet."""
    people = [await meet(name, **options) for name in NAMES[: plan.seats]]
    remotes = [await person.remote() for person in people]
    await dealt(server, remotes, "take_the_gold", code=plan.code, secret=plan.secret, **OPTIONS)
    room = Room(plan, [Rogue(person) for person in people], remotes)
    await room.goes_on(at)
    return room
