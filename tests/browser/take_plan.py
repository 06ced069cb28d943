"""Games of Take the Gold known beforehand: rooms whose secret makes every kind of attack come.

People who know all hands choose the moves, so that each attack is answered once and once not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from app.games.take_the_gold.cards import ANSWERS
from app.games.take_the_gold.rules import TakeTheGold
from app.games.take_the_gold.state import State
from app.play.position import Position, opened_with_events, played
from app.play.shuffle import game_seed

Wire = dict[str, Any]
RULES = TakeTheGold()
OPTIONS: dict[str, Any] = {"krakens": 3, "advanced": False}
MOST_MOVES = 70
WANTED = (
    *("pirate officer", "pirate None", "kraken captain", "kraken None"),
    *("captain coin", "captain None", "two_pirates None"),
)
"""Each attack with its answer."""


@dataclass(frozen=True)
class Planned:
    """One move: who makes it, at which stage, and the state before it.

    `what` is what comes of it: an attack with its answer as in `WANTED`, or the kind of move.
    """

    seat: int
    stage: str
    move: Wire
    state: State
    what: str


@dataclass(frozen=True)
class Plan:
    """A game: the room's code and secret, every move, and the state after the last one."""

    code: str
    secret: bytes
    seats: int
    moves: tuple[Planned, ...]
    end: State

    def first(self, what: str) -> int:
        """Returns the number of the first move with that result."""
        return next(n for n, move in enumerate(self.moves) if move.what == what)


@cache
def all_attacks(code: str, seats: int = 4) -> Plan:
    """People play until every attack was answered and not answered, and on to the end."""
    for number in itertools.count():
        secret = number.to_bytes(32, "big")
        seed = game_seed(
            secret,
            room=code,
            game=RULES.meta.key,
            rules_version=RULES.meta.rules_version,
            options=OPTIONS,
            r=[None] * seats,
        )
        position = opened_with_events(RULES, seats, OPTIONS, seed).position
        moves: list[Planned] = []
        for moved, after in _played(position, Random(number)):
            moves.append(moved)
            position = after
        seen = {move.what for move in moves}
        if position.over and seen >= {*WANTED, "discard", "pass"}:
            return Plan(code, secret, seats, tuple(moves), position.state)
    raise AssertionError


def _played(position: Position, random: Random) -> Iterator[tuple[Planned, Position]]:
    missing = set(WANTED)
    while not position.over and position.v < MOST_MOVES:
        (seat,) = position.actors
        prompt = position.asked[seat].prompt
        move = _best(position.state, [move.wire() for move in prompt.legal], missing, random)
        what = move["kind"]
        if what == "respond":
            assert position.state.table
            what = f"{position.state.table.card} {move['with']}"
            missing.discard(what)
        planned = Planned(seat, prompt.stage, move, position.state, what)
        position = played(position, seat, [RULES.parse(move)]).position
        yield planned, position


def _best(state: State, legal: list[Wire], missing: set[str], random: Random) -> Wire:
    """Returns a move that brings what is missing, else one that keeps the game going."""
    if state.table:
        good = [it for it in legal if f"{state.table.card} {it['with']}" in missing]
        return good[0] if good else legal[0]
    good = [it for it in legal if it["kind"] == "play" and _brings(state, it) & missing]
    if good:
        return random.choice(good)
    return random.choice(legal) if not missing or legal[0]["kind"] == "discard" else legal[-1]


def _brings(state: State, play: Wire) -> set[str]:
    """Returns what may come of an attack."""
    hand = state.hands[play["target"]]
    fits = [card for card in ANSWERS[play["card"]] if card in hand]
    return {f"{play['card']} {card}" for card in (*fits, None)}
