"""Chats on sockets: who may say something, and telling it to everybody in the room.

A line is no change of the room or the game: nothing is drawn for it, and it is written out once for
all sockets. With several processes it goes to the others by the bus; one that was lost on
the way is found by the next comparison, and one that comes both ways is told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID

import orjson
from sqlalchemy.exc import SQLAlchemyError

from app.chat.lines import Line, Writer
from app.chat.refused import ChatRefused
from app.chat.service import Chat
from app.games.contract import Json
from app.play.table import Refusal
from app.realtime.background import Background
from app.realtime.bus import Bus, Spoken
from app.realtime.connection import Connection
from app.realtime.elsewhere import Version
from app.realtime.live import Live
from app.realtime.protocol import ChatMessage, LinesMessage, ReactMessage, said
from app.rooms.room import Room, RoomRefused

NO_LINE: Final = UUID(int=0)
"""Stands before the first line of a chat."""

Refuse = Callable[[Connection, Live, Refusal, str | None], None]


def writer_of(room: Room, player_id: UUID | None, wished: int | None = None) -> Writer:
    """Returns as whom a player writes in a room: on the `wished` seat, else on their first.

    A seat's name is the one that everybody sees, told apart from those that look alike. Raises
    `RoomRefused`: not_watching, not_seated, chat_seated_only, sign_in.
    """
    if not room.may_look(player_id):
        raise RoomRefused("not_watching")
    seats = room.seats_of(player_id)
    if wished is not None and wished not in seats:
        raise RoomRefused("not_seated", yours=list(seats))
    if not seats and not room.watchers_chat:
        raise RoomRefused("chat_seated_only")
    if player_id is None:
        raise RoomRefused("sign_in")
    if not seats:
        return Writer(player_id, None, None)
    seat = seats[0] if wished is None else wished
    return Writer(player_id, seat, room.names[seat])


class Talk:
    """The chats of those rooms that somebody is connected to."""

    def __init__(
        self,
        chat: Chat,
        lives: Mapping[UUID, Live],
        bus: Bus,
        refuse: Refuse,
        background: Background,
    ) -> None:
        self._chat = chat
        self._lives = lives
        self._bus = bus
        self._refuse = refuse
        self._background = background
        bus.listen(Spoken, self._heard)

    async def handle(
        self, connection: Connection, live: Live, message: ChatMessage | ReactMessage | LinesMessage
    ) -> None:
        """Does what a client's message asks, and sees to its answer."""
        message_id = None if isinstance(message, LinesMessage) else message.id
        try:
            match message:
                case LinesMessage(after):
                    await self._tell_lines(connection, live, after)
                case ChatMessage(text, _, seat):
                    writer = _writer(connection, live, seat)
                    line = await self._chat.say(live.room.id, writer, text, message_id=message_id)
                    _acknowledge(connection, message_id, line)
                case ReactMessage(what, _, seat):
                    writer = _writer(connection, live, seat)
                    line = await self._chat.react(live.room.id, writer, what, message_id=message_id)
                    _acknowledge(connection, message_id, line)
        except (RoomRefused, ChatRefused) as refused:
            self._refuse(connection, live, Refusal(refused.code, refused.facts), message_id)
        except (SQLAlchemyError, OSError):
            self._refuse(connection, live, Refusal("try_again"), message_id)

    def heard(self, room_id: UUID, line: Line) -> None:
        """Has everybody in the room told what was said, wherever they are connected."""
        self._bus.publish(Spoken(room_id, line.wire()))

    def found(self, version: Version) -> None:
        """Tells the lines of a room that were not heard, which has come as far as `version`."""
        live = self._lives.get(version.room_id)
        if live is None:
            return
        newest = version.line or NO_LINE
        if live.line is None:
            # Whoever comes asks for the lines before by themselves.
            live.line = newest
        elif newest > live.line:
            self._background.spawn(self._tell_missed(live, live.line))

    def _heard(self, spoken: Spoken) -> None:
        live = self._lives.get(spoken.room_id)
        if live is not None:
            _tell(live, spoken.line)

    async def _tell_missed(self, live: Live, after: UUID) -> None:
        with suppress(SQLAlchemyError, OSError):
            for line in await self._chat.lines(live.room.id, after=after):
                _tell(live, line.wire())

    async def _tell_lines(self, connection: Connection, live: Live, after: UUID | None) -> None:
        if not live.room.may_look(connection.player_id):
            raise RoomRefused("not_watching")
        lines = await self._chat.lines(live.room.id, after=after)
        connection.say({"t": "lines", "lines": [line.wire() for line in lines]})


def _tell(live: Live, line: Mapping[str, Json]) -> None:
    """Hands a line to every socket of a room."""
    live.line = max(live.line or NO_LINE, UUID(str(line["id"])))
    message = orjson.dumps({"t": "chat", **line})
    for connection in live.connections:
        if live.room.may_look(connection.player_id):
            connection.pass_on(message)


def _writer(connection: Connection, live: Live, wished: int | None) -> Writer:
    """Returns as whom a message is said: the seat that it names, else the one the socket shows."""
    seat = connection.seat() if wished is None else wished
    return writer_of(live.room, connection.player_id, seat)


def _acknowledge(connection: Connection, message_id: str | None, line: Line) -> None:
    if message_id is not None:
        connection.say(said(message_id, str(line.id)))
