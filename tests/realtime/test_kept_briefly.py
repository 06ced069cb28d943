"""What is drawn of a room is drawn once for all who look, and kept by nobody who only waits."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from app.games.registry import GAMES
from app.realtime.kept import NOTHING, Kept, Shown
from app.realtime.live import Live
from app.realtime.scene import Scene
from app.web.render import Renderer
from bench.walks import Walk, default_options


class Drawn:
    """Draws pages, and counts them and their regions."""

    def __init__(self) -> None:
        self._renderer = Renderer(GAMES)
        self.pages = 0
        self.kept = 0
        self.readers = 0

    def __call__(
        self, scene: Scene, lang: str, kept: Kept, shown: Shown
    ) -> tuple[dict[str, str], Shown]:
        before = len(kept)
        changes = self._renderer.changes(scene, lang, kept, shown)
        self.pages += 1
        self.kept = len(kept) - before
        self.readers = len(kept.logs)
        return changes


def table() -> Live:
    return Walk(GAMES["lost_cities"], 2, default_options(GAMES["lost_cities"]), 1).live


async def test_pages_that_show_the_same_are_drawn_once_and_then_forgotten() -> None:
    live, draw = table(), Drawn()
    first = live.changes(None, None, "en", NOTHING, draw)
    assert live.changes(None, None, "en", Shown({}, ()), draw) is first
    assert draw.pages == 1
    html, shown = first
    assert html
    assert live.changes(None, None, "en", shown, draw) == ({}, shown), "nothing has changed"
    alone = draw.kept
    await asyncio.sleep(0)
    assert live.changes(None, None, "en", NOTHING, draw) == first
    assert draw.pages == 3
    assert draw.kept > alone == 0, "all of it is drawn again"


async def test_lines_of_the_log_are_kept_but_not_those_with_a_former_name() -> None:
    live, draw = table(), Drawn()
    for seat in (0, 1, None):
        live.changes(seat, None, "en", NOTHING, draw)
    live.changed()
    live.changes(0, None, "en", NOTHING, draw)
    assert draw.readers == 3
    ann, bo = live.room.people
    people = (replace(ann, name="Anna"), bo)
    live.learn(replace(live.room, r=live.room.r + 1, people=people))
    live.changes(0, None, "en", NOTHING, draw)
    assert draw.readers == 1


async def test_a_region_that_two_seats_see_alike_is_drawn_once() -> None:
    live, draw = table(), Drawn()
    people = [(person.seat, person.player_id) for person in live.room.people]
    pages = []
    drawn = []
    for seat, player in people:
        html, _ = live.changes(seat, player, "en", NOTHING, draw)
        pages.append(html)
        drawn.append(draw.kept)
    alike = [name for name, html in pages[0].items() if html and pages[1].get(name) is html]
    assert alike
    assert drawn[1] <= drawn[0] - len(alike)
