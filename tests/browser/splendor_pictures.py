"""Pictures of Splendor: every question, what others see, and each way a game can end."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Browser

from tests.browser.person import Person
from tests.browser.photographer import Photographer
from tests.browser.splendor_likely import four, shared
from tests.browser.splendor_person import Room, seated
from tests.browser.splendor_plan import Plan, blocked, with_nobles
from tests.servers import Server


class _Evening:
    """Plays planned games in a house and shows them to a photographer."""

    def __init__(self, browser: Browser, house: Server, photographer: Photographer) -> None:
        self._browser = browser
        self._house = house
        self._takes = photographer.takes
        self._people: list[Person] = []

    async def _meet(self, name: str, **options: Any) -> Person:
        person = await Person.meet(self._browser, name, self._house.url, **options)
        self._people.append(person)
        return person

    async def _room(self, plan: Plan, at: int = 0) -> Room:
        return await (await seated(self._meet, self._house, plan, at=at)).opened()

    async def stages(self) -> None:
        """Three at a table: what is asked before and after something was chosen."""
        room = await self._room(with_nobles("bado-keli-mofu-tobi"))
        kinds = ("take three", "take two", "reserve", "pay", "return", "choose_noble")
        for number in sorted(room.plan.first(kind) for kind in kinds):
            await room.goes_on(number)
            planned = room.plan.moves[number]
            mover = room.players[planned.seat]
            await mover.who.ask.wait_for()
            what = planned.kind.replace(" ", "-")
            await self._takes(mover.who, f"splendor-{what}")
            await mover.prepares(planned.move, planned.payments)
            await self._takes(mover.who, f"splendor-{what}-chosen")
            if planned.kind == "pay":
                await self._takes(room.players[planned.seat - 1].who, "splendor-not-my-turn")
        await room.goes_on(len(room.plan.moves))
        await room.players[1].who.result.wait_for()
        await self._takes(room.players[1].who, "splendor-end")

    async def four_at_a_table(self) -> None:
        """Four late in a game, with reserved cards; one of them read by a rival."""
        plan = four("bado-keli-mofu-tobe")
        late = max(
            n
            for n, move in enumerate(plan.moves[: len(plan.moves) * 2 // 3])
            if move.stage == "take"
        )
        room = await self._room(plan, late)
        mover = room.players[plan.moves[late].seat].who
        await mover.ask.wait_for()
        await self._takes(mover, "splendor-four")
        await mover.page.locator(".peek > summary").first.click()
        await self._takes(mover, "splendor-four-reserves")

    async def endings(self) -> None:
        """Nothing left to do, and two who win together."""
        for name, plan in (
            ("blocked", blocked("bado-keli-mofu-toba")),
            ("shared", shared("bado-keli-mofu-tobo")),
        ):
            room = await self._room(plan, len(plan.moves) - 1)
            mover = room.players[plan.moves[-1].seat].who
            await mover.ask.wait_for()
            await self._takes(mover, f"splendor-{name}-last-move")
            await room.goes_on(len(plan.moves))
            await mover.result.wait_for()
            await self._takes(mover, f"splendor-{name}-end")

    async def over(self) -> None:
        """Everybody goes home; nobody may have had trouble."""
        for person in self._people:
            await person.leaves()
            person.troubles.check()


async def splendor(browser: Browser, house: Server, photographer: Photographer) -> None:
    """Takes all pictures of Splendor."""
    evening = _Evening(browser, house, photographer)
    await evening.stages()
    await evening.four_at_a_table()
    await evening.endings()
    await evening.over()
