"""Puts this server beside others, in one run of a comparison harness that lives elsewhere.

    PEERS_DIR=/path/to/peers python -m bench.peers
    PEERS_DIR=/path/to/peers python -m bench.peers --rooms 60 --repeats 1 --peers bgio-pg

The harness (`bench.py setup` there comes first) starts each server in turn on its own PostgreSQL,
with an empty database for each run, and loads all of them with one client and the same bots. This
server takes part twice: `motherlode` sends a whole turn in one frame, `motherlode-half` one frame
for each move. What the harness prints is its own; its README explains the columns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.house import NO_LIMITS, ROOT

PORT = 8110
DATABASE_URL = "postgresql://postgres@127.0.0.1:55432/bgio"
"""The harness's own PostgreSQL, and the database it makes afresh for each run."""
SENT = {"motherlode": "turn", "motherlode-half": "half"}


def description(name: str, send: str, folder: Path) -> dict[str, object]:
    """Returns what the harness must know to start this server and to play on it."""
    return {
        "name": name,
        "raw": True,
        "cmd": [sys.executable, "-m", "app", "serve"],
        "cwd": str(ROOT),
        "env": {
            **NO_LIMITS,
            "HOST": "127.0.0.1",
            "PORT": str(PORT),
            "DATABASE_URL": DATABASE_URL,
            "DATA_DIR": str(folder),
            "LOG_LEVEL": "WARNING",
        },
        "pg": True,
        "adapter": str(ROOT / "bench" / "adapter.js"),
        "opts": {"send": send},
        "base": f"http://127.0.0.1:{PORT}",
        "hint": 500,
        "what": f"this server, one frame for each {send}",
    }


def main() -> None:
    """Runs the harness with this server added to its peers."""
    parser = argparse.ArgumentParser(description="Measures this server beside others.")
    parser.add_argument("--peers", default="bgio-pg,colyseus-imm", help="others in the harness")
    parser.add_argument("--rooms", default="60,200")
    parser.add_argument("--parts", default="closed")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--warm", type=float, default=8)
    parser.add_argument("--measure", type=float, default=12)
    given = parser.parse_args()
    harness = os.environ.get("PEERS_DIR")
    if harness is None or not (Path(harness) / "bench.py").exists():
        raise SystemExit("set PEERS_DIR to the folder of the harness: the one with its bench.py")
    with tempfile.TemporaryDirectory(prefix="motherlode-peers-") as name:
        folder = Path(name)
        command = ["python3", "bench.py", "run", "--parts", given.parts, "--rooms", given.rooms]
        command += ["--peers", ",".join([*given.peers.split(","), *SENT])]
        for option in ("repeats", "warm", "measure"):
            command += [f"--{option}", str(getattr(given, option))]
        for peer, send in SENT.items():
            file = folder / f"{peer}.json"
            file.write_text(json.dumps(description(peer, send, folder)))
            command += ["--extra", str(file)]
        raise SystemExit(subprocess.run(command, cwd=harness, check=False).returncode)


if __name__ == "__main__":
    main()
