"""Ends what a run of tests leaves: `python -m tests.keeper <folder>`, started by the run itself.

Waits until its standard input closes, which it does when the run ends, however it ends; then
stops the PostgreSQL in the folder, if there is one, and removes the folder.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def keep(folder: Path) -> None:
    """Wait for the end of the run, then clean up after it."""
    sys.stdin.read()
    if (folder / "postgres" / "data").exists():
        from app.embedded import EmbeddedPostgres  # noqa: PLC0415 - most of its time it only waits
        from app.logs import start_logs  # noqa: PLC0415

        start_logs("WARNING")
        server = EmbeddedPostgres(folder / "postgres", durable=False)
        server.start()
        server.halt()
    shutil.rmtree(folder)


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
