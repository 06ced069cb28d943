"""One measured run of one kind of server, and tables of such runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Q = (50, 95, 99)
"""The percentiles that are shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one run measured; None for what could not be, or does not exist there.

    `think` is how many seconds a player waited before each turn. `waits` are the percentiles `Q`
    of the milliseconds from sending a move to the opponent's new state. CPU is in seconds for
    1,000 turns, memory in MB, bytes for a turn and client. `client_cores` is the share of one core
    that the load client itself took, `busy` how many cores of the machine were busy with anything,
    `trouble` the beginning of what went wrong.
    """

    server: str
    games: int
    turns_per_second: float
    waits: tuple[float, ...]
    server_cpu: float | None
    client_cores: float
    busy: float
    errors: int
    processes: int = 1
    think: float = 0.0
    entries_per_second: float | None = None
    postgres_cpu: float | None = None
    server_memory: float | None = None
    postgres_memory: float | None = None
    bytes_in: float | None = None
    bytes_out: float | None = None
    entries_per_commit: float | None = None
    finished: float | None = None
    trouble: tuple[str, ...] = ()

    @property
    def cpu(self) -> float | None:
        """The CPU seconds for 1,000 turns of server and database together."""
        return None if self.server_cpu is None else self.server_cpu + (self.postgres_cpu or 0.0)


def holds(row: Row, milliseconds: float = 100.0) -> bool:
    """Whether nearly everybody saw a move in time, nothing failed, and all turns were made."""
    nominal = row.games / row.think
    in_time = row.waits[-1] < milliseconds and row.turns_per_second > 0.8 * nominal
    return in_time and row.errors == 0


COLUMNS: dict[str, Callable[[Row], str]] = {
    "server": lambda row: row.server,
    "processes": lambda row: str(row.processes),
    "games": lambda row: f"{row.games:,}",
    "thought s": lambda row: number(row.think, ".3g") if row.think else "-",
    "turns/s": lambda row: number(row.turns_per_second, ",.0f"),
    "entries/s": lambda row: number(row.entries_per_second, ",.0f"),
    "opponent sees it: p50 / p95 / p99 ms": lambda row: " / ".join(
        f"{wait:.1f}" for wait in row.waits
    ),
    "server CPU s/1000 turns": lambda row: number(row.server_cpu, ".3f"),
    "Postgres CPU s/1000 turns": lambda row: number(row.postgres_cpu, ".3f"),
    "server MB": lambda row: number(row.server_memory, ",.0f"),
    "Postgres MB": lambda row: number(row.postgres_memory, ",.0f"),
    "bytes for a turn and client, in + out": lambda row: (
        f"{number(row.bytes_in, ',.0f')} + {number(row.bytes_out, ',.0f')}"
    ),
    "entries for each commit": lambda row: number(row.entries_per_commit, ".1f"),
    "games ended for 1000 turns": lambda row: number(row.finished, ".0f"),
    "client cores": lambda row: f"{row.client_cores:.2f}",
    "busy cores": lambda row: f"{row.busy:.2f}",
    "errors": lambda row: str(row.errors),
}


def rows_table(rows: Sequence[Row]) -> str:
    """Returns runs as a table in Markdown, without the columns that would be empty."""
    cells = {name: [cell(row) for row in rows] for name, cell in COLUMNS.items()}
    shown = {name: column for name, column in cells.items() if set(column) - {"-", "- + -"}}
    return table(shown, zip(*shown.values(), strict=True))


def table(headings: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """Returns lines of cells as a table in Markdown; the first column is text."""
    names = list(headings)
    rule = ["---", *["--:"] * (len(names) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (names, rule, *lines))


def number(value: float | None, form: str) -> str:
    """Returns a number as text, a dash for none."""
    return "-" if value is None else format(value, form)


def percentiles(values: Sequence[float]) -> tuple[float, ...]:
    """Returns the percentiles `Q`, zeros of nothing."""
    ordered = sorted(values) or [0.0]
    return tuple(ordered[min(len(ordered) - 1, len(ordered) * q // 100)] for q in Q)
