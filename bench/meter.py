"""What is counted while the load runs, and the row of the table that comes of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

Q = (50, 95, 99)
"""The percentiles that are shown."""


@dataclass(slots=True)
class Meter:
    """Counts between `open()` and `close()`; before and after that nothing is counted.

    `waits` are the seconds from sending a move to the opponent's new state, one for each entry.
    `bytes_in` and `bytes_out` belong to sockets that are closed already, `trouble` counts always.
    """

    entries: int = 0
    turns: int = 0
    finished: int = 0
    waits: list[float] = field(default_factory=list)
    bytes_in: int = 0
    bytes_out: int = 0
    trouble: list[str] = field(default_factory=list)
    seconds: float = 0.0
    counting: bool = False
    _began: float = 0.0

    def open(self) -> None:
        """Begins to count."""
        self._began = time.perf_counter()
        self.counting = True

    def close(self) -> None:
        """Ends counting."""
        self.seconds = time.perf_counter() - self._began
        self.counting = False

    def accepted(self, *, whole: bool) -> None:
        """Counts an entry; `whole` if a turn ended with it."""
        if self.counting:
            self.entries += 1
            self.turns += whole

    def seen(self, seconds: float) -> None:
        """Counts how long an opponent waited for a move."""
        if self.counting:
            self.waits.append(seconds)


@dataclass(frozen=True, slots=True)
class Row:
    """One measured run: times in seconds, memory in MB; None for a PostgreSQL that runs elsewhere.

    `client_cpu` is the share of one core that the load client itself took, `busy` how many cores
    of the machine were busy with anything at all.
    """

    games: int
    protocol: str
    send: str
    meter: Meter
    server_cpu: float
    postgres_cpu: float | None
    client_cpu: float
    busy: float
    server_memory: float
    postgres_memory: float | None
    bytes_in: int
    bytes_out: int
    entries_per_commit: float

    @property
    def turns_per_second(self) -> float:
        """How many turns were made in a second."""
        return self.meter.turns / self.meter.seconds

    def cells(self) -> list[str]:
        """Returns the cells of this row; `HEADINGS` names them."""
        meter = self.meter
        per_turns = 1000 / max(1, meter.turns)
        per_move = 1 / max(1, meter.turns) / 2
        return [
            str(self.games),
            f"{self.protocol}, {self.send}",
            f"{self.turns_per_second:.0f}",
            f"{meter.entries / meter.seconds:.0f}",
            " / ".join(f"{percentile(meter.waits, q) * 1000:.1f}" for q in Q),
            f"{self.server_cpu * per_turns:.3f}",
            _or_none(self.postgres_cpu, per_turns, ".3f"),
            f"{self.server_memory:.0f}",
            _or_none(self.postgres_memory, 1, ".0f"),
            f"{self.bytes_in * per_move:.0f} + {self.bytes_out * per_move:.0f}",
            f"{self.entries_per_commit:.1f}",
            f"{meter.finished * per_turns:.0f}",
            f"{self.client_cpu:.2f}",
            f"{self.busy:.2f}",
            str(len(meter.trouble)),
        ]


HEADINGS = (
    "games",
    "sent",
    "turns/s",
    "entries/s",
    "opponent sees it: p50 / p95 / p99 ms",
    "server CPU s/1000 turns",
    "Postgres CPU s/1000 turns",
    "server MB",
    "Postgres MB",
    "bytes for a turn and client, in + out",
    "entries for each commit",
    "games ended for 1000 turns",
    "client cores",
    "busy cores",
    "errors",
)


def percentile(values: Sequence[float], percent: int) -> float:
    """Returns a percentile, 0.0 of nothing."""
    if not values:
        return 0.0
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def table(rows: Sequence[Row]) -> str:
    """Returns the rows as a table in Markdown."""
    lines = [list(HEADINGS), ["--:"] * len(HEADINGS), *(row.cells() for row in rows)]
    lines[1][1] = "---"
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _or_none(value: float | None, factor: float, form: str) -> str:
    return "-" if value is None else format(value * factor, form)
