"""Silver & Gold at the browser: four people, four ways of pressing, one whole game."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Meet
from tests.browser.hands import Finger, Keys
from tests.browser.looks import fits
from tests.browser.person import PHONE, Person
from tests.browser.silver_person import PATTERNS, STILL, Crew, Marker, seated
from tests.servers import Server

SQUARE = re.compile(r"\b[a-d][1-4]\b")
LATER = 5
"""The turn of the first round at which people look for what came before."""


@pytest.mark.parametrize(
    "pressed", [pytest.param(4, marks=pytest.mark.faults), 2], ids=["every round", "two rounds"]
)
async def test_four_play_a_whole_game_all_at_the_same_time(
    meet: Meet, server: Server, pressed: int
) -> None:
    """Ann by mouse, Bo by keys, Cy by finger on a phone, Dan without JavaScript; Eve watches.

    With `pressed` 2 programs answer in rounds 2 and 3, which takes half the time.
    """
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    code = "bado-keli-mofu-sasa" if pressed == 2 else "bado-keli-mofu-susa"
    crew = await seated(meet, server, code, {}, {}, phone, {"java_script_enabled": False})
    await crew.opened()
    bo, cy = crew.markers[1:3]
    bo.who.hands, cy.who.hands = Keys(), Finger()
    eve = await meet("Eve", **STILL)
    await eve.follows(crew.link)
    came = []
    for turn in range(1, LATER + 1):
        await asyncio.gather(*(_until(marker, 1, turn) for marker in crew.markers))
        came.append((await crew.markers[0].shown())["expedition"])
    await _nothing_tells_of(came, crew, eve)
    await asyncio.gather(*(_until(marker, 2, 1) for marker in crew.markers))
    await _tells_of(came, crew, eve)
    if pressed == 2:
        await crew.plays_on(4, 1)
    kinds = await asyncio.gather(*(_until(marker, 5, 1) for marker in crew.markers))
    assert set().union(*kinds) >= {"mark", "extra", "take_map", "over"}
    await _end(crew, eve)


async def _until(marker: Marker, round_number: int, turn: int) -> set[str]:
    """Answers all that is asked before a turn; returns the kinds of questions."""
    kinds: set[str] = set()
    while "over" not in kinds:
        if not marker.who.scripted:
            await _asked_without_script(marker)
        kind = await marker.kind()
        now = await marker.page.locator("#r-expedition").inner_text()
        at = re.search(r"Round (\d)/4 · turn (\d)/7", now)
        if at and (int(at[1]), int(at[2])) >= (round_number, turn):
            break
        if kind not in kinds and isinstance(marker.who.hands, Finger):
            await fits(marker.who, kind)
        kinds.add(await marker.acts())
    return kinds


async def _asked_without_script(marker: Marker) -> None:
    """Loads the page again once there is something new; it would do so every few seconds."""
    while True:
        shown = await marker.remote.shown(marker.code)
        if shown["prompt"] or shown["room"]["outcome"]:
            await marker.who.loads(f"/r/{marker.code}")
            return
        await asyncio.sleep(0.1)


async def _nothing_tells_of(came: list[str], crew: Crew, eve: Person) -> None:
    """Neither page, log, view nor record has what came before this turn, nor where it was put."""
    *before, now = came
    words = {PATTERNS[key] for key in before} - {PATTERNS[now]}
    assert words, f"chosen so that there is something to hide, got {came}"
    for marker in crew.markers:
        data = json.dumps([await marker.shown(), await marker.remote.record(crew.code)])
        assert not {key for key in before if f'"{key}"' in data and key != now}
        assert '"cells"' not in json.dumps(await marker.remote.record(crew.code))
    for page in [eve.page, *(marker.page for marker in crew.markers)]:
        assert not {one for one in words if one in await page.content()}
        assert not SQUARE.search(str(await page.locator("#r-log").text_content()))
    log = await eve.context.new_page()
    await log.goto(f"{crew.link}/log")
    assert "Everybody has four maps" in await log.inner_text("main")
    assert not {one for one in words if one in await log.content()}
    await log.close()


async def _tells_of(came: list[str], crew: Crew, eve: Person) -> None:
    """When the round is over everybody may read what came in it."""
    told = ", ".join(PATTERNS[key] for key in came)
    for page in [eve.page, *(marker.page for marker in crew.markers)]:
        await expect(page.locator("#r-log")).to_contain_text(
            f"Round 1 is over. Its expeditions: {told}"
        )
    record = json.dumps(await crew.markers[0].remote.record(crew.code))
    assert all(f'"{key}"' in record for key in came)


async def _end(crew: Crew, eve: Person) -> None:
    outcome = (await crew.markers[0].remote.shown(crew.code))["room"]["outcome"]
    wanted = {"Total": outcome["totals"]}
    for row in ("Coins", "Trophies", "Palms", "Maps", "Seals"):
        wanted[row] = [scores[row.lower()] for scores in outcome["scores"]]
    for person in [eve, *(marker.who for marker in crew.markers)]:
        rows = await person.final_sheet()
        names = [name.removesuffix(" (you)") for name in rows[0][1:]]
        order = [[marker.who.name for marker in crew.markers].index(name) for name in names]
        assert [outcome["ranking"][seat] for seat in order] == sorted(outcome["ranking"])
        seen = {row[0]: row[1:] for row in rows if row[0] in wanted}
        assert seen == {key: [str(of[seat]) for seat in order] for key, of in wanted.items()}
        assert not await person.ask.count()
    winners = [
        marker.who
        for marker, place in zip(crew.markers, outcome["ranking"], strict=True)
        if place == 1
    ]
    for person in winners:
        await expect(person.result.get_by_role("heading").first).to_have_text("You win!")
