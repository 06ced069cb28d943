"""Pictures of Silver & Gold: every question, waiting, what a spectator sees, and the end."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Browser

from tests.browser.person import Person
from tests.browser.photographer import Photographer
from tests.browser.silver_person import STILL, seated
from tests.servers import Server


async def silver_and_gold(browser: Browser, house: Server, photographer: Photographer) -> None:
    """Takes all pictures of Silver & Gold, of four at a table and one beside it."""
    people: list[Person] = []

    async def meet(name: str, **options: Any) -> Person:
        people.append(await Person.meet(browser, name, house.url, **options))
        return people[-1]

    crew = await (await seated(meet, house, "bado-keli-mofu-sabi", {}, {}, {}, {})).opened()
    ann = crew.markers[0]
    eve = await meet("Eve", **STILL)
    await eve.follows(crew.link)
    await ann.who.hands.toggle(ann.page.locator("input[name=maps]").first)
    await photographer.takes(ann.who, "silver-keep")
    await crew.plays_on(1, 1)
    await crew.up_to_date()
    await photographer.takes(ann.who, "silver-mark")
    await ann.who.press(ann.tool("one"))
    cross = next(one for one in await ann.places(whole=False) if one.brings.startswith("x"))
    await ann.points_at(cross.map, *cross.cells)
    await photographer.takes(ann.who, "silver-one-square")
    await ann.answers(ann.mark)
    await photographer.takes(ann.who, "silver-extra")
    await ann.done()
    await photographer.takes(ann.who, "silver-waiting")
    await crew.plays_on(3, 2)
    await crew.takes_a_map(0)
    await photographer.takes(ann.who, "silver-take-a-map")
    await crew.plays_on(4, 4)
    await crew.up_to_date()
    await photographer.takes(ann.who, "silver-late")
    await photographer.takes(eve, "silver-spectator")
    await crew.plays_on(5, 1)
    await ann.who.result.wait_for()
    await photographer.takes(ann.who, "silver-end")
    for person in people:
        await person.leaves()
        person.troubles.check()
