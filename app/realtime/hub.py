"""Who is connected, and telling each of them what changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Protocol
from uuid import UUID
from weakref import WeakValueDictionary

import structlog
from starlette.websockets import WebSocket

from app.chat.service import Chat
from app.config import Settings
from app.games.contract import Json
from app.play.table import Refusal
from app.play.tables import Tables
from app.players.service import Player
from app.realtime.arrivals import Arrivals
from app.realtime.attention import Attention
from app.realtime.background import Background
from app.realtime.beats import Beats
from app.realtime.bus import Bus
from app.realtime.changes import Changes
from app.realtime.comparing import Comparing
from app.realtime.connection import (
    CLOSE_GONE,
    CLOSE_RESTART,
    CLOSE_SIGNED_OUT,
    CLOSES,
    Connection,
)
from app.realtime.elsewhere import Elsewhere
from app.realtime.hands import Hand, seat_shown
from app.realtime.inbox import Inbox
from app.realtime.kept import Kept, Shown
from app.realtime.limits import Bucket
from app.realtime.live import Draw, Live
from app.realtime.missing import Bounds
from app.realtime.newest import Newest
from app.realtime.presence import Presence
from app.realtime.protocol import announced, refused
from app.realtime.rounds import Rounds, tried
from app.realtime.scene import Scene, scene
from app.realtime.signed_out import Gone, SignedOut
from app.realtime.talk import Talk
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms

log = structlog.get_logger()


class Drawing(Protocol):
    """What the hub needs of whoever draws pages."""

    def layout(self, scene: Scene) -> str:
        """Returns which page a scene belongs on."""
        ...

    def changes(
        self, scene: Scene, lang: str, kept: Kept, shown: Shown
    ) -> tuple[dict[str, str], Shown]:
        """Returns the HTML of regions that differ from what is shown, and what is shown then."""
        ...

    def refusal(self, game_key: str | None, code: str, facts: Mapping[str, Json], lang: str) -> str:
        """Returns the sentence for a refusal."""
        ...


class Hub:
    """The connections of this process, by room.

    `refusals` counts what was refused, by code, and `closes` the sockets that ended, by the code
    with which they were closed; "other" for what clients make up.
    """

    def __init__(
        self,
        settings: Settings,
        rooms: Rooms,
        tables: Tables,
        bus: Bus,
        drawing: Drawing,
        *,
        chat: Chat,
        elsewhere: Elsewhere | None = None,
        gone: Gone | None = None,
    ) -> None:
        """`elsewhere` and `gone` are for a house with several processes."""
        self.settings = settings
        self.draw: Draw = drawing.changes
        self.layout = drawing.layout
        self._drawing = drawing
        self._tables = tables
        self._bus = bus
        self._lives: dict[UUID, Live] = {}
        self._background = Background()
        self.talk = Talk(chat, self._lives, bus, self.refuse, self._background)
        # A bucket lasts as long as one of its sockets.
        self._buckets: WeakValueDictionary[UUID, Bucket] = WeakValueDictionary()
        away, silent = settings.away_seconds, settings.silent_seconds
        bounds = Bounds(timedelta(seconds=away), timedelta(seconds=silent))
        self._beats = Beats(self._lives, settings.beat_seconds)
        self.newest = Newest(self._lives, elsewhere.newer if elsewhere is not None else None)
        self.presence = Presence(self._lives, bounds, self.newest, bus)
        self.attention = Attention(bus=bus)
        self.arrivals = Arrivals(
            self._lives,
            rooms,
            self.presence,
            self.attention,
            self.newest,
            background=self._background,
        )
        self.changes = Changes(
            self._lives, rooms, tables, bus, self.newest, background=self._background
        )
        self.signed_out = SignedOut(self._lives, bus, self._background)
        self._rounds = Rounds(bus)
        self.comparing = Comparing(self._lives, elsewhere) if elsewhere is not None else None
        if self.comparing is not None:
            self.comparing.ears += [self.changes.found, self.talk.found]
            self._rounds.looks.append(self.comparing.look)
        if gone is not None:
            self._rounds.looks.append(partial(self.signed_out.look, gone))
        self.inbox = Inbox(rooms, self.talk, self.attention, self.presence, self.refuse)
        self.refusals: Counter[str] = Counter()
        self.closes: Counter[str] = Counter()
        self.closing = False
        self._announced: dict[str, Json] | None = None

    def start(self) -> None:
        """Begins to send beats, and to look for what was not heard of others."""
        self._beats.start()
        self.presence.start()
        self._rounds.start()

    def stop_listening(self) -> None:
        """Takes no further messages: what is under way is still done and answered."""
        self.closing = True
        self.arrivals.close()

    async def close(self) -> None:
        """Sends what is to be told, and closes every socket with 1012: pages connect again."""
        self.stop_listening()
        self._beats.stop()
        self._rounds.stop()
        connections = [each for live in self._lives.values() for each in live.connections]
        await asyncio.gather(
            *(each.finish(CLOSE_RESTART, "the server restarts") for each in connections)
        )
        self.presence.stop()

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

    # What the host of the house does

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

    # One viewer

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
        room = await self.newest.may_still_look(room, player_id, None)
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
            watchers=self.presence.watchers(room),
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
        async with self._following(room.id):
            table = await self._tables.get(room.id)
            # Who may see the game is looked up after the game.
            room = await self.newest.sure(room)
            await socket.accept(subprotocol=protocol)
            if self.closing:
                await self._turn_away(socket, CLOSE_RESTART)
                return
            device_id = player.device if player is not None else None
            if device_id in self.signed_out:
                await self._turn_away(socket, CLOSE_SIGNED_OUT)
                return
            # Others may have changed the room since: nobody is sent what they may not see.
            room = self.newest(room)
            live = self._lives.get(room.id)
            if live is None and self.comparing is not None:
                # Until there is a `live`, what others do in the room is heard by nobody.
                self._background.spawn(tried(self.comparing.compare([room.id])))
            if live is None:
                live = self._lives[room.id] = Live(
                    room,
                    table,
                    self.presence.visits,
                    self.presence.absences,
                    elsewhere=self.presence.elsewhere,
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
                self.changes.look_again(live)
            seats = live.room.seats_of(connection.player_id)
            log.debug("socket_opened", room=room.code, seats=seats, protocol=protocol)
            try:
                await connection.run()
            finally:
                self._leave(live, connection)
                self._count_closed(connection.closed)
                log.debug("socket_closed", room=room.code, seats=seats, closed=connection.closed)

    async def _turn_away(self, socket: WebSocket, code: int) -> None:
        self._count_closed(code)
        await socket.close(code)

    def _count_closed(self, code: int) -> None:
        self.closes[str(code) if code in CLOSES else "other"] += 1

    @asynccontextmanager
    async def _following(self, room_id: UUID) -> AsyncIterator[None]:
        """Hears what others do in a room."""
        await self._bus.follow(room_id)
        try:
            yield
        finally:
            self._bus.unfollow(room_id)

    def _join(self, live: Live, connection: Connection) -> None:
        before = (live.online, live.watchers) if live.connections else None
        live.connections.add(connection)
        self.attention.opened(connection.player_id)
        if connection.player_id is not None:
            self.presence.visits.forget(live.room.id, connection.player_id)
        live.forget_presence()
        self.presence.came_or_went(live.room.id)
        if before is None or before != (live.online, live.watchers):
            live.changed()
        else:
            connection.wake()
        self.arrivals.joined(live, connection.player_id)

    def _leave(self, live: Live, connection: Connection) -> None:
        before = (live.online, live.watchers)
        live.connections.discard(connection)
        self.attention.closed(connection.player_id)
        live.forget_presence()
        self.presence.came_or_went(live.room.id)
        if not live.connections:
            self._lives.pop(live.room.id, None)
            live.end()
        elif before != (live.online, live.watchers):
            live.changed()

    def refuse(
        self, connection: Connection, live: Live, refusal: Refusal, move_id: str | None = None
    ) -> None:
        """Tells one client why something was not done."""
        self.refusals[refusal.code] += 1
        seats = live.room.seats_of(connection.player_id)
        log.debug("refused", room=live.room.code, seats=seats, code=refusal.code)
        sentence = self._drawing.refusal(
            live.room.game, refusal.code, refusal.facts, connection.language
        )
        connection.say(refused(move_id, refusal.code, sentence, refusal.index))
