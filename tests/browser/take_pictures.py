"""Pictures of Take the Gold: every question, waiting, what a spectator sees, and the end."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Browser

from tests.browser.person import Person
from tests.browser.photographer import Photographer
from tests.browser.take_person import STILL, Room, seated
from tests.browser.take_plan import all_attacks
from tests.servers import Server

STAGES = ("pirate None", "two_pirates None", "kraken None", "captain coin")


async def take_the_gold(browser: Browser, house: Server, photographer: Photographer) -> None:
    """Takes all pictures of Take the Gold, of two, four and six at a table."""
    people: list[Person] = []

    async def meet(name: str, **options: Any) -> Person:
        people.append(await Person.meet(browser, name, house.url, **options))
        return people[-1]

    for seats, code in ((2, "mado"), (4, "madi"), (6, "madu")):
        plan = all_attacks(f"bado-keli-mofu-{code}", seats)
        room = await (await seated(meet, house, plan, **STILL)).opened()
        await _pictured(room, f"take-{seats}", photographer)
        watcher = await meet("Gus", **STILL)
        await watcher.follows(room.link)
        await photographer.takes(watcher, f"take-{seats}-spectator")
        await room.goes_on(len(plan.moves))
        await room.rogues[0].who.result.wait_for()
        await photographer.takes(room.rogues[0].who, f"take-{seats}-end")
    for person in people:
        await person.leaves()
        person.troubles.check()


async def _pictured(room: Room, name: str, photographer: Photographer) -> None:
    """The stages in the order in which they come in this game."""
    for number, stage in sorted((room.plan.first(stage), stage) for stage in STAGES):
        what = f"{name}-{stage.split()[0]}"
        await room.goes_on(number - 1)
        mover = room.mover
        await mover.prepares(room.next.move)
        await photographer.takes(mover.who, f"{what}-chosen")
        await room.presses()
        await room.mover.who.ask.wait_for()
        await photographer.takes(room.mover.who, f"{what}-asked")
        await photographer.takes(mover.who, f"{what}-waiting")
        await room.presses()
        await photographer.takes(mover.who, f"{what}-after")
    await room.goes_on(max(room.done, room.plan.first("discard")))
    if room.next.what == "discard":
        await room.mover.who.ask.wait_for()
        await photographer.takes(room.mover.who, f"{name}-discard")
