"""What changed in rooms, here or in another process, and telling it to who is connected to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError

from app.play.history import Broken
from app.play.journal import Unavailable
from app.play.table import Table
from app.play.tables import Tables
from app.realtime.background import Background
from app.realtime.bus import Bus, Hint, News
from app.realtime.elsewhere import Version
from app.realtime.live import Live
from app.realtime.newest import Newest
from app.rooms.room import Room, RoomRefused
from app.rooms.service import Rooms

RENAMED: Final = "renamed"


class Changes:
    """Tells the bus what changes here, and hears from it what changed anywhere.

    `renames` are called with each player who was given another name by another process.
    """

    def __init__(
        self,
        lives: Mapping[UUID, Live],
        rooms: Rooms,
        tables: Tables,
        bus: Bus,
        newest: Newest,
        *,
        background: Background,
    ) -> None:
        self.renames: list[Callable[[UUID], None]] = []
        self._lives = lives
        self._rooms = rooms
        self._tables = tables
        self._bus = bus
        self._newest = newest
        self._background = background
        self._catching_up: dict[UUID, int] = {}
        bus.listen(Hint, self._heard)
        bus.listen(News, self._news)

    # Here

    def of_table(self, table: Table) -> None:
        """Passes on that a game moved on by what was written here."""
        self._bus.publish(Hint(table.room_id, v=table.v))

    def of_room(self, room: Room) -> None:
        """Passes on that a room changed."""
        self._newest.note(room)
        self._bus.publish(Hint(room.id, r=room.r))

    def renamed(self, player_id: UUID) -> None:
        """Has everybody told who sees a player that has another name now."""
        self._bus.publish(News(RENAMED, {"player": str(player_id)}))

    def look_again(self, live: Live) -> None:
        """Reads a room and its game again, in the background."""
        self._background.spawn(self._refresh(live))

    # Elsewhere

    async def before_following(self, room_id: UUID, r: int) -> None:
        """Reads a room again in which others wrote, before that is shown: see `Others`."""
        live = self._lives.get(room_id)
        if live is not None and live.room.r >= r:
            return
        try:
            room = await self._rooms.by_id(room_id)
            live = self._lives.get(room_id)
            if live is not None:
                live.learn(room)
            self._newest.note(room)
        except RoomRefused:
            pass  # Cleared away: whoever looks for such rooms tells it.
        except (SQLAlchemyError, OSError) as wrong:
            raise Unavailable(f"The room cannot be read ({type(wrong).__name__}).") from wrong

    def followed(self, table: Table) -> None:
        """Has everybody told that a game moved on by what was written elsewhere."""
        live = self._lives.get(table.room_id)
        if live is not None and live.table is table:
            live.moved()

    def found(self, version: Version) -> None:
        """Reads what is not known here of a room, which has come as far as the database says."""
        live = self._lives.get(version.room_id)
        if live is None:
            return
        self._elsewhere(live, version.v, version.r)
        if version.r == live.room.r and version.names != [one.name for one in live.room.people]:
            self._background.spawn(self._reread(live))

    # On the bus

    def _heard(self, hint: Hint) -> None:
        """Has everybody in the room told."""
        live = self._lives.get(hint.room_id)
        if live is None:
            return
        if hint.sender is not None:
            self._elsewhere(live, hint.v, hint.r)
        elif hint.r is None:
            live.moved()
        elif live.table is None and live.room.status == "running":
            self.look_again(live)
        else:
            live.changed()

    def _news(self, news: News) -> None:
        if news.kind != RENAMED:
            return
        player_id = UUID(str(news.facts["player"]))
        if news.sender is not None:
            for ear in self.renames:
                ear(player_id)
        for live in self._lives.values():
            if live.room.seats_of(player_id):
                self._background.spawn(self._reread(live))

    def _elsewhere(self, live: Live, v: int | None, r: int | None) -> None:
        if (r is not None and r > live.room.r) or (v is not None and v > live.v < 0):
            self.look_again(live)
        elif v is not None and live.table is not None and v > live.v:
            begun = live.room.id in self._catching_up
            self._catching_up[live.room.id] = v
            if not begun:
                self._background.spawn(self._catch_up(live.room.id, live.table))

    async def _catch_up(self, room_id: UUID, table: Table) -> None:
        """Follows a game to where it is known to be, in one go however often that is told."""
        try:
            with suppress(Unavailable):
                before = -1
                while before < table.v < self._catching_up[room_id]:
                    before = table.v
                    await table.catch_up()
        finally:
            del self._catching_up[room_id]

    async def _refresh(self, live: Live) -> None:
        with suppress(Broken, RoomRefused, Unavailable, SQLAlchemyError, OSError):
            table = await self._tables.get(live.room.id)
            # Who may see the game is looked up last.
            room = await self._rooms.by_id(live.room.id)
            if table is None and room.status in {"running", "finished"}:
                table = await self._tables.get(live.room.id)
            if room.r <= live.room.r and table is live.table:
                return
            self._newest.note(room)
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
