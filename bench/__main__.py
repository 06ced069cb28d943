"""All of the bench in one run, as `make bench` does it: `python -m bench --out build/bench.md`.

Measures one after the other, each on fresh servers: JSON and HTML, one process and two, from 50 to
3,000 games; the waits at half of the most turns a second; the games held with a second of thought;
the memory of who only waits; bare echo and bare commits; and, where PEERS_DIR names the comparison
harness, the others with the load client of the harness. What it prints and writes can stand in
bench/README.md as it is. It takes about 15 minutes, with the others about 25, and no part begins
after `--minutes`. `--quick` shows within two minutes that everything works; its numbers say
nothing.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import uvloop
from sqlalchemy.engine import URL

from bench import idle
from bench.floors import floors
from bench.house import server_version
from bench.ladder import THINK_SECONDS, climb
from bench.load import Plan, measured, postgres_at
from bench.machine import allow_many_files, describe
from bench.peers import OTHERS, Harness, harness
from bench.report import SUMMED_UP_AT, Found, Report, named
from bench.rows import Row

OURS = "motherlode"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a `Plan` says but for its size."""

    protocol: str
    send: str
    processes: int = 1
    together: bool = False

    def __str__(self) -> str:
        both = ", together" if self.together else ""
        return f"{self.protocol}, {self.send}{both}, {self.processes} processes"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: numbers of games, seconds, and at which levels to begin."""

    games: dict[Kind, tuple[int, ...]]
    peers: tuple[int, ...]
    warm: float
    measure: float
    start: dict[Kind, int]
    idle: int
    floor: float
    levels: int
    peers_levels: int


FULL = Size(
    games={
        Kind("json", "turn"): (50, 200, 1000, 3000),
        Kind("json", "turn", 2): (50, 200, 1000),
        Kind("json", "turn", 2, together=True): (50, 200, 1000, 3000),
        Kind("json", "half"): (200,),
        Kind("html", "half"): (50, 200, 1000),
        Kind("html", "half", 2, together=True): (200,),
    },
    peers=(50, 200, 1000),
    warm=4.0,
    measure=8.0,
    start={Kind("json", "turn"): 2000, Kind("html", "half"): 300},
    idle=1000,
    floor=3.0,
    levels=4,
    peers_levels=3,
)
QUICK = Size(
    games={
        Kind("json", "turn"): (10, 20),
        Kind("json", "turn", 2): (20,),
        Kind("html", "half"): (20,),
    },
    peers=(20,),
    warm=0.5,
    measure=1.5,
    start={Kind("json", "turn"): 25},
    idle=20,
    floor=0.5,
    levels=2,
    peers_levels=0,
)


class Run:
    """One run of everything on one PostgreSQL, in `size`."""

    def __init__(self, size: Size, report: Report, server: URL, folder: Path) -> None:
        self._size = size
        self._report = report
        self._found = report.found
        self._server = server
        self._folder = folder
        self._rates: dict[Kind, tuple[int, float]] = {}

    def ours(self) -> None:
        """Measures this project by itself."""
        size = self._size
        for kind, numbers in size.games.items():
            for games in numbers:
                self._report.part(f"{kind}, {games} games", partial(self._closed, kind, games))
        for kind in size.start:
            self._report.part(f"half the rate, {kind}", partial(self._half, kind))
        for kind, start in size.start.items():
            self._report.part(f"a second of thought, {kind}", partial(self._climb, kind, start))
        for protocol in dict.fromkeys(kind.protocol for kind in size.games):
            self._report.part(f"who only waits, {protocol}", partial(self._idle, protocol))
        self._report.part("floors", self._floors)

    def others(self, peers: Harness) -> None:
        """Measures the others, and this project with their load client."""
        size = self._size
        names = [*OTHERS.split(","), OURS]
        for games in size.peers:
            for name in names:
                what = f"{name}, {games} games"
                self._report.part(what, partial(self._peer, peers, name, games))
        for name in OTHERS.split(","):
            self._report.part(f"who only waits, {name}", partial(self._idle_peer, peers, name))
        for name in names if size.peers_levels else ():
            what = f"a second of thought, {name}"
            self._report.part(what, partial(self._climb_peer, peers, name))

    def _measured(self, kind: Kind, games: int, think: float = 0.0) -> Row:
        plan = Plan(
            games,
            kind.protocol,
            kind.send,
            self._size.warm,
            self._size.measure,
            think,
            kind.processes,
            kind.together,
        )
        return uvloop.run(measured(plan, self._server, self._folder))

    def _closed(self, kind: Kind, games: int) -> None:
        row = self._measured(kind, games)
        self._found.rows.append(row)
        if games in {SUMMED_UP_AT, self._size.games[kind][-1]}:
            self._rates.setdefault(kind, (games, row.turns_per_second))

    def _half(self, kind: Kind) -> None:
        games, rate = self._rates[kind]
        self._found.halves.append(self._measured(kind, games, 2 * games / rate))

    def _climb(self, kind: Kind, start: int) -> None:
        attempt = partial(self._measured, kind, think=THINK_SECONDS)
        self._climbed(start, attempt, self._size.levels)

    def _climb_peer(self, peers: Harness, name: str) -> None:
        warm, measure = self._size.warm, self._size.measure

        def attempt(games: int) -> Row:
            return peers.row(name, games, warm=warm, measure=measure, think=THINK_SECONDS)

        self._climbed(peers.hint(name), attempt, self._size.peers_levels)

    def _climbed(self, start: int, attempt: Callable[[int], Row], tries: int) -> None:
        found = climb(attempt, start, until=self._report.until, tries=tries)
        self._found.levels += found.rows
        if found.rows:
            self._found.held[named(found.rows[0])] = found.held

    def _idle(self, protocol: str) -> None:
        waiting = idle.measured(self._server, self._folder, self._size.idle, protocol)
        self._found.idle.append(uvloop.run(waiting))

    def _idle_peer(self, peers: Harness, name: str) -> None:
        few, many = self._size.idle // 10, self._size.idle
        grown = peers.idle(name, many) - peers.idle(name, few)
        self._found.idle_peers[name] = grown * 1000 / (many - few)

    def _floors(self) -> None:
        self._found.floors += uvloop.run(floors(self._server, self._size.floor))

    def _peer(self, peers: Harness, name: str, games: int) -> None:
        row = peers.row(name, games, warm=self._size.warm, measure=self._size.measure)
        self._found.rows.append(row)


def main() -> None:
    """Measures everything, writes it to the file of `--out`, and prints it."""
    given = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    allow_many_files()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="motherlode-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        server = stack.enter_context(postgres_at(given.database, folder))
        found = Found(f"{describe()}, PostgreSQL {uvloop.run(server_version(server))}.")
        report = Report(found, given.out, until=began + given.minutes * 60)
        run = Run(QUICK if given.quick else FULL, report, server, folder)
        run.ours()
        if "PEERS_DIR" in os.environ:
            report.part("others", lambda: run.others(stack.enter_context(harness(folder))))
    minutes = (time.monotonic() - began) / 60
    found.head += f" It took {minutes:.0f} minutes."
    report.write()
    print(f"\n{found.markdown()}\nWritten to {given.out}.")
    if found.trouble:
        raise SystemExit(1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("build/bench.md"), help="file to write")
    parser.add_argument("--minutes", type=float, default=28.0, help="no part begins after that")
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    parser.add_argument("--quick", action="store_true", help="show that everything works, no more")
    return parser.parse_args()


if __name__ == "__main__":
    main()
