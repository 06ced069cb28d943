"""One room that somebody is connected to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson

from app.play.table import Table
from app.realtime.kept import Kept, Shown
from app.realtime.missing import Absences, Vigil
from app.realtime.protocol import written
from app.realtime.roll import NOBODY, Attendance
from app.realtime.scene import Heard, Scene, due_wire, prompt_wire, room_wire, scene
from app.realtime.visits import Visits
from app.rooms.room import Room

Draw = Callable[[Scene, str, Kept, Shown], tuple[dict[str, str], Shown]]
"""Draws, in a language, what differs in a scene from what is shown, and says what is shown then."""

if TYPE_CHECKING:
    from app.realtime.connection import Connection


class Live:
    """The room, its table, its connections, and what has been drawn of it for the present state.

    What viewers share is drawn once: `changed` forgets it all.
    """

    def __init__(
        self,
        room: Room,
        table: Table | None,
        visits: Visits,
        absences: Absences | None = None,
        *,
        elsewhere: Callable[[UUID], Attendance] = lambda _: NOBODY,
    ) -> None:
        """`absences` are those of all rooms, where there are several; so is `elsewhere`."""
        self.room = room
        self.table = table
        self.connections: set[Connection] = set()
        self.line: UUID | None = None
        """The newest line of the chat that was told here, as far as that is known."""
        self._seated_in: Room | None = None
        self._seats: dict[UUID | None, tuple[int, ...]] = {}
        self._visits = visits
        self._elsewhere = elsewhere
        self._online: frozenset[int] | None = None
        self._shared: tuple[object, ...] = ()
        self._vigil = Vigil(absences or Absences(), self.changed)
        self._rooms: dict[tuple[int | None, UUID | None], orjson.Fragment] = {}
        self._scenes: dict[tuple[int | None, UUID | None], Scene] = {}
        self._heard: dict[int | None, Heard] = {}
        self._views: dict[int | None, tuple[orjson.Fragment, orjson.Fragment]] = {}
        self._changes: dict[
            tuple[int | None, UUID | None, str], tuple[Shown, tuple[dict[str, str], Shown]]
        ] = {}
        self._kept = Kept()
        self._names = [person.name for person in room.people]
        self._forgetting = False

    @property
    def v(self) -> int:
        """The seq of the game's last entry; -1 before the start."""
        return self.table.v if self.table is not None else -1

    @property
    def online(self) -> frozenset[int]:
        """The seats that have an open connection, or whose page was looked at lately."""
        if self._online is None:
            present = {connection.player_id for connection in self.connections}
            present |= self._visits.of(self.room.id) | self._elsewhere(self.room.id).players
            self._online = seats_of(self.room, present)
        return self._online

    @property
    def watchers(self) -> int:
        """The number of people without a seat; of those without a name each socket is one."""
        nameless = sum(each.player_id is None for each in self.connections)
        players = frozenset(each.player_id for each in self.connections if each.player_id)
        return watching(self.room, Attendance(players, nameless) | self._elsewhere(self.room.id))

    def moved(self) -> None:
        """Forgets what was drawn of the game, after a new entry."""
        self._views.clear()
        self._forget_drawn()
        self._vigil.look(self.room, self.table, self.online, on=bool(self.connections))
        position = self.table.position if self.table is not None else None
        if position is not None:
            shared = (position.agreed, position.bots, position.opened, self._vigil.missing)
            if position.over or shared != self._shared:
                self._shared = shared
                self._rooms.clear()
        for connection in self.connections:
            connection.wake()

    def changed(self) -> None:
        """Forgets everything drawn, after a change of the room or of who is connected."""
        self.forget_presence()
        names = [person.name for person in self.room.people]
        if names != self._names:
            # Nobody is told the lines with a former name again.
            self._names = names
            self._kept.logs.clear()
        self._rooms.clear()
        self.moved()

    def learn(self, room: Room) -> None:
        """Takes over a room that is newer than what was told, as after a lost answer."""
        if room.r > self.room.r:
            self.room = room
            self.changed()

    def end(self) -> None:
        """Stops watching over the room, once nobody is connected."""
        self._vigil.end()
        # What viewers heard is found by way of each other: nobody would free it.
        self._heard.clear()

    def forget_presence(self) -> None:
        """Forgets who is online, after somebody came or went."""
        self._online = None

    def seats_of(self, player_id: UUID | None) -> tuple[int, ...]:
        """Returns the seats of a player, ascending; looked up once while the room stays."""
        room = self.room
        if room is not self._seated_in:
            self._seated_in = room
            self._seats = {one.player_id: room.seats_of(one.player_id) for one in room.seated}
        return self._seats.get(player_id, ())

    def seat_of(self, player_id: UUID | None, wished: int | None = None) -> int | None:
        """Returns the player's seat: the wished one if it is theirs, else their first."""
        seats = self.seats_of(player_id)
        if wished is not None:
            return wished if wished in seats else None
        return seats[0] if seats else None

    def scene(self, seat: int | None, player_id: UUID | None) -> Scene:
        """Returns the scene of a viewer."""
        key = (seat, player_id)
        found = self._scenes.get(key)
        if found is None:
            found = self._scenes[key] = scene(
                self.room,
                self.table,
                seat=seat,
                player_id=player_id,
                online=self.online,
                watchers=self.watchers,
                missing=self._vigil.missing,
                heard=self._ear(seat),
            )
        return found

    def _ear(self, seat: int | None) -> Heard | None:
        table = self.table
        found = self._heard.get(seat)
        if table is not None and (found is None or found.table is not table):
            found = self._heard[seat] = Heard(table, seat, self._heard.values())
        return found

    def changes(
        self, seat: int | None, player_id: UUID | None, language: str, shown: Shown, draw: Draw
    ) -> tuple[dict[str, str], Shown]:
        """Returns a viewer's regions that differ from what is shown, and what is shown with them.

        Pages of one viewer that show the same are drawn once.
        """
        key = (seat, player_id, language)
        known = self._changes.get(key)
        if known is not None and known[0] == shown:
            return known[1]
        if not self._forgetting:
            # All who are told of a state are in the loop's queue already. Nobody who only waits
            # keeps HTML: it would be most of what a socket has in memory.
            self._forgetting = True
            asyncio.get_running_loop().call_soon(self._forget_drawn)
        changes = draw(self.scene(seat, player_id), language, self._kept, shown)
        self._changes[key] = shown, changes
        return changes

    def _forget_drawn(self) -> None:
        self._forgetting = False
        self._scenes.clear()
        self._changes.clear()
        self._kept.forget()

    def content(
        self, seat: int | None, since: int, joined: int, player_id: UUID | None = None
    ) -> dict[str, Any]:
        """Returns the content of a JSON state for a viewer who last saw entry `since`.

        Fleeting events are told of the newest entry alone, and only to who was connected when it
        happened: after entry `joined`.
        """
        # Who has no seat, or one only, is told the same as all like them.
        key = (seat, player_id if len(self.seats_of(player_id)) > 1 else None)
        room = self._rooms.get(key)
        if room is None:
            room = self._rooms[key] = written(
                room_wire(
                    self.room,
                    self.table,
                    seat=seat,
                    player_id=player_id,
                    online=self.online,
                    watchers=self.watchers,
                    missing=self._vigil.missing,
                )
            )
        table = self.table
        if table is None:
            return {"room": room, "view": None, "prompt": None, "due": None, "events": []}
        drawn = self._views.get(seat)
        if drawn is None:
            drawn = self._views[seat] = (
                written(table.view(seat)),
                written(prompt_wire(table.asked(seat))),
            )
        view, prompt = drawn
        events = [
            {"seq": told.seq, "seat": told.seat, "entry": told.kind, "events": said}
            for told in table.told(since)
            if (said := told.seen_by(seat, now=joined < told.seq == table.v))
        ]
        due = due_wire(table)
        return {"room": room, "view": view, "prompt": prompt, "due": due, "events": events}


def seats_of(room: Room, players: Collection[UUID | None]) -> frozenset[int]:
    """Returns the seats that these players hold."""
    return frozenset(person.seat for person in room.people if person.player_id in players)


def watching(room: Room, crowd: Attendance) -> int:
    """Returns how many of those who are at a room have no seat."""
    return crowd.nameless + sum(not room.seats_of(player) for player in crowd.players)
