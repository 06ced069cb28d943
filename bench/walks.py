"""Random games at real tables in memory: what the hub would show at every move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

from sqlalchemy.engine import make_url

from app.database import Database
from app.games.contract import Json
from app.games.registry import AnyGame
from app.play.entry import Entry
from app.play.history import CONCEDE, MOVE, UNDO, move_body
from app.play.journal import Journal
from app.play.opening import Deal
from app.play.position import Refused, conceded, played, undone
from app.play.table import Table
from app.realtime.live import Live
from app.realtime.visits import Visits
from app.rooms.room import Room, Seated

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


class Walk:
    """One random game in a room where nobody is connected.

    `seed` decides the deal and all moves. `undo` is the share of entries that somebody takes back,
    where that is possible, and `concede` that of entries after which a player of two gives up.
    """

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        options: Mapping[str, Json],
        seed: int,
        *,
        names: tuple[str, ...] = NAMES,
        undo: float = 0.0,
        concede: float = 0.0,
    ) -> None:
        self.number = seed
        self._undo = undo
        self._concede = concede
        self._dice = Random(seed)
        room = _room(game, seats, options, UUID(int=seed), names)
        deal = Deal(
            room.id, room.code, game, seats, options, (None,) * seats, seed.to_bytes(32, "big")
        )
        # The table reads its journal only when it is asked to decide, which it is not here.
        journal = Journal(Database(make_url("postgresql+asyncpg://localhost/none")))
        self.table = Table(deal, journal, lambda _: None)
        self.live = Live(room, self.table, Visits(lambda _: None))

    @property
    def viewers(self) -> tuple[tuple[int | None, UUID | None], ...]:
        """Everybody who may look, each as seat and player; a spectator comes last."""
        people = self.live.room.people
        return (*((person.seat, person.player_id) for person in people), (None, None))

    def states(self) -> Iterator[Live]:
        """Yields the room after the deal and after every entry, to the end of the game."""
        yield self.live
        while not self.table.over:
            self.table.follow([self._entry()])
            assert self.table.broken is None
            self.live.moved()
            yield self.live

    def _entry(self) -> Entry:
        position = self.table.position
        seat = self._dice.choice(position.actors)
        chances = self._dice.random(), self._dice.random()
        if chances[0] < self._undo:
            for other in range(self.table.seats):
                try:
                    return self._written(other, UNDO, "{}", undone(position, other).drew)
                except Refused:
                    continue
        if chances[1] < self._concede and self.table.seats == 2:
            return self._written(seat, CONCEDE, "{}", conceded(position, seat).drew)
        move = likely(self._dice, position.asked[seat].prompt.legal)
        return self._written(seat, MOVE, move_body([move]), played(position, seat, [move]).drew)

    def _written(self, seat: int, kind: str, body: str, drew: bool) -> Entry:
        seq = self.table.v + 1
        return Entry(self.table.room_id, seq, seat, kind, f"m{seq}", body, drew, (), None, BEGAN)


def likely(dice: Random, legal: tuple[Any, ...]) -> Any:
    """Chooses a kind of move first, then one of them: rare kinds do not drown in long lists."""
    kinds: dict[str, list[Any]] = {}
    for move in legal:
        kinds.setdefault(str(move.wire().get("kind")), []).append(move)
    return dice.choice(kinds[dice.choice(list(kinds))])


def default_options(game: AnyGame) -> dict[str, Json]:
    """Returns the options of a host who changes nothing."""
    return {option.key: option.default for option in game.meta.options}


def _room(
    game: AnyGame, seats: int, options: Mapping[str, Json], key: UUID, names: tuple[str, ...]
) -> Room:
    people = tuple(
        Seated(seat, UUID(int=key.int * 100 + seat + 1), names[seat % len(names)])
        for seat in range(seats)
    )
    return Room(
        id=key,
        code=f"bamo-tirek-sulav-{key.int}",
        game=game.meta.key,
        seats=seats,
        options=options,
        host_id=people[0].player_id,
        status="running",
        commitment="c0ffee" * 10 + "beef",
        r=3,
        people=people,
        starting_until=None,
        created_at=BEGAN,
    )
