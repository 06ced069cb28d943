"""Who is connected, and telling each of them what changed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakValueDictionary

import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket

from app.chat.service import Chat
from app.config import Settings
from app.games.contract import Json
from app.play.history import Broken
from app.play.journal import Unavailable
from app.play.table import Refusal, Table
from app.play.tables import Tables
from app.players.service import Player
from app.realtime.attention import Attention
from app.realtime.bus import Bus, Hint
from app.realtime.connection import (
    CLOSE_GONE,
    CLOSE_RESTART,
    CLOSE_SIGNED_OUT,
    Connection,
)
from app.realtime.deeds import come_back
from app.realtime.hands import Hand, seat_shown
from app.realtime.inbox import Inbox
from app.realtime.kept import Kept
from app.realtime.limits import Bucket
from app.realtime.live import Draw, Live
from app.realtime.missing import Bounds
from app.realtime.newest import Newest
from app.realtime.presence import Presence
from app.realtime.protocol import (
    announced,
    refused,
    server_now,
)
from app.realtime.scene import Scene, scene
from app.realtime.talk import Talk
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms

log = structlog.get_logger()

BEATS_AT_ONCE = 200
"""Sockets told in one go before others get their turn on the loop."""


class Drawing(Protocol):
    """What the hub needs of whoever draws pages."""

    def layout(self, scene: Scene) -> str:
        """Returns which page a scene belongs on."""
        ...

    def regions(self, scene: Scene, lang: str, kept: Kept) -> dict[str, str]:
        """Returns the HTML of each region; what is kept may be taken as it is."""
        ...

    def refusal(self, game_key: str | None, code: str, facts: Mapping[str, Json], lang: str) -> str:
        """Returns the sentence for a refusal."""
        ...


class Hub:
    """The connections of this process, by room."""

    def __init__(
        self,
        settings: Settings,
        rooms: Rooms,
        tables: Tables,
        bus: Bus,
        drawing: Drawing,
        *,
        chat: Chat,
    ) -> None:
        self.settings = settings
        self.draw: Draw = drawing.regions
        self.layout = drawing.layout
        self._drawing = drawing
        self._rooms = rooms
        self._tables = tables
        self._bus = bus
        self._lives: dict[UUID, Live] = {}
        self.talk = Talk(chat, self._lives, self.refuse)
        # A bucket lasts as long as one of its sockets.
        self._buckets: WeakValueDictionary[UUID, Bucket] = WeakValueDictionary()
        away, silent = settings.away_seconds, settings.silent_seconds
        bounds = Bounds(timedelta(seconds=away), timedelta(seconds=silent))
        self.newest = Newest(self._lives)
        self.presence = Presence(self._lives, bounds, self.newest)
        self.attention = Attention()
        self.inbox = Inbox(rooms, self.talk, self.attention, self.presence, self.refuse)
        self._tasks: set[asyncio.Task[None]] = set()
        self._beats: asyncio.Task[None] | None = None
        self._signed_out: set[UUID] = set()
        self._closing = False
        self._announced: dict[str, Json] | None = None
        bus.listen(Hint, self.heard)

    def start(self) -> None:
        """Begins to send beats."""
        self._beats = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Closes every socket with 1012, which makes pages connect again."""
        self._closing = True
        self.presence.visits.clear()
        if self._beats is not None:
            self._beats.cancel()
        connections = [each for live in self._lives.values() for each in live.connections]
        await asyncio.gather(
            *(each.close(CLOSE_RESTART, "the server restarts") for each in connections)
        )

    def wanted(self, room_id: UUID) -> bool:
        """Tells whether somebody is connected to the room."""
        return room_id in self._lives

    def bucket(self, player_id: UUID | None) -> Bucket:
        """Returns what a socket's messages are counted with: one for all sockets of a player."""
        found = self._buckets.get(player_id) if player_id is not None else None
        if found is None:
            found = Bucket(self.settings.moves_per_second)
            if player_id is not None:
                self._buckets[player_id] = found
        return found

    @property
    def rooms(self) -> frozenset[UUID]:
        """The rooms that somebody is connected to."""
        return frozenset(self._lives)

    @property
    def sockets(self) -> int:
        """The number of open sockets."""
        return sum(len(live.connections) for live in self._lives.values())

    # What changed

    def table_changed(self, table: Table) -> None:
        """Passes on that a game moved on."""
        self._bus.publish(Hint(table.room_id, v=table.v))

    def room_changed(self, room: Room) -> None:
        """Passes on that a room changed."""
        self.newest.note(room)
        self._bus.publish(Hint(room.id, r=room.r))

    def renamed(self, player_id: UUID) -> None:
        """Has everybody told who sees a player that has another name now."""
        for live in self._lives.values():
            if live.room.seats_of(player_id):
                self._spawn(self._reread(live))

    def announce(self, announcement: dict[str, Json] | None) -> None:
        """Tells every socket what the host of the house announces, None for nothing more."""
        self._announced = announcement
        for live in self._lives.values():
            for connection in live.connections:
                connection.say(announced(announcement))

    async def shut(self, room_id: UUID) -> None:
        """Closes the sockets of a room that is there no longer."""
        live = self._lives.get(room_id)
        connections = list(live.connections) if live is not None else []
        await asyncio.gather(
            *(each.close(CLOSE_GONE, "the room has been cleared away") for each in connections)
        )

    def sign_out(self, device_id: UUID) -> None:
        """Closes the sockets of a device that was taken away from its player, for good."""
        self._signed_out.add(device_id)
        for live in self._lives.values():
            for connection in live.connections:
                if connection.device_id == device_id:
                    closing = connection.close(CLOSE_SIGNED_OUT, "this device was signed out")
                    self._spawn(closing)

    def looked(self, room: Room, player_id: UUID) -> None:
        """Counts that somebody who holds a seat looked at the room's page.

        Whoever has a socket open is seen by that.
        """
        self.attention.seen(player_id)
        self.acted(room, player_id)

    def acted(self, room: Room, player_id: UUID) -> None:
        """Counts that somebody who holds a seat is there, by what a request did in their name."""
        room = self.newest(room)
        live = self._lives.get(room.id)
        connected = live is not None and any(
            connection.player_id == player_id for connection in live.connections
        )
        if room.seats_of(player_id) and not connected and not self._closing:
            self.presence.visits.note(room.id, player_id)
            self._close_links(room, player_id)

    def heard(self, hint: Hint) -> None:
        """Has everybody in the room told."""
        live = self._lives.get(hint.room_id)
        if live is None:
            return
        if hint.r is None:
            live.moved()
        elif live.table is None and live.room.status == "running":
            self._spawn(self._refresh(live))
        else:
            live.changed()

    async def scene(
        self, room: Room, player_id: UUID | None, seat: int | None = None, hand: Hand | None = None
    ) -> Scene:
        """Returns the scene of a viewer for the API, or, with a `hand`, for a page.

        `seat` chooses among several seats of the player; the first one by default. Raises
        `RoomRefused(not_watching)`, `Unavailable` when the database does not answer.
        """
        if not room.may_look(player_id):
            raise RoomRefused("not_watching")
        table = await self._tables.get(room.id)
        room = self.newest.may_still_look(room, player_id, None)
        live = self._lives.get(room.id)
        if live is not None:
            live.learn(room)
        seats = room.seats_of(player_id)
        first = seats[0] if seats else None
        if table is not None and live is None:
            self.presence.arrived(table)
        wished = seat if seat in seats else first
        return scene(
            room,
            table,
            seat=wished if hand is None else seat_shown(hand, seats, table),
            player_id=player_id,
            online=self.presence.seats(room),
            watchers=live.watchers if live is not None else 0,
            missing=self.presence.missing(room, table),
        )

    # One socket

    async def serve(
        self,
        socket: WebSocket,
        room: Room,
        player: Player | None,
        *,
        protocol: str,
        language: str,
        known: int | None,
        seat: int | None,
    ) -> None:
        """Accepts and serves a socket in a room until it ends.

        `player` is who the socket's cookie or token names, already checked; `known` the last `v`
        that the client saw, `seat` which of several seats it shows. Raises `Unavailable`, before
        accepting, without the database.
        """
        table = await self._tables.get(room.id)
        await socket.accept(subprotocol=protocol)
        if self._closing:
            await socket.close(CLOSE_RESTART)
            return
        device_id = player.device if player is not None else None
        if device_id in self._signed_out:
            await socket.close(CLOSE_SIGNED_OUT)
            return
        # Others may have changed the room since it was read: nobody is sent what they may not see.
        room = self.newest(room)
        live = self._lives.get(room.id)
        if live is None:
            live = self._lives[room.id] = Live(
                room, table, self.presence.visits, self.presence.absences
            )
        else:
            live.learn(room)
        connection = Connection(
            self,
            live,
            socket,
            player_id=player.id if player is not None else None,
            device_id=device_id,
            protocol=protocol,
            language=language,
            known=known,
            seat=seat,
        )
        self._join(live, connection)
        if self._announced is not None:
            connection.say(announced(self._announced))
        if live.table is None:
            # The room may have changed between the look at it and now, when nobody was told.
            self._spawn(self._refresh(live))
        try:
            await connection.run()
        finally:
            self._leave(live, connection)

    def _join(self, live: Live, connection: Connection) -> None:
        before = (live.online, live.watchers) if live.connections else None
        live.connections.add(connection)
        self.attention.opened(connection.player_id)
        if connection.player_id is not None:
            self.presence.visits.forget(live.room.id, connection.player_id)
        live.forget_presence()
        if before is None or before != (live.online, live.watchers):
            live.changed()
        else:
            connection.wake()
        self._arrived(live, connection.player_id)

    def _arrived(self, live: Live, player_id: UUID | None) -> None:
        """Gives seats that bots play back to who has come, and has the other bots go on."""
        if live.table is None:
            return
        for seat in live.room.seats_of(player_id):
            self._spawn(come_back(live.table, seat))
        self._close_links(live.room, player_id)
        self.presence.arrived(live.table)

    def _leave(self, live: Live, connection: Connection) -> None:
        before = (live.online, live.watchers)
        live.connections.discard(connection)
        self.attention.closed(connection.player_id)
        live.forget_presence()
        if not live.connections:
            self._lives.pop(live.room.id, None)
            live.end()
        elif before != (live.online, live.watchers):
            live.changed()

    def refuse(
        self, connection: Connection, live: Live, refusal: Refusal, move_id: str | None = None
    ) -> None:
        """Tells one client why something was not done."""
        sentence = self._drawing.refusal(
            live.room.game, refusal.code, refusal.facts, connection.language
        )
        connection.say(refused(move_id, refusal.code, sentence, refusal.index))

    # In the background

    async def _refresh(self, live: Live) -> None:
        """Looks again at a room that is waiting for its game."""
        with suppress(Broken, RoomRefused, Unavailable, SQLAlchemyError, OSError):
            room = await self._rooms.by_id(live.room.id)
            table = await self._tables.get(live.room.id)
            if room.r <= live.room.r and table is live.table:
                return
            self.newest.note(room)
            if table is not None:
                live.table = table
            live.changed()

    async def _reread(self, live: Live) -> None:
        """Reads the names in a room again."""
        with suppress(RoomRefused, SQLAlchemyError, OSError):
            room = await self._rooms.by_id(live.room.id)
            if room.r >= live.room.r:
                live.room = room
                live.changed()

    def _close_links(self, room: Room, player_id: UUID | None) -> None:
        """Makes the links of seats worthless whose player found back without them."""
        if any(one.player_id == player_id and one.reopened is not None for one in room.people):
            self._spawn(self._close(room.id, room.seats_of(player_id)))

    async def _close(self, room_id: UUID, seats: tuple[int, ...]) -> None:
        with suppress(RoomRefused, SQLAlchemyError, OSError):
            await self._rooms.close_links(room_id, seats)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.settings.beat_seconds)
            told = 0
            for live in list(self._lives.values()):
                beat = {"t": "beat", "v": live.v, "r": live.room.r, "now": server_now()}
                for connection in live.connections:
                    connection.beat(beat)
                told += len(live.connections)
                if told >= BEATS_AT_ONCE:
                    told = 0
                    await asyncio.sleep(0)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
