"""A real server for a test: `python -m app serve` as a process of its own, on a free port.

Used by tests that need sockets, browsers, signals or a second process. The database is the
caller's, so that a server can be killed and another one started on the same games.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import httpx

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 90.0
STOP_SECONDS = 20.0


def free_port() -> int:
    """Returns a port of 127.0.0.1 that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """One server process. Start with `start()` or as a context manager.

    `settings` are further environment variables (`PUBLIC_URL="..."`). What the process printed is
    in `output()`, its address in `url`, its process in `process`, its games in `database_url`.
    """

    def __init__(
        self, database_url: str, folder: Path, *, port: int | None = None, **settings: str
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self.database_url = database_url
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "DATABASE_URL": database_url,
            "DATA_DIR": str(folder / "data"),
            **settings,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *, ready: bool = True) -> Server:
        """Starts the process and, unless told otherwise, waits until it is ready.

        One that does not become ready is ended: it must not run beside all further tests.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app", "serve"],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if ready:
            try:
                self.wait_ready()
            except AssertionError:
                self.kill()
                raise
        return self

    def wait_ready(self, seconds: float = START_SECONDS) -> None:
        """Returns once /readyz says yes; raises AssertionError with the output otherwise."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                break
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/readyz", timeout=2).status_code == 200:
                    return
            time.sleep(0.05)
        message = f"expected a ready server at {self.url}, got:\n{self.output()}"
        raise AssertionError(message)

    def kill(self) -> None:
        """Ends the process at once, as a power cut would (SIGKILL)."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Asks the process to stop (SIGTERM), waits, and returns its exit code."""
        return self._end(signal.SIGTERM)

    def restart(self) -> Server:
        """Stops the process if it still runs and starts it again on the same port."""
        self.stop()
        return self.start()

    def wait(self, seconds: float = START_SECONDS) -> int:
        """Waits for the process to end by itself and returns its exit code."""
        assert self.process is not None, "the server was never started"
        return self.process.wait(timeout=seconds)

    def output(self) -> str:
        """Returns what the processes printed so far."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def _log(self) -> Path:
        return self.folder / "server.log"

    def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
        return self.process.returncode
