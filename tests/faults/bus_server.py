"""A NATS server of one test file's own, and lines to it that can be cut or lose what is told."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.servers import free_port

PROGRAM = Path(sys.executable).with_name("nats-server")
START_SECONDS = 10.0
MOMENT = 1e-5
"""Seconds from one line to the next where both are late."""


class BusServer:
    """A NATS server on one port, from its wheel, with further options. All methods block."""

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> BusServer:
        """Starts it, also again, and waits until its port answers."""
        self._process = subprocess.Popen(
            [PROGRAM, "--addr", "127.0.0.1", "--port", str(self.port), *self._options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                assert self._process.poll() is None, "the NATS server ended by itself"
                assert time.monotonic() < deadline, "the NATS server does not answer"
                time.sleep(0.02)
            else:
                return self

    def kill(self) -> None:
        """Kills it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def freeze(self) -> None:
        """Stops it where it is: connections stay open, nothing answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)


def bus_cluster() -> list[BusServer]:
    """Returns two servers that know each other, as docs/hosting.md has them; not started."""
    places = [f"nats://127.0.0.1:{free_port()}" for _ in range(2)]
    return [BusServer("--cluster", place, "--routes", ",".join(places)) for place in places]


class Relay:
    """A way to a NATS server, at `url`. `cut`: nothing comes through, and no line is closed.

    `deaf`: what others tell is lost on the way, and all else comes through. `slow`: the
    fewest and the most seconds that each line of the protocol is on its way, in order. `lost`
    counts what did not come through: messages of either side.
    """

    def __init__(self, server: BusServer) -> None:
        self.cut = False
        self.deaf = False
        self.slow = (0.0, 0.0)
        self.lost = 0
        self.url = ""
        self._server = server
        self._random = Random(server.port)
        self._listener: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Relay:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"nats://127.0.0.1:{self._listener.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._listener is not None
        self._listener.close()
        for writer in list(self._writers):
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            inner, outer = await asyncio.open_connection("127.0.0.1", self._server.port)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, outer}
        there = asyncio.create_task(self._pass(reader, outer))
        back = asyncio.create_task(self._pass(inner, writer))
        await asyncio.wait((there, back), return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, outer):
            end.close()
            self._writers.discard(end)
        await asyncio.gather(there, back)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Passes on one line of the protocol after the other, a message with what it holds."""
        loop = asyncio.get_running_loop()
        due = 0.0
        with suppress(OSError, asyncio.IncompleteReadError):
            while line := await source.readline():
                words = line.split()
                message = bool(words) and words[0] in {b"MSG", b"PUB"}
                if message:
                    line += await source.readexactly(int(words[-1]) + 2)
                if self.cut or (self.deaf and message and words[0] == b"MSG"):
                    self.lost += message
                    continue
                now = loop.time()
                # What is sent later never comes earlier.
                due = max(now + self._random.uniform(*self.slow), due + MOMENT)
                if due > now:
                    loop.call_at(due, sink.write, line)
                else:
                    sink.write(line)
                    await sink.drain()
