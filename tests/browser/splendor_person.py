"""A person who plays Splendor at a browser, and rooms whose game is known beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from playwright.async_api import Locator

from tests.browser.conftest import Meet
from tests.browser.hands import Keys
from tests.browser.person import Person
from tests.browser.remote import Remote
from tests.browser.splendor_plan import OPTIONS, Plan, Planned, Wire
from tests.browser.tables import dealt
from tests.servers import Server

NAMES = ("Ann", "Bo", "Cy", "Dan")
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
"""Pages on which nothing slides: many moves in a row do not wait for it."""


def _paying(gold: dict[str, int]) -> str:
    """Returns what selects the button that pays so; where there is one payment, it names none."""
    words = " ".join(colour for colour, n in gold.items() for _ in range(n))
    return f'[name="gold"][value="{words}"], [value="buy"]'


class Player:
    """A person with words for what is done in Splendor. `who` is the person."""

    def __init__(self, who: Person) -> None:
        self.who = who
        self.page = who.page

    async def makes(self, planned: Planned) -> None:
        """Makes a move on the page by pressing, and waits until the question has gone."""
        await self.prepares(planned.move, planned.payments)
        await self.confirms(planned)

    async def prepares(self, move: Wire, payments: int = 1) -> None:
        """Chooses what the move is about, without the last press."""
        await self.who.ask.wait_for()
        if move["kind"] == "take":
            await self.gems(move["gems"])
        elif move["kind"] == "return":
            for token, number in move["tokens"].items():
                await self.gives(token, number)
        elif move["kind"] in {"buy", "reserve"}:
            await self.who.hands.choose(self.slot(move))
            if payments > 1:
                await self.pays(move["gold"])

    async def gems(self, colours: Iterable[str]) -> None:
        """Presses gems of the bank; one of them twice takes two, or its own second box."""
        pressed: set[str] = set()
        for colour in colours:
            boxes = self.page.locator(f'input[name=gems][value="{colour}"]')
            again = colour in pressed and not self.who.scripted
            await self.who.hands.toggle(boxes.nth(1) if again else boxes.first)
            pressed.add(colour)

    async def gives(self, token: str, number: int) -> None:
        """Chooses how many of a token go back: a press for each, or the box for that number."""
        box = self.page.locator(f'[data-give] input[name="{token}"]')
        if isinstance(self.who.hands, Keys) or not self.who.scripted:
            await self.who.hands.choose(box.and_(self.page.locator(f'[value="{number}"]')))
            return
        for _ in range(number):
            await self.who.hands.choose(box.first)

    def slot(self, move: Wire) -> Locator:
        """Returns the choice of a card or a deck."""
        value = move["card"] if "card" in move else f"deck{move['deck']}"
        return self.page.locator(f'input[type=radio][name=card][value="{value}"]')

    async def pays(self, gold: dict[str, int]) -> None:
        """Looks for a payment beside the chosen card; all but the first lie in a drawer."""
        drawer = self.page.locator(".pays >> visible=true")
        payment = self.page.locator(f".act button:is({_paying(gold)}) >> visible=true")
        if await payment.count() == 0:
            await self.who.press(drawer.locator("summary"))

    def button(self, move: Wire) -> Locator:
        """Returns what is pressed last."""
        payment = _paying(move.get("gold", {}))
        at: dict[str, str] = {
            "take": "form.ask .takes button",
            "reserve": '#chosen button[value="reserve"]',
            "buy": f'.act button[data-card="{move.get("card")}"]:is({payment})',
            "return": "form.ask [data-give] > button",
            "choose_noble": f'form.ask button[name=noble][value="{move.get("noble")}"]',
            "pass": "form.ask button",
        }
        return self.page.locator(f"{at[move['kind']]} >> visible=true")

    async def confirms(self, planned: Planned) -> None:
        """Presses, and waits until the question is another one."""
        asked = await self.who.ask.get_attribute("id")
        await self.who.press(self.button(planned.move))
        await self.page.locator(f"form#{asked}").wait_for(state="detached")

    async def reserved(self) -> list[int]:
        """Returns the numbers of one's own reserved cards, as the page shows them."""
        cards = self.page.locator("#r-reserve [data-piece]")
        return [int(str(await card.get_attribute("data-piece"))) for card in await cards.all()]

    async def sheet(self) -> list[list[str]]:
        """Returns the rows of the score sheet once the game is over."""
        return (await self.who.final_sheet())[1:]

    async def marked(self) -> set[str]:
        """Returns the pieces that are marked as new, the cards of the market by their numbers."""
        pieces = self.page.locator("[data-piece].new")
        return {str(await one.get_attribute("data-piece")) for one in await pieces.all()}


class Room:
    """A room in which a planned game is played, with everybody's page open once `opened`."""

    def __init__(self, plan: Plan, players: list[Player], remotes: list[Remote]) -> None:
        self.plan = plan
        self.players = players
        self.remotes = remotes
        self.done = 0

    @property
    def link(self) -> str:
        """The address of the room."""
        return f"{self.players[0].who.url}/r/{self.plan.code}"

    async def opened(self) -> Room:
        """Everybody opens the page."""
        for player in self.players:
            await player.who.follows(self.link)
        return self

    async def goes_on(self, until: int) -> None:
        """Plays the planned moves before that number through the API."""
        for number in range(self.done, until):
            planned = self.plan.moves[number]
            # One entry for each move, after the deal: the question has the number of the move.
            await self.remotes[planned.seat].plays(self.plan.code, planned.move, prompt=number)
        self.done = max(self.done, until)

    async def pressed(self, until: int) -> None:
        """The planned moves before that number are made on the pages."""
        for planned in self.plan.moves[self.done : until]:
            await self.players[planned.seat].makes(planned)
        self.done = max(self.done, until)

    async def v(self) -> int:
        """Returns the number of the last entry."""
        return int((await self.remotes[0].shown(self.plan.code))["v"])


async def seated(meet: Meet, server: Server, plan: Plan, *, at: int = 0, **options: Any) -> Room:
    """Has people in a planned game after its first `at` moves; their pages are not open yet."""
    people = [await meet(name, **options) for name in NAMES[: plan.seats]]
    remotes = [await person.remote() for person in people]
    await dealt(server, remotes, "splendor", code=plan.code, secret=plan.secret, **OPTIONS)
    room = Room(plan, [Player(person) for person in people], remotes)
    await room.goes_on(at)
    return room
