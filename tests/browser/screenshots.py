"""Pictures of real play: `python -m tests.browser.screenshots OUT` writes them to a folder.

A house on a PostgreSQL of its own is started, people play, and every page is pictured at three
widths, in light and dark. `--eyes protanopia deuteranopia tritanopia` shows what people see who
see fewer colours.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.async_api import Browser

from app.embedded import EmbeddedPostgres
from tests.browser.conftest import chromium_running
from tests.browser.gold_pictures import gold_hunting
from tests.browser.person import Person
from tests.browser.photographer import EYES, SIZES, Photographer
from tests.browser.remote import play_until
from tests.browser.silver_pictures import silver_and_gold
from tests.browser.splendor_pictures import splendor
from tests.browser.tables import Table, running
from tests.browser.take_pictures import take_the_gold
from tests.faults.houses import UNLIMITED
from tests.servers import Server

GAMES = ("lost_cities", "splendor", "silver_and_gold", "gold_hunting", "take_the_gold")
USUAL = ["360", "768", "1280"]
NAMES = ("Ada", "Ben")


@contextmanager
def _house() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="motherlode-pictures-") as folder:
        Path(folder).chmod(0o755)
        postgres = EmbeddedPostgres(Path(folder) / "postgres", durable=False)
        postgres.start()
        try:
            url = postgres.url("postgres").render_as_string(hide_password=False)
            with Server(url, Path(folder), port=None, **UNLIMITED) as server:
                yield server
        finally:
            postgres.stop()


async def _played(browser: Browser, url: str, photographer: Photographer) -> None:
    ann = await Person.meet(browser, NAMES[0], url)
    bo = await Person.meet(browser, NAMES[1], url)
    await ann.page.goto("/")
    await photographer.takes(ann, "home")
    await ann.page.goto("/new/lost_cities")
    await photographer.takes(ann, "new")
    link = await ann.opens_room()
    await photographer.takes(ann, "lobby-alone")
    await bo.follows(link)
    await photographer.takes(bo, "sit-down")
    await bo.sits_down()
    await photographer.takes(ann, "lobby")
    table = await running(ann, bo)
    await photographer.takes(ann, "first-turn")
    await _middle(table, photographer)
    await play_until(table.code, 0, *table.seats)
    await ann.result.wait_for()
    await photographer.takes(ann, "end")
    await ann.page.goto("/rules/lost_cities")
    await photographer.takes(ann, "rules")
    for person in (ann, bo):
        await person.leaves()
        person.troubles.check()


async def _middle(table: Table, photographer: Photographer) -> None:
    ann, bo = table.ann, table.bo
    await table.goes_on(18)
    await ann.page.reload()
    await ann.is_live()
    card, action = await ann.sensible_move()
    await ann.chooses(card)
    await photographer.takes(ann, "play")
    await ann.acts(action)
    await photographer.takes(ann, "draw")
    await ann.draws()
    await ann.waits()
    await photographer.takes(ann, "waiting")
    await photographer.takes(bo, "after-their-move")


async def _pictured(house: Server, photographer: Photographer, games: list[str]) -> None:
    async with chromium_running() as browser:
        if "lost_cities" in games:
            await _played(browser, house.url, photographer)
        if "splendor" in games:
            await splendor(browser, house, photographer)
        if "silver_and_gold" in games:
            await silver_and_gold(browser, house, photographer)
        if "gold_hunting" in games:
            await gold_hunting(browser, house, photographer)
        if "take_the_gold" in games:
            await take_the_gold(browser, house, photographer)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=USUAL)
    parser.add_argument("--eyes", nargs="+", choices=EYES)
    parser.add_argument(
        "--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"]
    )
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with _house() as house:
        photographer = Photographer(asked.out, asked.sizes, asked.schemes, asked.eyes)
        asyncio.run(_pictured(house, photographer, asked.games))
