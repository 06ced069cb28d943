"""The parts that pages and the API work with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.requests import HTTPConnection

from app.bots.driver import Driver
from app.chat.service import Chat
from app.config import Settings
from app.database import Database
from app.games.registry import Registry
from app.notify.pushes import Pushes
from app.play.journal import Journal
from app.play.snapshots import Snapshots
from app.play.tables import Tables
from app.players.devices import Devices
from app.players.service import Player, Players
from app.realtime.bus import Bus
from app.realtime.hub import Hub
from app.rooms.keeping import Keeping
from app.rooms.mine import Mine
from app.rooms.room import Room
from app.rooms.service import Rooms
from app.tending.sweep import Sweep
from app.tending.watch import Watch
from app.web.limits import Crowd, Rate
from app.web.measured import Requests
from app.web.once import Once
from app.web.proxies import Origin, TrustedNetworks
from app.web.readiness import Readiness
from app.web.render import Renderer


@dataclass(slots=True)
class House:
    """One running house. `stopping` is set when it takes no new work any more."""

    settings: Settings
    games: Registry
    database: Database
    journal: Journal
    snapshots: Snapshots
    players: Players
    devices: Devices
    rooms: Rooms
    mine: Mine
    tables: Tables
    chat: Chat
    bus: Bus
    hub: Hub
    pushes: Pushes
    driver: Driver
    renderer: Renderer
    keeping: Keeping
    watch: Watch
    sweep: Sweep
    stopping: bool = False
    public: Origin | None = field(init=False)
    new_players: Rate = field(init=False)
    new_rooms: Rate = field(init=False)
    replays: Rate = field(init=False)
    codes: Rate = field(init=False)
    moves: Rate = field(init=False)
    sockets: Crowd = field(init=False)
    requests: Requests = field(init=False)
    metrics_from: TrustedNetworks = field(init=False)
    newcomers: Once[tuple[Player, str]] = field(init=False)
    openings: Once[Room] = field(init=False)
    readiness: Readiness = field(init=False)

    def __post_init__(self) -> None:
        settings = self.settings
        self.public = Origin.read(settings.public_url) if settings.public_url else None
        self.new_players = Rate(settings.players_per_hour, 3600)
        self.new_rooms = Rate(settings.rooms_per_hour, 3600)
        self.replays = Rate(settings.records_per_minute, 60)
        self.codes = Rate(settings.codes_per_minute, 60)
        self.newcomers = Once()
        self.openings = Once()
        self.readiness = Readiness(self.database, self.journal)
        self.requests = Requests()
        self.metrics_from = TrustedNetworks(settings.metrics_from)
        self.sockets = Crowd(settings.sockets_per_address)
        self.moves = Rate(settings.moves_per_second, 1)

    def frame(self) -> dict[str, object]:
        """Returns what the frame of every page shows: the rule of keeping, an announcement."""
        return {"keeping": self.keeping, "announced": self.watch.current}


def house_of(connection: HTTPConnection) -> House:
    """Returns the house that serves this request."""
    return cast(House, connection.app.state.house)
