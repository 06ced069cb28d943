"""Our server beside others, with the load client of a comparison harness that lives elsewhere.

    PEERS_DIR=/path/to/peers python -m bench.peers
    PEERS_DIR=/path/to/peers python -m bench.peers --rooms 60 --peers bgio-pg,motherlode
    PEERS_DIR=/path/to/peers python -m bench.peers --think 1 --rooms 150 --peers bgio-pg

The harness starts each server in turn, with an empty database in a PostgreSQL of its own for those
that write, and loads all of them with one client and the same bots. This server takes part twice:
`motherlode` sends a whole turn in one frame, `motherlode-half` one frame for each move.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.house import NO_LIMITS, ROOT, free_port
from bench.machine import allow_many_files, describe
from bench.rows import Row, rows_table

DATABASE = "bgio"
"""The database that the harness makes afresh for each run."""
SENT = {"motherlode": "turn", "motherlode-half": "half"}
NOBODY_MOVES_SECONDS = 100_000.0
OTHERS = "bgio-pg,colyseus-imm"


class Harness:
    """The harness in a folder, with this server among its peers."""

    def __init__(self, module: Any, postgres: Any, folder: Path) -> None:
        self._module = module
        self._postgres = postgres
        for name, send in SENT.items():
            module.PEERS[name] = self._description(send, folder)

    def row(self, peer: str, games: int, *, warm: float, measure: float, think: float = 0.0) -> Row:
        """Runs one server once. Raises RuntimeError if the harness says that the run failed."""
        mode = "paced" if think else "closed"
        told = self._module.cell(
            peer, self._postgres, games, mode, warm, measure, round(think * 1000)
        )
        if told.get("failed"):
            raise RuntimeError(f"{peer}, {games} games: {told['failed']}")
        moves = max(1, told["moves"])
        cpu, memory, waits = told["cpuPer1000"], told["rss"], told["opp"]
        return Row(
            server=peer,
            games=games,
            think=think,
            turns_per_second=told["rate"],
            waits=tuple(waits[name] or 0.0 for name in ("p50", "p95", "p99")),
            server_cpu=cpu["server"],
            postgres_cpu=cpu.get("pg"),
            server_memory=memory["server"],
            postgres_memory=memory.get("pg"),
            bytes_in=told["inPerMove"],
            bytes_out=told["outPerMove"],
            finished=told["finished"] * 1000 / moves,
            client_cores=told["clientCores"],
            busy=told["hostCores"],
            errors=told["errors"],
            trouble=tuple(told["errtext"][:3]),
        )

    def idle(self, peer: str, games: int) -> float:
        """Returns the MB of a server with that many games in which nobody moves."""
        memory = self.row(peer, games, warm=1, measure=1, think=NOBODY_MOVES_SECONDS).server_memory
        assert memory is not None
        return memory

    def hint(self, peer: str) -> int:
        """How many games with a second of thought the harness would try first."""
        return int(self._module.PEERS[peer]["hint"])

    def _description(self, send: str, folder: Path) -> dict[str, object]:
        port = free_port()
        return {
            "raw": True,
            "cmd": [sys.executable, "-m", "app", "serve"],
            "cwd": str(ROOT),
            "env": {
                **NO_LIMITS,
                "HOST": "127.0.0.1",
                "PORT": str(port),
                "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{self._module.PGPORT}/{DATABASE}",
                "DATA_DIR": str(folder),
                "LOG_LEVEL": "WARNING",
            },
            "pg": True,
            "adapter": str(ROOT / "bench" / "adapter.js"),
            "opts": {"send": send},
            "base": f"http://127.0.0.1:{port}",
            "hint": 1500,
        }


@contextmanager
def harness(folder: Path) -> Iterator[Harness]:
    """Gives the harness of PEERS_DIR, set up, with its PostgreSQL running.

    Raises LookupError if PEERS_DIR does not name a folder with a harness.
    """
    program = Path(os.environ.get("PEERS_DIR", "")) / "bench.py"
    if "PEERS_DIR" not in os.environ or not program.exists():
        raise LookupError("PEERS_DIR is not the folder of a harness: the one with its bench.py")
    spec = importlib.util.spec_from_file_location("peers_harness", program.resolve())
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    module.setup()
    was_up = module.port_open(module.PGPORT)
    postgres = module.Pg().start()
    try:
        yield Harness(module, postgres, folder)
    finally:
        if not was_up:
            postgres.stop()


def main() -> None:
    """Runs what was asked for and prints the table."""
    parser = argparse.ArgumentParser(description="Measures this server beside others.")
    parser.add_argument("--peers", default=f"{OTHERS},{','.join(SENT)}", help="who takes part")
    parser.add_argument("--rooms", default="60,200", help="games at once, with commas between")
    parser.add_argument("--repeats", type=int, default=1, help="runs of each; the median is shown")
    parser.add_argument("--think", type=float, default=0.0, help="seconds before each turn")
    parser.add_argument("--warm", type=float, default=8)
    parser.add_argument("--measure", type=float, default=12)
    parser.add_argument("--quick", action="store_true", help="20 games, 1 s of warm-up, 2 s")
    given = parser.parse_args()
    if given.quick:
        given.rooms, given.warm, given.measure = "20", 1, 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    allow_many_files()
    rows = []
    try:
        with (
            tempfile.TemporaryDirectory(prefix="motherlode-peers-") as name,
            harness(Path(name)) as peers,
        ):
            for games in map(int, given.rooms.split(",")):
                for peer in given.peers.split(","):
                    seconds = {"warm": given.warm, "measure": given.measure}
                    runs = [
                        peers.row(peer, games, think=given.think, **seconds)
                        for _ in range(given.repeats)
                    ]
                    runs.sort(key=lambda row: row.turns_per_second)
                    rows.append(runs[len(runs) // 2])
    except LookupError as wrong:
        raise SystemExit(str(wrong)) from None
    print(describe())
    print()
    print(rows_table(rows))
    for row in rows:
        for text in row.trouble:
            print("trouble:", row.server, text)


if __name__ == "__main__":
    main()
