"""Rooms: every change is computed by a pure function, written in one go, and then told."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import structlog
from sqlalchemy.exc import IntegrityError

from app.database import Database, new_id
from app.games.contract import Json, Outcome
from app.games.registry import AnyGame, Registry
from app.play.opening import opening
from app.play.shuffle import commitment, game_seed, new_server_seed
from app.players.alike import told_apart
from app.players.names import clean_name
from app.players.service import Player
from app.players.tokens import new_code as new_secret
from app.rooms.codes import new_code, parse_code
from app.rooms.hosting import checked_clock, configured, reordered, timed, watched
from app.rooms.options import checked_options, checked_seats
from app.rooms.rematch import again, options_again
from app.rooms.removal import why_removed
from app.rooms.reopening import claimed, closed, reopened
from app.rooms.results import finished
from app.rooms.room import Room, RoomRefused, Seated
from app.rooms.seating import added, left, removed, sat, taken_over
from app.rooms.starting import deal_of, is_taking_reveals, revealed, started
from app.rooms.store import Kept, Store

log = structlog.get_logger()

CODE_TRIES = 3
"""How often another code is drawn when one is taken; even the second try is all but impossible."""

Change = Callable[[Room], Room]
Listener = Callable[[Room], None]


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Rooms:
    """The rooms of the house.

    Methods that change a room return it as it is afterwards, and do nothing where there is
    nothing to do, so that pressing twice is safe. They raise `RoomRefused`. `listeners` are
    called with the new room after each change is in the database. A start waits
    `reveal_seconds` at most for what browsers promised.
    """

    def __init__(
        self,
        database: Database,
        games: Registry,
        *,
        reveal_seconds: float = 5.0,
        now: Callable[[], datetime] = _utc_now,
        draw_code: Callable[[], str] = new_code,
    ) -> None:
        self.listeners: list[Listener] = []
        self._database = database
        self._store = Store(database)
        self._games = games
        self.reveal_seconds = reveal_seconds
        self._now = now
        self._draw_code = draw_code

    async def create(
        self,
        player: Player,
        game: str,
        seats: int | None,
        options: Mapping[str, Json],
        *,
        clock: int | None = None,
    ) -> Room:
        """Makes a room and seats its host (seats None: as many as the game takes).

        Raises `RoomRefused`: unknown_game, bad_seats, bad_options, bad_clock.
        """
        meta = self._game(game).meta
        count = meta.seats[1] if seats is None else checked_seats(meta, seats)
        server_seed = new_server_seed()
        room = Room(
            id=new_id(),
            code=self._draw_code(),
            game=game,
            seats=count,
            options=checked_options(meta, options),
            host_id=player.id,
            status="open",
            commitment=commitment(server_seed),
            r=0,
            people=(Seated(0, player.id, player.name),),
            starting_until=None,
            created_at=self._now(),
            clock=checked_clock(clock),
        )
        for tries_left in reversed(range(CODE_TRIES)):
            try:
                await self._store.create(Kept(room, server_seed))
                break
            except IntegrityError:
                if not tries_left:
                    raise
                room = replace(room, code=self._draw_code())
        self._tell(room)
        return room

    async def rematch(
        self, room_id: UUID, by: Player, *, starts: int | None, present: Collection[UUID]
    ) -> Room:
        """Returns the one room where the people of a finished game play again.

        Made now if nobody asked before: who asks and who is `present` is seated, the others' seats
        are held. `starts` is the seat that began the last game. Raises `RoomRefused`:
        unknown_room, not_seated, not_over.
        """
        tries_left = CODE_TRIES
        while True:
            old = _found(await self._store.by_id(room_id)).room
            if not old.seats_of(by.id):
                raise RoomRefused("not_seated")
            if old.status != "finished":
                raise RoomRefused("not_over")
            if old.next is not None:
                break
            kept = self._following(old, by, starts, present)
            try:
                if await self._store.follow(old, kept):
                    self._tell(replace(old, r=old.r + 1, next=kept.room.code))
                    self._tell(kept.room)
                    return kept.room
            except IntegrityError:
                tries_left -= 1
                if not tries_left:
                    raise
        following = await self.by_code(old.next)
        if following.status != "open" or following.held_for(by.id) is None:
            return following
        return (await self.sit(following.id, by))[0]

    def _following(
        self, old: Room, by: Player, starts: int | None, present: Collection[UUID]
    ) -> Kept:
        server_seed = new_server_seed()
        following = again(
            old,
            by.id,
            present,
            options_again(self._game(old.game).meta, old, starts),
            code=self._draw_code(),
            commitment=commitment(server_seed),
            now=self._now(),
        )
        return Kept(following, server_seed)

    async def by_code(self, code: str) -> Room:
        """Finds a room by its code, however it is spelled.

        Raises `RoomRefused`: unknown_room, room_removed (with `why`, `at` and `days`).
        """
        spelled = parse_code(code)
        if spelled is None:
            raise RoomRefused("unknown_room")
        kept = await self._store.by_code(spelled)
        if kept is None:
            removed = await why_removed(self._database, spelled)
            if removed is not None:
                raise RoomRefused("room_removed", **removed.facts())
        return _found(kept).room

    async def by_id(self, room_id: UUID) -> Room:
        """Finds a room. Raises `RoomRefused`: unknown_room."""
        return _found(await self._store.by_id(room_id)).room

    async def sit(
        self, room_id: UUID, player: Player, r_hash: str | None = None
    ) -> tuple[Room, int]:
        """Seats a player, or finds his seat again, at any time; returns his first seat.

        Raises `RoomRefused`: unknown_room, started, full, bad_hash.
        """
        room = await self._change(room_id, lambda room: sat(room, player, r_hash))
        return room, room.seats_of(player.id)[0]

    async def add(self, room_id: UUID, player: Player, name: str) -> tuple[Room, int]:
        """Seats one more person on a seated player's device; returns the seat of that name.

        Raises `RoomRefused`: unknown_room, not_seated, started, full, name_taken; `BadName`.
        """
        clean = clean_name(name)
        room = await self._change(room_id, lambda room: added(room, player, clean))
        mine = (one for one in room.people if one.player_id == player.id and one.called)
        return room, next(one.seat for one in mine if told_apart([one.name, clean])[1] != clean)

    async def leave(self, room_id: UUID, player: Player) -> Room:
        """Frees a player's seats; from the start on, the host's rights pass on alone.

        Raises `RoomRefused`: unknown_room, started.
        """
        return await self._change(room_id, lambda room: left(room, player.id))

    async def remove(self, room_id: UUID, by: Player, seat: int) -> Room:
        """Frees a seat for the host, or one of several for its player.

        Raises `RoomRefused`: unknown_room, not_host, bad_seat, started.
        """
        return await self._change(room_id, lambda room: removed(room, by.id, seat))

    async def reorder(self, room_id: UUID, by: Player, order: Sequence[int]) -> Room:
        """Moves people for the host: seat `i` gets who sat at `order[i]`.

        Raises `RoomRefused`: unknown_room, not_host, started, bad_order.
        """
        return await self._change(room_id, lambda room: reordered(room, by.id, order))

    async def configure(
        self, room_id: UUID, by: Player, seats: int | None, options: Mapping[str, Json]
    ) -> Room:
        """Changes seats and options for the host.

        Raises `RoomRefused`: unknown_room, not_host, started, bad_seats, bad_options, too_many.
        """

        def change(room: Room) -> Room:
            return configured(room, by.id, self._game(room.game).meta, seats, options)

        return await self._change(room_id, change)

    async def time(self, room_id: UUID, by: Player, clock: int | None) -> Room:
        """Sets the time for a move, in seconds, for the host; None for no clock.

        Raises `RoomRefused`: unknown_room, not_host, started, bad_clock.
        """
        return await self._change(room_id, lambda room: timed(room, by.id, clock))

    async def watch(
        self, room_id: UUID, by: Player, *, watching: bool, watchers_chat: bool
    ) -> Room:
        """Says for the host who may watch and write.

        Raises `RoomRefused`: unknown_room, not_host.
        """
        return await self._change(
            room_id,
            lambda room: watched(room, by.id, watching=watching, watchers_chat=watchers_chat),
        )

    async def start(self, room_id: UUID, by: Player) -> Room:
        """Freezes the room for the host, and deals at once unless a promised `r` is awaited.

        Raises `RoomRefused`: unknown_room, not_host, too_few.
        """

        def change(room: Room) -> Room:
            meta = self._game(room.game).meta
            return started(room, by.id, meta, self._now(), self.reveal_seconds)

        return await self._change(room_id, change)

    async def reveal(self, room_id: UUID, player: Player, r: str) -> Room:
        """Takes a browser's part of the shuffle, and deals if it was the last one awaited.

        Raises `RoomRefused`: unknown_room, not_seated, not_started, bad_r.
        """
        return await self._change(
            room_id, lambda room: revealed(room, player.id, r, self._now(), self.reveal_seconds)
        )

    async def deal(self, room_id: UUID) -> Room:
        """Deals if the room is being started and waits for nobody any more.

        Raises `RoomRefused`: unknown_room.
        """
        return await self._change(room_id, lambda room: room)

    async def finish(self, room_id: UUID, outcome: Outcome) -> Room:
        """Marks the room of a game that has ended. Raises `RoomRefused`: unknown_room."""
        return await self._change(room_id, lambda room: finished(room, outcome))

    async def unmarked(self) -> list[UUID]:
        """Returns the rooms whose game has ended without having been marked by `finish`."""
        return await self._store.unmarked()

    async def take_over(self, room_id: UUID, by: Player, present: Collection[UUID]) -> Room:
        """Makes a seated player the host while the host is not present.

        Raises `RoomRefused`: unknown_room, not_seated, host_present.
        """
        return await self._change(room_id, lambda room: taken_over(room, by.id, present))

    async def reopen(
        self, room_id: UUID, by: Player, seat: int, away: Collection[int]
    ) -> tuple[Room, str]:
        """Opens a seat for the host; returns the secret of its link, which is stored nowhere.

        Raises `RoomRefused`: unknown_room, not_host, not_started, game_over, bad_seat,
        not_long_away.
        """
        secret = new_secret()
        room = await self._change(room_id, lambda room: reopened(room, by.id, seat, secret, away))
        return room, secret

    async def claim(
        self, room_id: UUID, player: Player, secret: str, present: Callable[[], Collection[UUID]]
    ) -> Room:
        """Gives an open seat to a player. `present` tells who is at the table when it is decided.

        Raises `RoomRefused`: unknown_room, already_seated, game_over, bad_seat_link,
        player_present.
        """
        return await self._change(room_id, lambda room: claimed(room, player, secret, present()))

    async def close_links(self, room_id: UUID, seats: Collection[int]) -> Room:
        """Makes the links of seats worthless. Raises `RoomRefused`: unknown_room."""
        return await self._change(room_id, lambda room: closed(room, seats))

    async def starting(self) -> list[tuple[UUID, datetime | None]]:
        """Returns the rooms that are being started, with their deadlines."""
        return await self._store.starting()

    async def seed(self, room_id: UUID) -> bytes:
        """Returns the secret game seed of a started room. Raises `RoomRefused(not_started)`.

        It is made from what the journal says was dealt, so that no later version changes it.
        """
        server_seed, body = await self._secret(room_id)
        facts = json.loads(body)
        dealt = {key: facts[key] for key in ("room", "game", "rules_version", "options", "r")}
        return game_seed(server_seed, **dealt)

    async def server_seed(self, room_id: UUID) -> bytes:
        """Returns the server's secret of a started room, for the record of a game that is over.

        Raises `RoomRefused`: not_started.
        """
        return (await self._secret(room_id))[0]

    async def _secret(self, room_id: UUID) -> tuple[bytes, str]:
        found = await self._store.secret_and_opening(room_id)
        if found is None:
            raise RoomRefused("not_started")
        return found

    async def _change(self, room_id: UUID, change: Change) -> Room:
        """Makes a change, and tells it if there was one."""
        old, new = await self._changed(room_id, change)
        if new is not old:
            self._tell(new)
        return new

    async def _changed(self, room_id: UUID, change: Change) -> tuple[Room, Room]:
        """Computes a change and writes it, again from the start whenever another came first."""
        while True:
            kept = _found(await self._store.by_id(room_id))
            old = kept.room
            new = change(old)
            now = self._now()
            start = None
            if new.status == "starting" and not is_taking_reveals(new, now, self.reveal_seconds):
                start = opening(
                    deal_of(new, self._game(new.game), kept.server_seed), now, new.clock
                )
                new = replace(new, status="running", starting_until=None)
            if new is old:
                return old, old
            if await self._store.change(old, new, now, start):
                return old, replace(new, r=old.r + 1)

    def _game(self, key: str) -> AnyGame:
        game = self._games.get(key)
        if game is None:
            raise RoomRefused("unknown_game")
        return game

    def _tell(self, room: Room) -> None:
        for listener in self.listeners:
            try:
                listener(room)
            except Exception:
                # The change is made: one listener's fault must not hide it from the others.
                log.exception("room_listener_failed", room=str(room.id))


def _found(kept: Kept | None) -> Kept:
    if kept is None:
        raise RoomRefused("unknown_room")
    return kept
