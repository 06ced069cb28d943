"""Pictures of real play: `python -m tests.browser.screenshots OUT` writes them to a folder.

A house on a PostgreSQL of its own is started, two people play, and every page is pictured at three
widths, in light and dark.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser

from tests.browser.conftest import chromium_running
from tests.browser.person import Person
from tests.browser.remote import play_until
from tests.browser.tables import Table, running
from tests.servers import Server

SIZES = {"360": (360, 740), "768": (768, 1024), "1280": (1280, 800)}
Scheme = Literal["light", "dark"]
NAMES = ("Ada", "Ben")


@contextmanager
def _house() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="motherlode-pictures-") as folder:
        Path(folder).chmod(0o755)
        with Server("", Path(folder)) as server:
            yield server


class Photographer:
    """Takes a picture of what a person sees, in each size and scheme that is wanted."""

    def __init__(self, out: Path, sizes: list[str], schemes: list[Scheme]) -> None:
        self._out = out
        self._sizes = sizes
        self._schemes = schemes

    async def takes(self, person: Person, what: str) -> None:
        """Writes `what-size-scheme.png` for each size and scheme."""
        for size in self._sizes:
            width, height = SIZES[size]
            await person.page.set_viewport_size({"width": width, "height": height})
            for scheme in self._schemes:
                await person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                path = self._out / f"{what}-{size}-{scheme}.png"
                await person.page.screenshot(path=path)


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


async def _pictured(url: str, out: Path, sizes: list[str], schemes: list[Scheme]) -> None:
    async with chromium_running() as browser:
        await _played(browser, url, Photographer(out, sizes, schemes))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument(
        "--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"]
    )
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with _house() as house:
        asyncio.run(_pictured(house.url, asked.out, asked.sizes, asked.schemes))
