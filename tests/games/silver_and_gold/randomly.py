"""Random games, one moment after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from app.games.chance import Chance
from app.games.contract import Event
from app.games.silver_and_gold.moves import Move
from app.games.silver_and_gold.state import State
from tests.games.silver_and_gold.positions import GAME, OPTIONS


@dataclass(frozen=True)
class Moment:
    """The state after a move of `seat`; None after the set-up. `k` counts the draws before it."""

    state: State
    events: tuple[Event, ...]
    k: int
    before: State | None = None
    seat: int | None = None
    move: Move | None = None


def moments(seats: int, number: int, **options: Any) -> Iterator[Moment]:
    """Plays random game `number`: patterns twice as often as single squares, where they fit."""
    random = Random(f"{number} {seats}")
    seed = number.to_bytes(32, "big")
    drawn = Chance(seed, 0)
    step = GAME.setup(seats, OPTIONS | {"first": -1} | options, drawn)
    yield Moment(step.state, step.events, 0)
    k = 1
    state = step.state
    while actors := GAME.actors(state):
        seat = random.choice(actors)
        prompt = GAME.prompt(state, seat)
        assert prompt is not None
        patterns = [move for move in prompt.legal if len(getattr(move, "cells", ())) > 1]
        move = random.choice(patterns if patterns and random.random() < 0.67 else prompt.legal)
        drawn = Chance(seed, k)
        step = GAME.apply(state, seat, move, drawn)
        yield Moment(step.state, step.events, k, state, seat, move)
        k += drawn.used
        state = step.state
