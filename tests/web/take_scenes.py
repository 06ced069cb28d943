"""Scenes of Take the Gold: whole games of random moves, and single positions."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from app.games.registry import registry
from app.games.take_the_gold.moves import PASS
from app.games.take_the_gold.state import State
from app.play.history import Told
from app.play.position import Asked, Position, opened_with_events, played
from app.realtime.scene import Scene
from tests.games.take_the_gold.positions import GAME, OPTIONS
from tests.web.scenes import PLAYERS, Game, room

ONE = registry(GAME)
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")


def games(
    seed: int, seats: int, names: tuple[str, ...] = NAMES, **options: Any
) -> tuple[Game, ...]:
    """One game of random moves: after the deal and after each entry."""
    where = room(names=names[:seats], options=OPTIONS | options, key="take_the_gold", seats=seats)
    history = _played(seed, seats, tuple(sorted({**OPTIONS, **options}.items())))
    told = [told for _, told in history]
    return tuple(
        Game(position, told[: number + 1], where) for number, (position, _) in enumerate(history)
    )


def at(state: State, seat: int | None, names: tuple[str, ...] = NAMES, n: int = 7) -> Scene:
    """What a seat, or a spectator, sees of a position that is set up."""
    seats = len(state.hands)
    question = None if seat is None else GAME.prompt(state, seat)
    outcome = GAME.outcome(state)
    return Scene(
        room=room(names=names[:seats], options=OPTIONS, key="take_the_gold", seats=seats),
        online=frozenset(range(seats)),
        watchers=0,
        seat=seat,
        player_id=None if seat is None else PLAYERS[seat],
        mine=() if seat is None else (seat,),
        v=n,
        view=GAME.view(state, seat),
        prompt=None if question is None else Asked(n, question),
        actors=GAME.actors(state),
        outcome=outcome.wire() if outcome else None,
    )


@cache
def _played(
    seed: int, seats: int, options: tuple[tuple[str, Any], ...]
) -> list[tuple[Position, Told]]:
    random = Random(seed)
    advance = opened_with_events(GAME, seats, dict(options), bytes([seed]) * 32)
    history = [(advance.position, Told(0, None, "start", advance.events))]
    while not advance.position.over:
        seat = advance.position.actors[0]
        legal = advance.position.asked[seat].prompt.legal
        # People attack when they can; the last of the legal moves is to pass or to give nothing.
        active = [move for move in legal if move != PASS] or legal
        move = random.choice(active if random.random() < 0.8 else legal)
        advance = played(advance.position, seat, [move])
        told = Told(advance.position.v, seat, "move", advance.events)
        history.append((advance.position, told))
    return history
