"""Games of Splendor by chance, known beforehand: four at a table, and two who win together."""

from __future__ import annotations

from functools import cache
from random import Random

from app.games.splendor.state import State
from tests.browser.splendor_plan import RULES, Line, Plan, Wire, made, search

BUYS = 0.8
"""How often somebody buys who can: else games go on for very long."""


@cache
def four(code: str) -> Plan:
    """Four play, each of whom reserves something on the way."""
    return search(code, 4, _likely, _all_reserve)


@cache
def shared(code: str) -> Plan:
    """Two end with as many points and as many cards."""
    return search(code, 2, _likely, _won_together)


def _all_reserve(plan: Plan) -> bool:
    hidden = {move.seat for move in plan.moves if move.kind == "reserve blind"}
    return hidden == set(range(plan.seats)) and plan.kinds >= {"pay", "return"}


def _won_together(plan: Plan) -> bool:
    outcome = RULES.outcome(plan.end)
    return outcome is not None and outcome.ranking == (1, 1) and outcome.reason == "target"


def _likely(state: State) -> Line:
    random = Random(str(state.decks))
    while state.stage != "over":
        prompt = RULES.prompt(state, state.turn)
        assert prompt is not None
        kinds: dict[str, list[Wire]] = {}
        for move in prompt.legal:
            wire = move.wire()
            kinds.setdefault(wire["kind"], []).append(wire)
        buys = "buy" in kinds and random.random() < BUYS
        move_now = random.choice(kinds["buy" if buys else random.choice(list(kinds))])
        ways = [it for it in kinds.get("buy", []) if it["card"] == move_now.get("card")]
        paying = len(ways) if move_now["kind"] == "buy" else 1
        planned, state = made(state, prompt.stage, move_now, paying)
        yield planned, state
