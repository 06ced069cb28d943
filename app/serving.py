"""Runs the house on a port until it is asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import time
from collections.abc import Callable, Generator

import structlog
import uvicorn
import uvloop
from fastapi import FastAPI

from app.collector import Collector
from app.config import Settings
from app.server import StartError, create_app, stop_gently
from app.web.incoming import RequestProtocol
from app.web.transport import SocketProtocol

log = structlog.get_logger()

STOP_SECONDS = 10
"""How long a stop waits for requests under way, once everybody was told."""
ALL_SECONDS = 24
"""How long all of that may take; docs/hosting.md says what a stop takes with what follows."""
BACKLOG = 2048


class Serving(uvicorn.Server):
    """Uvicorn that leaves signals to us and stops the house before its connections."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._say_started = started
        self._collecting: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Captures none: `run` has handlers that also work before and after serving."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen, and says so."""
        await super().startup(sockets)
        hub = self._app.state.house.hub
        collector = Collector(lambda: hub.sockets, hub.closes.total)
        self._collecting = asyncio.create_task(collector.run())
        self._say_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Writes what was accepted and tells pages, then closes connections."""
        if self._collecting is not None:
            self._collecting.cancel()
        begun = time.monotonic()
        await stop_gently(self._app.state.house)
        # Where the database does not answer, requests have waited all this time already.
        left = int(ALL_SECONDS - (time.monotonic() - begun))
        self.config.timeout_graceful_shutdown = max(1, min(STOP_SECONDS, left))
        await super().shutdown(sockets)


def run(settings: Settings, started: Callable[[], None]) -> None:
    """Serves until SIGINT or SIGTERM; a second one does not wait for requests under way.

    Calls `started` once the port answers. Raises `StartError` or `DatabaseError`.
    """
    listener = _listener(settings)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, listener:
        runner.run(_serve(settings, listener, started))


async def _serve(settings: Settings, listener: socket.socket, started: Callable[[], None]) -> None:
    app = create_app(settings)
    server = Serving(uvicorn_config(app, settings), app, started)
    task = asyncio.current_task()
    serving = False

    def stop() -> None:
        if not serving and task is not None:
            task.cancel()
        server.force_exit = server.should_exit
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    with contextlib.suppress(asyncio.CancelledError):
        async with app.router.lifespan_context(app):
            serving = True
            if not server.should_exit:
                await server.serve(sockets=[listener])


def uvicorn_config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """Returns how the house is served."""
    return uvicorn.Config(
        app,
        lifespan="off",
        loop="uvloop",
        http=RequestProtocol,
        ws=SocketProtocol,
        ws_per_message_deflate=False,
        ws_max_size=settings.frame_bytes or 2**30,
        ws_ping_interval=20,
        ws_ping_timeout=30,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=65,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


def _listener(settings: Settings) -> socket.socket:
    """Opens the port before anything else is started. Raises `StartError` if it cannot."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except (OSError, UnicodeError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or "no address"
        raise StartError(
            f"Port {settings.port} of {settings.host} cannot be used ({reason}). "
            "Stop what listens there, or set PORT to another number."
        ) from error
    listener.listen(BACKLOG)
    return listener


def addresses(settings: Settings) -> list[str]:
    """Returns where the house can be found: on this machine, and from the home network."""
    if settings.public_url:
        return [settings.public_url]
    everywhere = settings.host in {"0.0.0.0", "::"}  # noqa: S104 compared only
    hosts = ["localhost", *_home_address()] if everywhere else [settings.host]
    shown = [f"[{host}]" if ":" in host else host for host in hosts]
    return [f"http://{host}:{settings.port}/" for host in shown]


def _home_address() -> list[str]:
    """Returns the address that others at home reach this machine by, if it has one.

    Choosing a route for a datagram sends nothing.
    """
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        if not address.startswith(("127.", "0.")):
            return [address]
    return []
