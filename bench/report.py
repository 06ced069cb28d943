"""Everything that `make bench` measures, and how it is written down.

A part is measured by itself; where it fails, that stands in its place and the others go on. The
file is written anew after each part, so that a run that was stopped has left what it got.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.floors import Floor, floors_table
from bench.idle import Idle, idle_table
from bench.rows import Row, number, rows_table, table

SUMMED_UP_AT = 200
"""How many games the first table is about; the nearest number that was measured."""
KILOBYTES = 1000.0


@dataclass(slots=True)
class Found:
    """What has been measured so far; `held` and `idle_peers` are by name of the server."""

    head: str
    rows: list[Row] = field(default_factory=list)
    halves: list[Row] = field(default_factory=list)
    levels: list[Row] = field(default_factory=list)
    held: dict[str, int] = field(default_factory=dict)
    idle: list[Idle] = field(default_factory=list)
    idle_peers: dict[str, float] = field(default_factory=dict)
    floors: list[Floor] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """Returns all of it; what has not been measured is left out."""
        parts = [self.head]
        if self.rows:
            parts += ["### In one table", self._summary(), *self._ratios()]
        if self.floors:
            parts += ["### Floors", floors_table(self.floors)]
        if self.rows:
            parts += ["### As games grow in number", rows_table(self.rows)]
        if self.halves:
            parts += ["### At half of the most turns a second", rows_table(self.halves)]
        if self.levels:
            parts += ["### With a second of thought, level by level", rows_table(self.levels)]
        if self.idle:
            parts += ["### Who only waits", idle_table(self.idle)]
        errors = [
            f"{named(row)}, {row.games:,} games: {row.errors} errors, as `{text}`"
            for row in (*self.rows, *self.halves, *self.levels)
            for text in row.trouble[:1]
        ]
        for title, lines in (("What went wrong", errors), ("Not measured", self.trouble)):
            if lines:
                parts += [f"### {title}", "\n".join(f"* {line}" for line in lines)]
        return "\n\n".join(parts) + "\n"

    def _summary(self) -> str:
        near = min((abs(row.games - SUMMED_UP_AT), row.games) for row in self.rows)[1]
        headings = (
            f"{near} games",
            "turns/s",
            "opponent sees it: p50 / p95 / p99 ms",
            "p99 ms at half of that rate",
            "CPU s/1000 turns: server + Postgres",
            "bytes for a turn and client, in + out",
            "MB for 1,000 idle games and their 2,000 sockets",
            "games held with 1 s of thought",
            "busy cores, with the client's",
        )
        lines = [self._summed_up(row) for row in self.rows if row.games == near]
        return table(headings, lines)

    def _summed_up(self, row: Row) -> tuple[str, ...]:
        name = named(row)
        half = [half.waits[-1] for half in self.halves if named(half) == name]
        waits = " / ".join(f"{wait:.0f}" for wait in row.waits)
        return (
            name,
            f"{row.turns_per_second:,.0f}",
            waits,
            number(half[0] if half else None, ".0f"),
            f"{number(row.server_cpu, '.3f')} + {number(row.postgres_cpu, '.3f')}",
            f"{number(row.bytes_in, ',.0f')} + {number(row.bytes_out, ',.0f')}",
            number(self._idle_megabytes(row), ".0f"),
            number(self.held.get(name), ",d") if name in self.held else "-",
            f"{row.busy:.2f} ({row.client_cores:.2f})",
        )

    def _idle_megabytes(self, row: Row) -> float | None:
        if row.server in self.idle_peers:
            return self.idle_peers[row.server]
        protocol = row.server.partition(",")[0]
        ours = [idle.game for idle in self.idle if idle.protocol == protocol]
        return ours[0] * 1000 / KILOBYTES if ours and row.processes == 1 else None

    def _ratios(self) -> list[str]:
        """Says how two processes compare with one, for each kind that has both."""
        said = []
        for one in (row for row in self.rows if row.processes == 1 and row.cpu):
            for more in self.rows:
                same = (more.server, more.games) == (one.server, one.games)
                if same and more.processes > 1 and more.server_cpu and one.server_cpu:
                    measured = more.turns_per_second / one.turns_per_second
                    by_cpu = more.processes * one.server_cpu / more.server_cpu
                    said.append(
                        f"{named(one)}, {one.games:,} games: {more.processes} processes made "
                        f"{measured:.2f} times the turns of one here; by their CPU time for a turn "
                        f"they would make {by_cpu:.2f} times as many with a core for each."
                    )
        return ["\n".join(f"* {line}" for line in said)] if said else []


def named(row: Row) -> str:
    """Returns what a row is of, without its size."""
    return row.server if row.processes == 1 else f"{row.server}, {row.processes} processes"


class Report:
    """Takes the parts one after the other and keeps the file up to date."""

    def __init__(self, found: Found, file: Path, *, until: float) -> None:
        self.found = found
        self.until = until
        self._file = file
        self._began = time.monotonic()

    def part(self, name: str, measure: Callable[[], None]) -> None:
        """Measures one part unless the time is up, and writes everything down."""
        passed = time.monotonic() - self._began
        print(f"{passed:6.0f} s  {name}", flush=True)
        if time.monotonic() >= self.until:
            self.found.trouble.append(f"{name}: no time was left.")
        else:
            try:
                measure()
            except Exception as wrong:
                traceback.print_exc()
                lines = str(wrong).strip().splitlines() or [type(wrong).__name__]
                self.found.trouble.append(f"{name}: {lines[-1]}")
        self.write()

    def write(self) -> None:
        """Writes what there is to the file."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(self.found.markdown(), encoding="utf-8")
