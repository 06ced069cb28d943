"""Scenes of real games, as the hub would assemble them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any
from uuid import UUID

from app.games.registry import GAMES
from app.play.history import Told
from app.play.position import Position, opened_with_events, played, undoable
from app.realtime.scene import LINES, Scene, lines, undo_line
from app.rooms.room import Room, Seated, Status

ANN, BOB, STRANGER = UUID(int=1), UUID(int=2), UUID(int=3)
PLAYERS = (ANN, BOB, *(UUID(int=n) for n in (4, 5, 6, 7)))
URL = "https://games.example.org/r/bamo-tirek-sulav-peno"
FIVE = {"colours": 5, "rounds": 1, "first": 0}
SIX = {"colours": 6, "rounds": 3, "first": 0}


def room(
    status: Status = "running",
    *,
    names: tuple[str, ...] = ("Ann", "Bob"),
    options: dict[str, Any] | None = None,
    key: str = "lost_cities",
    seats: int = 2,
) -> Room:
    """A room whose second player adds to the shuffle."""
    dealt = status in {"running", "finished"}
    return Room(
        id=UUID(int=9),
        code="bamo-tirek-sulav-peno",
        game=key,
        seats=seats,
        options=options or FIVE,
        host_id=ANN,
        status=status,
        commitment="c0ffee" * 10 + "beef",
        r=3,
        people=tuple(
            Seated(
                seat,
                PLAYERS[seat],
                name,
                "ab" * 32 if seat else None,
                "cd" * 32 if seat and dealt else None,
            )
            for seat, name in enumerate(names)
        ),
        starting_until=None,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@dataclass
class Game:
    """A game in its journal's words: a position and what was told on the way."""

    position: Position
    told: list[Told]
    room: Room

    def scene(self, seat: int | None, **changes: Any) -> Scene:
        """What a seat, or a spectator, gets to see now."""
        position = self.position
        over = position.over
        mine = undoable(position, seat) if seat is not None and not over else None
        scene = Scene(
            room=replace(self.room, status="finished" if over else "running"),
            online=frozenset(range(self.room.seats)),
            watchers=0,
            seat=seat,
            player_id=None if seat is None else PLAYERS[seat],
            mine=() if seat is None else (seat,),
            v=position.v,
            view=position.game.view(position.state, seat),
            prompt=None if seat is None else position.asked.get(seat),
            actors=position.actors,
            done=position.done,
            own=max((told.seq for told in self.told if told.seat == seat is not None), default=-1),
            log=tuple(lines(self.told, seat, LINES)),
            undo=undo_line(mine) if mine else None,
            outcome=position.outcome.wire() if position.outcome else None,
        )
        return replace(scene, **changes)


def games(
    seed: int, options: dict[str, Any] = FIVE, names: tuple[str, ...] = ("Ann", "Bob")
) -> tuple[Game, ...]:
    """One game of sensible random moves: after the deal and after each entry."""
    where = room(names=names, options=options)
    history = _played(seed, tuple(options.items()))
    told = [told for _, told in history]
    return tuple(
        Game(position, told[: number + 1], where) for number, (position, _) in enumerate(history)
    )


def game(
    moves: int, options: dict[str, Any] = FIVE, names: tuple[str, ...] = ("Ann", "Bob")
) -> Game:
    """A game after so many entries; -1: at its end."""
    whole = games(5, options, names)
    return whole[min(moves, len(whole) - 1)]


@cache
def _played(seed: int, options: tuple[tuple[str, Any], ...]) -> list[tuple[Position, Told]]:
    random = Random(seed)
    advance = opened_with_events(GAMES["lost_cities"], 2, dict(options), bytes([seed]) * 32)
    history = [(advance.position, Told(0, None, "start", advance.events))]
    while not advance.position.over:
        seat = advance.position.actors[0]
        legal = advance.position.asked[seat].prompt.legal
        plays = [move for move in legal if move.wire()["kind"] == "play"]
        likely = plays if plays and random.random() < 0.7 else legal
        advance = played(advance.position, seat, [random.choice(likely)])
        told = Told(advance.position.v, seat, "move", advance.events)
        history.append((advance.position, told))
    return history
