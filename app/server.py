"""Builds the parts of a house and wires them: the only file that knows them all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

import structlog
from fastapi import FastAPI
from starlette.middleware import Middleware

from app.bots.driver import Driver
from app.chat.service import Chat
from app.config import Settings
from app.database import Database
from app.games.contract import Json, Outcome
from app.games.registry import GAMES, Registry
from app.logs import start_logs
from app.notify.pushes import PUSHING, Pushes, Pushing
from app.play.history import Broken
from app.play.journal import Journal
from app.play.others import Others
from app.play.snapshots import Snapshots
from app.play.table import Table
from app.play.tables import Tables
from app.players.devices import Devices
from app.players.service import TOKEN_SECONDS, Players
from app.realtime.bus import Bus, LocalBus
from app.realtime.elsewhere import Elsewhere
from app.realtime.hub import Hub
from app.realtime.nats_bus import NatsBus
from app.rooms.keeping import Keeping
from app.rooms.mine import Mine
from app.rooms.removal import Removal
from app.rooms.room import RoomRefused
from app.rooms.service import Rooms
from app.rooms.starter import Starter
from app.tending.announcements import Announcements
from app.tending.claim import Claim
from app.tending.processes import Processes
from app.tending.sweep import Sweep
from app.tending.taking_up import TakingUp
from app.tending.watch import Watch
from app.web import (
    again,
    api,
    back,
    devices,
    handing,
    health,
    hosting,
    lobby,
    me,
    metrics,
    mine,
    moves,
    news,
    notifications,
    pages,
    reopening,
    talk,
    timing,
    verifying,
    watching,
)
from app.web.addresses import AddressLimits
from app.web.compression import Compression
from app.web.errors import OurFault, add_handlers
from app.web.headers import SecurityHeaders
from app.web.house import House
from app.web.limits import BodyLimit
from app.web.measured import Measured
from app.web.proxies import Origin, ProxyHeaders, TrustedNetworks
from app.web.records import read_record
from app.web.render import Renderer
from app.web.security import SameOrigin
from app.web.sockets import SocketDoor

log = structlog.get_logger()


SETTLE_SECONDS: Final = 5.0
"""How long a stop waits for decisions under way."""


class StartError(Exception):
    """The house cannot start; the message says why and what to do."""


def create_app(
    settings: Settings,
    games: Registry = GAMES,
    renderer: Renderer | None = None,
    *,
    pushing: Pushing = PUSHING,
) -> FastAPI:
    """Returns the whole application; its parts live from its start-up to its shutdown.

    A `renderer` for these games, if there is one already, saves loading the templates again.
    `pushing` differs in tests alone, which have a push service of their own.
    Start-up raises `StartError`, or `DatabaseError` where the database is the trouble.
    """
    if not structlog.is_configured():
        # The library's own default prints local variables, and with them secrets.
        start_logs(settings.log_level)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_house(settings, games, renderer, pushing=pushing) as house:
            app.state.house = house
            yield

    public = Origin.read(settings.public_url) if settings.public_url else None
    app = FastAPI(
        title="Motherlode",
        summary="Rooms, moves and records of the house's games.",
        version="1",
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
        middleware=[
            Middleware(ProxyHeaders, trusted=TrustedNetworks(settings.trusted_proxies)),
            Middleware(Measured),
            Middleware(SecurityHeaders),
            Middleware(
                AddressLimits,
                requests=settings.requests_per_minute,
                messages=settings.messages_per_second,
            ),
            Middleware(Compression),
            Middleware(SameOrigin, public=public),
            Middleware(SocketDoor),
            Middleware(BodyLimit, most=settings.frame_bytes),
            Middleware(OurFault),
        ],
    )
    for part in (
        api,
        hosting,
        mine,
        notifications,
        again,
        talk,
        timing,
        watching,
        me,
        devices,
        back,
        verifying,
        reopening,
        pages,
        handing,
        lobby,
        moves,
        news,
        health,
        metrics,
    ):
        # `include_router` would look through all parts twice at each request.
        app.router.routes.extend(part.router.routes)
    add_handlers(app)
    return app


@asynccontextmanager
async def open_house(
    settings: Settings,
    games: Registry = GAMES,
    renderer: Renderer | None = None,
    *,
    pushing: Pushing = PUSHING,
) -> AsyncIterator[House]:
    """Builds the parts, and ends them in the order that loses nothing."""
    renderer = renderer or Renderer(games)
    async with await Database.open(settings) as database:
        claim = Claim(database, shared=settings.nats_url is not None)
        if not await claim.take():
            raise StartError(claim.refusal)
        keeping = asyncio.create_task(claim.keep())
        await database.migrate()
        journal = Journal(database, append_seconds=settings.append_seconds)
        await journal.start()
        bus = LocalBus() if settings.nats_url is None else NatsBus(settings.nats_url)
        house = _wired(settings, games, database, journal, renderer, bus=bus, pushing=pushing)
        starter = Starter(house.rooms)
        taking_up = TakingUp(house.rooms, starter, house.tables.get)
        await bus.start()
        house.tables.start()
        house.hub.start()
        await house.pushes.start()
        running = (taking_up.run(), house.watch.run(), house.sweep.run(), house.snapshots.run())
        tasks = [keeping, *(asyncio.create_task(each) for each in running)]
        log.info("house_open", games=list(games))
        try:
            yield house
        finally:
            await stop_gently(house)
            await starter.stop()
            await house.tables.stop()
            for task in tasks:
                task.cancel()
            await house.watch.leave()
            await bus.stop()
            log.info("house_closed")


async def stop_gently(house: House) -> None:
    """Takes no new work, writes what was accepted, and sends everybody off to connect again.

    Safe to call twice: the server calls it before it closes connections, the application again
    at its end.
    """
    if house.stopping:
        return
    house.stopping = True
    await house.driver.stop()
    house.hub.stop_listening()
    await house.tables.settle(SETTLE_SECONDS)
    await house.journal.stop()
    await house.pushes.turns.stop()
    await house.hub.close()


def _wired(
    settings: Settings,
    games: Registry,
    database: Database,
    journal: Journal,
    renderer: Renderer,
    *,
    bus: Bus,
    pushing: Pushing,
) -> House:
    rooms = Rooms(database, games, reveal_seconds=settings.reveal_seconds)
    # What another process signed out must not go on by a hint that was lost.
    players = Players(database, cache_seconds=0 if bus.remote else TOKEN_SECONDS)
    own = Devices(database, players)
    snapshots = Snapshots(database)
    finishing: dict[UUID, asyncio.Task[None]] = {}

    def table_changed(table: Table) -> None:
        snapshots.note(table)
        hub.changes.of_table(table)
        driver.look(table)
        pushes.turns.table_changed(table)
        outcome = table.position.outcome
        if outcome is not None and table.room_id not in finishing:
            task = asyncio.create_task(_finish(rooms, table.room_id, outcome))
            finishing[table.room_id] = task
            task.add_done_callback(lambda _: finishing.pop(table.room_id, None))

    def table_followed(table: Table) -> None:
        hub.changes.followed(table)
        driver.look(table)
        pushes.turns.table_followed(table)

    async def before_following(room_id: UUID, r: int) -> None:
        await hub.changes.before_following(room_id, r)

    def wanted(room_id: UUID) -> bool:
        return hub.wanted(room_id)

    others = Others(before_following, table_followed) if bus.remote else None
    tables = Tables(journal, games, rooms.seed, table_changed, wanted, others=others)
    chat = Chat(database)
    elsewhere = Elsewhere(database, rooms) if bus.remote else None
    gone = own.gone if bus.remote else None
    hub = Hub(settings, rooms, tables, bus, renderer, chat=chat, elsewhere=elsewhere, gone=gone)
    hub.signed_out.ears.append(players.signed_out)
    hub.changes.renames.append(players.renamed)
    chat.listeners.append(hub.talk.heard)
    rooms.listeners.append(hub.changes.of_room)
    driver = Driver(hub.presence.attended)
    hub.presence.arrivals.append(driver.look)
    pushes = Pushes(
        database,
        rooms,
        tables.get,
        looking=hub.attention.lately,
        words=renderer.turn,
        contact=settings.public_url,
        pushing=pushing,
    )

    removal = Removal(database, Keeping(settings.room_days, settings.idle_days))

    async def removed(ids: Collection[UUID]) -> None:
        for room_id in ids:
            await hub.shut(room_id)
            tables.forget(room_id)

    watch = Watch(
        Announcements(database),
        Processes(database),
        removal,
        announced=lambda said: hub.announce(None if said is None else said.wire()),
        rooms=lambda: hub.rooms,
        removed=removed,
        counts=lambda: (hub.sockets, len(tables)),
    )
    return House(
        settings=settings,
        games=games,
        database=database,
        journal=journal,
        snapshots=snapshots,
        players=players,
        devices=own,
        rooms=rooms,
        mine=Mine(database),
        tables=tables,
        chat=chat,
        bus=bus,
        hub=hub,
        pushes=pushes,
        driver=driver,
        renderer=renderer,
        keeping=removal.keeping,
        watch=watch,
        sweep=Sweep(database, removal),
    )


async def _finish(rooms: Rooms, room_id: UUID, outcome: Outcome) -> None:
    """Marks a room whose game ended. Whether it ended is for the journal to say, not this mark."""
    try:
        await rooms.finish(room_id, outcome)
    except Exception:
        log.exception("finish_failed", room=str(room_id))


async def exported(settings: Settings, code: str, games: Registry = GAMES) -> dict[str, Json]:
    """Returns the record of a room, as a spectator may have it; the house may be serving.

    Raises `StartError` for a room that there is not, that has not begun, or whose game this program
    does not know.
    """
    async with await Database.open(settings) as database:
        journal = Journal(database)
        rooms = Rooms(database, games)
        tables = Tables(journal, games, rooms.seed, lambda _: None, lambda _: False)
        try:
            found = await rooms.by_code(code)
            if found.game not in games:
                raise StartError(f"This program has no game {found.game!r}. {_OTHER_PROGRAM}")
            return await read_record(rooms, tables, journal, found, None)
        except RoomRefused as refusal:
            raise StartError(_UNEXPORTED[refusal.code]) from refusal
        except Broken as broken:
            raise StartError(f"The game cannot be replayed: {broken}. {_OTHER_PROGRAM}") from broken


_OTHER_PROGRAM: Final = "Export the record with the version of Motherlode that it was played with."
_UNEXPORTED: Final = {
    "unknown_room": "There is no room with this code.",
    "room_removed": "The room with this code has been cleared away.",
    "not_started": "The game of this room has not begun, so there is nothing to export.",
}
