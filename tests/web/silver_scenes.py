"""Scenes of Silver & Gold: whole games of likely moves, and single positions."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from app.games.registry import registry
from app.games.silver_and_gold.rules import SilverAndGold
from app.games.silver_and_gold.state import State
from app.play.history import Told
from app.play.position import Asked, Position, opened_with_events, played
from app.realtime.scene import Scene
from tests.web.scenes import PLAYERS, Game, room

SILVER = SilverAndGold()
ONE = registry(SILVER)
OPTIONS: dict[str, Any] = {"open_expeditions": False, "first": 0}
NAMES = ("Ann", "Bob", "Cleo", "Dan")


def games(
    seed: int, seats: int = 4, names: tuple[str, ...] = NAMES, *, open_expeditions: bool = False
) -> tuple[Game, ...]:
    """One game of likely moves: after the deal and after each entry."""
    options = {**OPTIONS, "open_expeditions": open_expeditions}
    where = room(names=names[:seats], options=options, key="silver_and_gold", seats=seats)
    history = _played(seed, seats, open_expeditions)
    told = [told for _, told in history]
    return tuple(
        Game(position, told[: number + 1], where) for number, (position, _) in enumerate(history)
    )


def at(state: State, seat: int | None, names: tuple[str, ...] = NAMES, n: int = 7) -> Scene:
    """What a seat, or a spectator, sees of a position that is set up."""
    seats = len(state.players)
    question = None if seat is None else SILVER.prompt(state, seat)
    outcome = SILVER.outcome(state)
    return Scene(
        room=room(names=names[:seats], options=OPTIONS, key="silver_and_gold", seats=seats),
        online=frozenset(range(seats)),
        watchers=0,
        seat=seat,
        player_id=None if seat is None else PLAYERS[seat],
        mine=() if seat is None else (seat,),
        v=n,
        view=SILVER.view(state, seat),
        prompt=None if question is None else Asked(n, question),
        actors=SILVER.actors(state),
        outcome=outcome.wire() if outcome else None,
    )


@cache
def _played(seed: int, seats: int, open_expeditions: bool) -> list[tuple[Position, Told]]:
    random = Random(seed)
    options = {**OPTIONS, "open_expeditions": open_expeditions}
    advance = opened_with_events(SILVER, seats, options, bytes([seed]) * 32)
    history = [(advance.position, Told(0, None, "start", advance.events))]
    while not advance.position.over:
        seat = random.choice(advance.position.actors)
        legal = advance.position.asked[seat].prompt.legal
        # Whole patterns come first; marking single squares would finish no map.
        likely = [move for move in legal if len(move.wire().get("cells", ())) > 1] or legal
        advance = played(advance.position, seat, [random.choice(likely)])
        told = Told(advance.position.v, seat, "move", advance.events)
        history.append((advance.position, told))
    return history
