"""How many games a server holds when players think for a second: one level after the other.

    python -m bench.ladder
    python -m bench.ladder --protocol html --start 400

A level holds when 99 of 100 moves reach the opponent within 100 ms, nothing fails, and at least 80
of 100 turns are made that there could be. From the first level it goes up until one does not hold,
or down until one does; one that does not is tried once more, since anything else that the machine
does for a moment is enough for that.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvloop

from bench.load import Plan, measured, postgres_at
from bench.machine import allow_many_files, describe
from bench.rows import Row, holds, rows_table

LEVELS = (
    *(10, 25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 400, 500, 600, 800, 1000, 1250, 1500),
    *(2000, 2500, 3000, 3500, 4000),
)
THINK_SECONDS = 1.0


@dataclass(slots=True)
class Climb:
    """What came of all levels that were tried; `held` is the highest that held, 0 for none."""

    held: int = 0
    rows: list[Row] = field(default_factory=list)


def climb(
    attempt: Callable[[int], Row], start: int, *, until: float, tries: int = len(LEVELS)
) -> Climb:
    """Looks for the highest level that holds, beginning with that of `start`.

    `attempt` runs one level. No level begins after the time `until` of the monotonic clock, and
    none after `tries` levels.
    """
    found = Climb()
    at = min(range(len(LEVELS)), key=lambda i: abs(LEVELS[i] - start))
    failed = len(LEVELS)
    for _ in range(tries):
        if not 0 <= at < failed or time.monotonic() >= until:
            break
        rows = [attempt(LEVELS[at])]
        if not holds(rows[0]):
            rows.append(attempt(LEVELS[at]))
        found.rows += rows
        if holds(rows[-1]):
            found.held = LEVELS[at]
            at += 1
        else:
            failed = at
            at = at - 1 if found.held == 0 else failed
    return found


def main() -> None:
    """Climbs as far as it goes and prints every level."""
    parser = argparse.ArgumentParser(description="Games held with a second of thought.")
    parser.add_argument("--protocol", default="json", choices=["json", "html"])
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--start", type=int, default=1500, help="the first level")
    parser.add_argument("--warm", type=float, default=4.0)
    parser.add_argument("--measure", type=float, default=8.0)
    parser.add_argument("--minutes", type=float, default=10.0, help="no level begins after that")
    parser.add_argument("--database", help="a PostgreSQL server to use instead of the embedded one")
    parser.add_argument("--quick", action="store_true", help="begins with 50 games, half a minute")
    given = parser.parse_args()
    if given.quick:
        given.start, given.warm, given.measure, given.minutes = 50, 1.0, 2.0, 0.5
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    allow_many_files()
    send = "turn" if given.protocol == "json" else "half"
    with (
        tempfile.TemporaryDirectory(prefix="motherlode-bench-") as name,
        postgres_at(given.database, Path(name)) as server,
    ):

        def attempt(games: int) -> Row:
            plan = Plan(
                games,
                given.protocol,
                send,
                given.warm,
                given.measure,
                THINK_SECONDS,
                given.processes,
            )
            return uvloop.run(measured(plan, server, Path(name)))

        found = climb(attempt, given.start, until=time.monotonic() + given.minutes * 60)
    print(describe())
    print()
    print(rows_table(found.rows))
    print()
    print(f"held: {found.held} games")


if __name__ == "__main__":
    main()
