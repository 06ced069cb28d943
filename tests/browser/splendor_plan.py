"""Games of Splendor known beforehand: rooms whose secret makes the game go as the test wants it.

The planned moves only use what people at the table see. `with_nobles` is three who help the first
seat to cards that two nobles want at once; `blocked` is two who end with nothing left to do.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.games.chance import Chance
from app.games.splendor.cards import CARDS
from app.games.splendor.payments import missing
from app.games.splendor.rules import Splendor
from app.games.splendor.state import State
from app.play.shuffle import game_seed
from tests.browser import splendor_helpers as helpers
from tests.games.splendor.positions import back, blind, has, take, tokens

Wire = dict[str, Any]
Line = Iterator[tuple["Planned", State]]
RULES = Splendor()
OPTIONS: dict[str, Any] = {"target": 10, "loose_take": False, "first": 0}
MOST_MOVES = 110
WANTED = {"take three", "take two", "reserve", "reserve blind", "buy", "return", "choose_noble"}
NO_CHANCE = Chance(bytes(32), 0)


@dataclass(frozen=True)
class Planned:
    """One move: who makes it, at which stage and state, and in how many ways it can be paid."""

    seat: int
    stage: str
    move: Wire
    state: State
    payments: int = 1

    @property
    def kind(self) -> str:
        """The kind of move as a player would call it."""
        if self.move["kind"] == "take":
            return "take two" if len(set(self.move["gems"])) == 1 else "take three"
        if self.payments > 1:
            return "pay"
        return "reserve blind" if "deck" in self.move else str(self.move["kind"])


@dataclass(frozen=True)
class Plan:
    """A game: the room's code and secret, every move, and the state after the last one."""

    code: str
    secret: bytes
    moves: tuple[Planned, ...]
    end: State

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.end.players)

    @property
    def kinds(self) -> set[str]:
        """The kinds of moves that are made in it."""
        return {move.kind for move in self.moves}

    def first(self, kind: str) -> int:
        """Returns the number of the first move of that kind; `pay` is a buy with a choice."""
        return next(n for n, move in enumerate(self.moves) if move.kind == kind)


@cache
def with_nobles(code: str) -> Plan:
    """Three play to ten points; the first seat chooses between two nobles on the way."""
    return search(code, 3, _gathered, lambda plan: plan.kinds >= {*WANTED, "pay"})


@cache
def blocked(code: str) -> Plan:
    """Two take all gems, reserve three cards each and pass: the shortest game there is."""
    return search(code, 2, _hoarded, lambda plan: "pass" in plan.kinds)


def search(
    code: str, seats: int, line: Callable[[State], Line], good: Callable[[Plan], bool]
) -> Plan:
    """Tries one secret after the other, so that the same code always gives the same plan."""
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
        state = RULES.setup(seats, OPTIONS, Chance(seed, 0)).state
        moves = []
        for moved, next_state in line(state):
            moves.append(moved)
            state = next_state
        plan = Plan(code, secret, tuple(moves), state)
        if state.stage == "over" and good(plan):
            return plan
    raise AssertionError


def _gathered(state: State) -> Line:
    pair = helpers.pair(state)
    if pair is None:
        return
    while state.stage != "over" and state.round < MOST_MOVES // 3:
        prompt = RULES.prompt(state, state.turn)
        assert prompt is not None
        legal = [move.wire() for move in prompt.legal]
        move = helpers.Mind(state, pair).best(legal)
        ways = [it for it in legal if it["kind"] == "buy" and it["card"] == move.get("card")]
        paying = move["kind"] == "buy" and len(ways) > 1
        yield made(state, prompt.stage, ways[-1] if paying else move, len(ways) if paying else 1)
        state = after(state, ways[-1] if paying else move)


def _hoarded(state: State) -> Line:
    rich = (tokens(white=4, blue=4, green=2), tokens(green=2, red=4, black=4))
    lying = [n for row in state.market for n in row if n is not None]
    if not all(missing(CARDS[n].cost, has(held)) for held in rich for n in lying):
        return
    mine, theirs = ("white", "blue", "green"), ("green", "red", "black")
    takes = [take("white", "white"), take("red", "red"), take("blue", "blue")]
    takes += [take("black", "black"), take(*mine), take(*theirs), take(*mine), take(*theirs)]
    hides = [blind(3), back(gold=1)] * 6
    for move in (*takes, *hides, {"kind": "pass"}, {"kind": "pass"}):
        prompt = RULES.prompt(state, state.turn)
        assert prompt is not None
        yield made(state, prompt.stage, move, 1)
        state = after(state, move)


def made(state: State, stage: str, move: Wire, payments: int) -> tuple[Planned, State]:
    """Returns a move as a part of a plan, and the state after it."""
    return Planned(state.turn, stage, move, state, payments), after(state, move)


def after(state: State, move: Wire) -> State:
    """Returns the state after a move of the seat whose turn it is."""
    return RULES.apply(state, state.turn, RULES.parse(move), NO_CHANCE).state
