"""Pictures of Gold Hunting: building, waiting, hunting, a pile at risk, the end."""

from __future__ import annotations

from playwright.async_api import Browser

from tests.browser.gold_person import MINE, STILL, THEIRS, Claim, build, claimed
from tests.browser.person import Person
from tests.browser.photographer import Photographer
from tests.servers import Server

LIFTS = ((2, "2"), (1, "3"), (2, "3"), (2, "3"))
"""The first digs, Ann's and Bo's in turn; they leave piles at risk."""


async def gold_hunting(browser: Browser, house: Server, photographer: Photographer) -> None:
    """Has two people build and hunt, and shows each stage to the photographer."""
    people = [await Person.meet(browser, name, house.url, **STILL) for name in ("Ann", "Bo")]
    claim = await claimed(*people)
    await _building(claim, photographer)
    await _hunting(claim, photographer)
    for person in people:
        await person.leaves()
        person.troubles.check()


async def _building(claim: Claim, photographer: Photographer) -> None:
    ann = claim.ann
    await photographer.takes(ann.who, "gold-build")
    await ann.stacks("21 3")
    await ann.who.press(ann.loose(2))
    await photographer.takes(ann.who, "gold-building")
    await ann.who.press(ann.action("mix"))
    await photographer.takes(ann.who, "gold-mixed")
    await ann.remote.plays(claim.code, build(MINE))
    await ann.who.waits()
    await photographer.takes(ann.who, "gold-waiting")
    await claim.bo.remote.plays(claim.code, build(THEIRS))


async def _hunting(claim: Claim, photographer: Photographer) -> None:
    ann, bo = claim.ann, claim.bo
    await ann.page.locator(".gh-calls").wait_for()
    await photographer.takes(ann.who, "gold-hunt")
    for turn, (mountain, size) in enumerate(LIFTS):
        await (ann, bo)[turn % 2].digs(mountain, size)
    await ann.who.ask.wait_for()
    await ann.who.hands.choose(ann.mountain(1))
    await photographer.takes(ann.who, "gold-chosen")
    await photographer.takes(bo.who, "gold-not-my-turn")
    await ann.saves()
    await photographer.takes(ann.who, "gold-after-the-safe")
    await ann.digs(0, "1")
    await bo.digs(0, "rush")
    for turn in range(14):
        digger = (ann, bo)[turn % 2]
        legal = (await digger.remote.shown(claim.code))["prompt"]["legal"]
        await digger.remote.plays(claim.code, legal[turn % len(legal)])
        if turn == 8:
            await bo.page.wait_for_timeout(300)
            await photographer.takes(bo.who, "gold-late")
    await ann.who.result.wait_for()
    await photographer.takes(ann.who, "gold-end")
