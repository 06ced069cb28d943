"""What clients ask for over their sockets, and the answers that they get."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from app.measure import SECONDS, Histogram
from app.play.table import Refusal
from app.players.service import Player
from app.realtime.attention import Attention
from app.realtime.connection import Connection
from app.realtime.deeds import answer_to
from app.realtime.live import Live
from app.realtime.presence import Presence
from app.realtime.protocol import (
    ChatMessage,
    DeedMessage,
    FormMessage,
    LinesMessage,
    Message,
    MoveMessage,
    PingMessage,
    ReactMessage,
    RevealMessage,
    SeatMessage,
    SeenMessage,
    SyncMessage,
)
from app.realtime.talk import Talk
from app.rooms.room import RoomRefused
from app.rooms.service import Rooms

Refuse = Callable[[Connection, Live, Refusal, str | None], None]
"""Tells one client why something was not done."""


class Inbox:
    """Does what messages ask, each for the seat that its sender holds now.

    `decisions` counts how many seconds they take who decide, from the message to its outcome.
    """

    def __init__(
        self, rooms: Rooms, talk: Talk, attention: Attention, presence: Presence, refuse: Refuse
    ) -> None:
        self._rooms = rooms
        self._talk = talk
        self._attention = attention
        self._presence = presence
        self._refuse = refuse
        self.decisions = Histogram(SECONDS)

    async def handle(self, connection: Connection, live: Live, message: Message) -> None:
        """Does what a client's message asks, and sees to its answer."""
        match message:
            case MoveMessage() | FormMessage() | DeedMessage():
                await self._decide(connection, live, message)
            case RevealMessage(r):
                await self._reveal(connection, live, r)
            case ChatMessage() | ReactMessage() | LinesMessage():
                await self._talk.handle(connection, live, message)
            case SeatMessage(seat):
                self._show(connection, live, seat)
            case PingMessage():
                connection.say({"t": "pong"})
            case SeenMessage():
                self._attention.seen(connection.player_id)
            case SyncMessage():
                connection.sync()

    async def _decide(
        self,
        connection: Connection,
        live: Live,
        message: MoveMessage | FormMessage | DeedMessage,
    ) -> None:
        wished = message.seat
        seat = connection.seat() if wished is None else live.seat_of(connection.player_id, wished)
        if live.table is None or seat is None:
            refusal = Refusal("not_started") if seat is not None else _not_seated(connection, live)
            self._refuse(connection, live, refusal, message.id)
            return
        connection.awaited = (seat, message.id)
        missing = partial(self._presence.missing, live.room, live.table)
        begun = time.perf_counter()
        answer = await answer_to(live.table, seat, message, missing)
        self.decisions.add(time.perf_counter() - begun)
        connection.answered(message.id, accepted=not isinstance(answer, Refusal))
        if isinstance(answer, Refusal):
            self._refuse(connection, live, answer, message.id)
            if answer.code in {"stale", "not_asked", "game_over"}:
                connection.sync()

    def _show(self, connection: Connection, live: Live, seat: int | None) -> None:
        """Has a socket show another one of its player's seats, or none of them."""
        if seat is None or live.seat_of(connection.player_id, seat) is not None:
            connection.take(seat)
        else:
            self._refuse(connection, live, _not_seated(connection, live), None)

    async def _reveal(self, connection: Connection, live: Live, r: str) -> None:
        if connection.player_id is None:
            self._refuse(connection, live, Refusal("not_seated"), None)
            return
        try:
            await self._rooms.reveal(live.room.id, Player(connection.player_id, ""), r)
        except RoomRefused as refusal:
            self._refuse(connection, live, Refusal(refusal.code, refusal.facts), None)
        except (SQLAlchemyError, OSError):
            self._refuse(connection, live, Refusal("try_again"), None)


def _not_seated(connection: Connection, live: Live) -> Refusal:
    return Refusal("not_seated", {"yours": list(live.room.seats_of(connection.player_id))})
