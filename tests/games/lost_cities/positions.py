"""Short ways to set up a position and to make moves in it.

Cards are written as in the rules, several with spaces between: `"Y$ Y2 R10"`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Literal

from app.games.chance import Chance
from app.games.contract import IllegalMove, Step
from app.games.lost_cities.cards import COLOURS, full_deck, in_order
from app.games.lost_cities.rules import LostCities
from app.games.lost_cities.state import State

GAME = LostCities()
OPTIONS: dict[str, Any] = {"colours": 5, "rounds": 1, "first": 0}
SEED = bytes(range(32))


def chance(k: int = 1) -> Chance:
    return Chance(SEED, k)


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def new_game(seed: bytes = SEED, **options: Any) -> State:
    return GAME.setup(2, OPTIONS | options, Chance(seed, 0)).state


def position(
    hand: str = "",
    other: str = "",
    *,
    mine: str = "",
    theirs: str = "",
    piles: str = "",
    deck: str | None = None,
    **fields: Any,
) -> State:
    """A position of 5 colours with seat 0 to move.

    `mine` and `theirs` are expeditions, oldest card first, `piles` discards, oldest first. `deck`,
    top first, is what is left of the 60 (or 72) cards in canonical order unless given.
    """
    state = replace(new_game(), turn=0, **fields)
    left = Counter(full_deck(state.colours))
    left.subtract(Counter(cards(f"{hand} {other} {mine} {theirs} {piles}")))
    if min(left.values()) < 0:
        raise ValueError(f"too many of {[card for card, count in left.items() if count < 0]}")
    return replace(
        state,
        hands=(in_order(cards(hand)), in_order(cards(other))),
        expeditions=(_by_colour(mine, state), _by_colour(theirs, state)),
        piles=_by_colour(piles, state),
        deck=tuple(left.elements()) if deck is None else cards(deck),
    )


def _by_colour(text: str, state: State) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(card for card in cards(text) if card[0] == colour)
        for colour in COLOURS[: state.colours]
    )


def wire(text: str) -> dict[str, str]:
    """`"play R7"`, `"discard B$"`, `"draw deck"` as wire data."""
    kind, what = text.split()
    return {"kind": kind, "from" if kind == "draw" else "card": what}


def step(state: State, text: str, seat: int | None = None, by: Chance | None = None) -> Step[State]:
    """Makes one move, by the seat to move unless another is named."""
    mover = state.turn if seat is None else seat
    return GAME.apply(state, mover, GAME.parse(wire(text)), by or chance())


def after(state: State, *moves: str) -> State:
    """Makes the moves in order, each by the seat to move then."""
    for text in moves:
        state = step(state, text).state
    return state


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """Returns the code a move is refused with, or `"ok"`."""
    try:
        step(state, text, seat)
    except IllegalMove as illegal:
        return illegal.code
    return "ok"


def legal(state: State) -> list[str]:
    """Returns the legal moves of the seat to move, in their order."""
    prompt = GAME.prompt(state, state.turn)
    assert prompt is not None
    return [" ".join(move.wire().values()) for move in prompt.legal]


Viewer = Literal[0, 1] | None
VIEWERS: tuple[Viewer, ...] = (0, 1, None)
