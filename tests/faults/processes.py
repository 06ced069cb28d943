"""Several processes of one house: one PostgreSQL, one NATS server, a port for each process."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.faults.bus_server import BusServer
from tests.faults.houses import UNLIMITED
from tests.realtime.people import Person
from tests.servers import Server


class Processes:
    """Starts them side by side. Each can be killed and started again for itself."""

    def __init__(
        self, database_url: str, bus: BusServer, folder: Path, number: int, **settings: str
    ) -> None:
        settings = {"NATS_URL": bus.url, **UNLIMITED, **settings}
        self.servers = [
            Server(database_url, folder / str(each), port=None, **settings)
            for each in range(number)
        ]

    def start(self) -> Processes:
        """Starts those that do not run, and waits until they are ready."""
        dead = [
            each for each in self.servers if each.process is None or each.process.poll() is not None
        ]
        with ThreadPoolExecutor(len(self.servers)) as pool:
            list(pool.map(Server.start, dead))
        return self

    def stop(self) -> None:
        """Ends all of them."""
        with ThreadPoolExecutor(len(self.servers)) as pool:
            list(pool.map(Server.stop, self.servers))

    def at(self, number: int, person: Person) -> Person:
        """Returns a player as a client of one of the processes."""
        return replace(person, url=self.servers[number].url)


@contextmanager
def side_by_side(
    database_url: str, folder: Path, number: int, **settings: str
) -> Iterator[Processes]:
    """Runs so many processes, with a NATS server of their own between them."""
    bus = BusServer().start()
    house = Processes(database_url, bus, folder, number, **settings)
    try:
        yield house.start()
    finally:
        house.stop()
        bus.kill()
