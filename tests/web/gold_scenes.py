"""Scenes of Gold Hunting: whole games of random moves, and single positions."""

from __future__ import annotations

from functools import cache
from random import Random

from app.games.gold_hunting.moves import SAFE
from app.games.gold_hunting.state import State
from app.games.registry import registry
from app.play.history import Told
from app.play.position import Asked, Position, opened_with_events, played
from app.realtime.scene import Scene
from tests.games.gold_hunting.positions import GAME, OPTIONS
from tests.web.scenes import PLAYERS, Game, room

ONE = registry(GAME)
NAMES = ("Ann", "Bob")


def games(seed: int, names: tuple[str, ...] = NAMES) -> tuple[Game, ...]:
    """One game of random moves: after the deal and after each entry."""
    where = room(names=names, options=OPTIONS, key="gold_hunting")
    history = _played(seed)
    told = [told for _, told in history]
    return tuple(
        Game(position, told[: number + 1], where) for number, (position, _) in enumerate(history)
    )


def at(state: State, seat: int | None, names: tuple[str, ...] = NAMES, n: int = 7) -> Scene:
    """What a seat, or a spectator, sees of a position that is set up."""
    question = None if seat is None else GAME.prompt(state, seat)
    outcome = GAME.outcome(state)
    return Scene(
        room=room(names=names, options=OPTIONS, key="gold_hunting"),
        online=frozenset({0, 1}),
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
def _played(seed: int) -> list[tuple[Position, Told]]:
    random = Random(seed)
    advance = opened_with_events(GAME, 2, OPTIONS, bytes([seed]) * 32)
    history = [(advance.position, Told(0, None, "start", advance.events))]
    while not advance.position.over:
        seat = random.choice(advance.position.actors)
        legal = advance.position.asked[seat].prompt.legal
        # Of many digs and one safe, few would be safes.
        safe = SAFE in legal and random.random() < 0.3
        move = SAFE if safe else random.choice(legal)
        advance = played(advance.position, seat, [move])
        told = Told(advance.position.v, seat, "move", advance.events)
        history.append((advance.position, told))
    return history
