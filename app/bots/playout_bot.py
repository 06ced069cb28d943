"""A bot for any game: it tries each move out in a few random games and takes the best one.

The games go on from states that `sample` gives, which its seat cannot tell from the true one. So it
knows no more than a person at its seat, and no rules but those that every game has.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from app.bots.bot import Question, Sample
from app.games.chance import Chance
from app.games.contract import IllegalMove, Json, Move, Outcome, View
from app.games.registry import AnyGame

CPU_SECONDS: Final = 0.15
"""How much of the processor one decision may take."""
MOST_CANDIDATES: Final = 24
"""How many moves are tried at most; of more, some by chance."""
MOST_MOVES: Final = 600
"""Moves after which a random game counts for nothing."""
ROUNDS_A_HEAT: Final = 4
"""After so many random games for each move the worse half of the moves is dropped."""
USUAL_MARGIN: Final = 20
"""Points by which a lead counts for half of what it can count at all."""

_SEEDS: Final = 1 << 64


@dataclass(slots=True)
class _Tried:
    """A move and how its random games went."""

    move: Move
    games: int = 0
    worth: float = 0.0

    @property
    def mean(self) -> float:
        return self.worth / self.games if self.games else 0.0


class _TimeIsUpError(Exception):
    """The processor's time for this decision is used up."""


class PlayoutBot:
    """Plays one game's seats. `clock` tells the seconds of processor time used so far."""

    def __init__(
        self,
        game: AnyGame,
        *,
        seconds: float = CPU_SECONDS,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self._game = game
        self._seconds = seconds
        self._clock = clock

    def choose(
        self, view: View, prompt: Question, chance: Chance, sample: Sample
    ) -> list[dict[str, Json]]:
        """Returns the move that did best; one by chance where there was no time to try."""
        legal = [self._game.parse(data) for data in prompt.legal]
        if len(legal) == 1:
            return [legal[0].wire()]
        tried = [_Tried(move) for move in chance.shuffled(legal)[:MOST_CANDIDATES]]
        dice = Random(chance.below(_SEEDS))  # noqa: S311 random games are no secret
        until = self._clock() + self._seconds
        try:
            while len(tried) > 1:
                for _ in range(ROUNDS_A_HEAT):
                    self._round(view["seat"], tried, dice, sample, until)
                tried.sort(key=lambda one: one.mean, reverse=True)
                del tried[max(2, (len(tried) + 1) // 2) :]
        except _TimeIsUpError:
            pass
        return [max(tried, key=lambda one: one.mean).move.wire()]

    def _round(
        self, seat: int, tried: list[_Tried], dice: Random, sample: Sample, until: float
    ) -> None:
        """Plays one random game after each move, all from one state, so that luck is shared."""
        state = sample()
        worths = [self._worth(state, seat, one.move, dice, until) for one in tried]
        for one, worth in zip(tried, worths, strict=True):
            if worth is not None:
                one.games += 1
                one.worth += worth

    def _worth(self, state: Any, seat: int, move: Move, dice: Random, until: float) -> float | None:
        game = self._game
        chance = Chance(dice.randbytes(32), 0)
        try:
            state = game.apply(state, seat, move, chance).state
            for _ in range(MOST_MOVES):
                if self._clock() >= until:
                    raise _TimeIsUpError
                actors = game.actors(state)
                if not actors:
                    break
                actor = dice.choice(actors)
                prompt = game.prompt(state, actor)
                if prompt is None:
                    return None
                state = game.apply(state, actor, dice.choice(prompt.legal), chance).state
        except IllegalMove:
            return None
        outcome = game.outcome(state)
        return None if outcome is None else worth_of(outcome, seat)


def worth_of(outcome: Outcome, seat: int) -> float:
    """Returns what an end is worth to a seat, from 0 to 1: the place first, then the points."""
    place = outcome.ranking[seat]
    others = [rank for other, rank in enumerate(outcome.ranking) if other != seat]
    beaten = sum((rank > place) + (rank == place) / 2 for rank in others) / max(1, len(others))
    mine = outcome.totals[seat]
    theirs = [total for other, total in enumerate(outcome.totals) if other != seat]
    best = max((total for total in theirs if total is not None), default=None)
    if mine is None or best is None:
        return beaten
    margin = mine - best
    return (beaten + (1 + margin / (abs(margin) + USUAL_MARGIN)) / 2) / 2
