"""What a page costs: HTML of every registered game, whole and where something changed.

    python -m bench.pages --games 6 --repeats 5 [--game splendor] [--regions]

Random games with the most seats are played at tables in memory. After every entry the regions of
every seat's page are drawn, as the hub does it: `whole` with nothing kept from before, `changed`
with what the room keeps. Time is CPU time: the mean over all views, of that the median of the
repeats, in brackets the least of them; `first` is the first look at all, with empty caches. Bytes
are what tells a player of a move: the message of the JSON protocol, and the HTML of the regions
that changed.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.games.registry import GAMES, AnyGame
from app.realtime.kept import NOTHING, Kept, Shown
from app.realtime.protocol import state
from app.realtime.scene import Scene
from app.web.render import Renderer
from bench.machine import describe
from bench.walks import Walk, default_options

BUDGET = (8000, 30000)
"""Bytes of HTML for a move: at the median and at worst."""


@dataclass
class Bytes:
    """What is sent to each seat for each move."""

    json: list[int] = field(default_factory=list)
    html: list[int] = field(default_factory=list)
    regions: Counter[str] = field(default_factory=Counter)


def walks(game: AnyGame, games: int) -> list[Walk]:
    """Returns fresh games at the largest table."""
    seats = game.meta.seats[1]
    return [Walk(game, seats, default_options(game), seed) for seed in range(1, games + 1)]


def scenes(walk: Walk) -> Iterator[list[Scene]]:
    """Yields what every seat sees, state by state."""
    for live in walk.states():
        yield [live.scene(seat, player) for seat, player in walk.viewers if seat is not None]


def cost(renderer: Renderer, shown: list[list[list[Scene]]], *, keep: bool) -> float:
    """Returns the mean milliseconds of CPU time for the regions of one view."""
    views = 0
    gc.collect()
    gc.disable()
    began = time.process_time()
    for game in shown:
        kept = Kept()
        pages: dict[int | None, Shown] = {}
        for moment in game:
            kept.forget()
            for scene in moment:
                if keep:
                    before = pages.get(scene.seat, NOTHING)
                    _, pages[scene.seat] = renderer.changes(scene, "en", kept, before)
                else:
                    renderer.regions(scene, "en")
            views += len(moment)
    spent = time.process_time() - began
    gc.enable()
    return 1000 * spent / views


def sizes(renderer: Renderer, played: list[Walk]) -> Bytes:
    """Returns how much is sent to each seat for each entry after the deal."""
    found = Bytes()
    for walk in played:
        kept = Kept()
        shown: dict[int, Shown] = {}
        for live in walk.states():
            kept.forget()
            for seat, player in walk.viewers:
                if seat is None:
                    continue
                scene = live.scene(seat, player)
                changed, shown[seat] = renderer.changes(scene, "en", kept, shown.get(seat, NOTHING))
                if live.v > 0:
                    for name, html in changed.items():
                        found.regions[name.partition("-")[0]] += len(html.encode())
                    found.html.append(sum(len(html.encode()) for html in changed.values()))
                    told = live.content(seat, live.v - 1, 0)
                    found.json.append(len(state(live.v, live.room.r, None, told)))
    return found


def spread(values: list[int]) -> str:
    """Returns median, 95th percentile and greatest value."""
    most = statistics.quantiles(values, n=20)[-1]
    return f"{statistics.median(values):,.0f} / {most:,.0f} / {max(values):,}"


def measure(game: AnyGame, games: int, repeats: int, *, regions: bool) -> None:
    """Prints the row of one game, and what its regions weigh if asked."""
    renderer = Renderer(GAMES)
    shown = [list(scenes(walk)) for walk in walks(game, games)]
    first = cost(renderer, shown, keep=False)
    # In turns, so that other work on the machine is in both.
    timed = [[cost(renderer, shown, keep=keep) for keep in (False, True)] for _ in range(repeats)]
    whole, changed = (statistics.median(row[at] for row in timed) for at in (0, 1))
    least = [min(row[at] for row in timed) for at in (0, 1)]
    sent = sizes(renderer, walks(game, games))
    within = statistics.median(sent.html) <= BUDGET[0] and max(sent.html) <= BUDGET[1]
    views = sum(len(moment) for one in shown for moment in one)
    print(
        f"| {game.meta.title} | {game.meta.seats[1]} | {views:,} | {first:.2f} "
        f"| {whole:.2f} ({least[0]:.2f}) | {changed:.2f} ({least[1]:.2f}) "
        f"| {spread(sent.json)} | {spread(sent.html)} "
        f"| {'yes' if within else 'NO'} |"
    )
    if regions:
        for name, size in sent.regions.most_common():
            print(f"    {name}: {size / len(sent.html):,.0f} bytes for a move and seat")


def main() -> None:
    """Measures every registered game, or one."""
    parser = argparse.ArgumentParser(description="HTML of every game: time and bytes.")
    parser.add_argument("--games", type=int, default=6, help="random games of each")
    parser.add_argument("--repeats", type=int, default=5, help="times that each is drawn")
    parser.add_argument("--game", choices=list(GAMES), help="one game only")
    parser.add_argument("--regions", action="store_true", help="also bytes by region")
    given = parser.parse_args()
    print(describe())
    print(
        "| game | seats | views | first ms | whole ms | changed ms "
        "| JSON bytes for a move: median / p95 / most | HTML bytes: median / p95 / most "
        "| within the budget |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
    for key, game in GAMES.items():
        if given.game in (None, key):
            measure(game, given.games, given.repeats, regions=given.regions)


if __name__ == "__main__":
    main()
