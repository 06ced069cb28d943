"""The whole truth about a game of Lost Cities at one moment."""

from __future__ import annotations

from typing import Literal

from app.games.contract import Json
from app.games.value import value

Cards = tuple[str, ...]
Phase = Literal["play", "draw", "over"]
RoundScores = tuple[tuple[int, ...], ...]
"""The points of one finished round: by seat, then by colour."""


@value
class State:
    """A state; everything in it is immutable and comparable.

    `colours` is 5 or 6, `rounds` 1 or 3, `round` counts from 1. `starter` began this round, `turn`
    is the seat to move (at the end: the seat that moved last). `closed` is the colour whose pile
    may not be drawn from now. `hands` and `known` are by seat and sorted; `known[seat]` are the
    cards of that hand which everybody has seen go there. `deck` has its top first, each of
    `piles` (by colour) its top last. `expeditions` are by seat, then by colour, oldest card first.
    `past` holds the rounds that are over and no longer on the table.
    """

    colours: int
    rounds: int
    round: int
    starter: int
    turn: int
    phase: Phase
    closed: str | None
    hands: tuple[Cards, Cards]
    known: tuple[Cards, Cards]
    deck: Cards
    expeditions: tuple[tuple[Cards, ...], tuple[Cards, ...]]
    piles: tuple[Cards, ...]
    past: tuple[RoundScores, ...]


def dump(state: State) -> Json:
    """Returns the whole state, secrets included, as plain JSON data."""
    return {
        "colours": state.colours,
        "rounds": state.rounds,
        "round": state.round,
        "starter": state.starter,
        "turn": state.turn,
        "phase": state.phase,
        "closed": state.closed,
        "hands": [list(hand) for hand in state.hands],
        "known": [list(known) for known in state.known],
        "deck": list(state.deck),
        "expeditions": [[list(cards) for cards in own] for own in state.expeditions],
        "piles": [list(pile) for pile in state.piles],
        "past": [[list(by_colour) for by_colour in scores] for scores in state.past],
    }


def load(data: Json) -> State:
    """Reads what `dump` wrote."""
    return State(
        colours=data["colours"],
        rounds=data["rounds"],
        round=data["round"],
        starter=data["starter"],
        turn=data["turn"],
        phase=data["phase"],
        closed=data["closed"],
        hands=(tuple(data["hands"][0]), tuple(data["hands"][1])),
        known=(tuple(data["known"][0]), tuple(data["known"][1])),
        deck=tuple(data["deck"]),
        expeditions=(
            tuple(tuple(cards) for cards in data["expeditions"][0]),
            tuple(tuple(cards) for cards in data["expeditions"][1]),
        ),
        piles=tuple(tuple(pile) for pile in data["piles"]),
        past=tuple(tuple(tuple(by_colour) for by_colour in scores) for scores in data["past"]),
    )
