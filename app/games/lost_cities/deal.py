"""The start of a round and its end."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Event, Step
from app.games.lost_cities.cards import COLOURS, full_deck, in_order
from app.games.lost_cities.scoring import column_scores
from app.games.lost_cities.state import RoundScores, State

HAND = 8
SEATS = 2


def deal(
    colours: int, rounds: int, starter: int, past: tuple[RoundScores, ...], chance: Chance
) -> Step[State]:
    """Returns a fresh round: 8 cards to each seat, seat 0 first, the rest of the deck left."""
    cards = chance.shuffled(full_deck(colours))
    state = State(
        colours=colours,
        rounds=rounds,
        round=len(past) + 1,
        starter=starter,
        turn=starter,
        phase="play",
        closed=None,
        hands=(in_order(cards[:HAND]), in_order(cards[HAND : 2 * HAND])),
        known=((), ()),
        deck=cards[2 * HAND :],
        expeditions=(((),) * colours, ((),) * colours),
        piles=((),) * colours,
        past=past,
    )
    return Step(state, (Event("dealt", {"round": state.round, "starts": starter}),))


def end_round(state: State, chance: Chance) -> Step[State]:
    """Scores the round whose deck has run out; deals the next one, or ends the game."""
    scores = tuple(column_scores(own) for own in state.expeditions)
    told = Event(
        "round_over",
        {
            "round": state.round,
            "scores": [_started(state, seat, scores) for seat in range(SEATS)],
            "totals": [sum(by_colour) for by_colour in scores],
        },
    )
    if state.round == state.rounds:
        return Step(replace(state, phase="over", closed=None), (told,))
    past = (*state.past, scores)
    starter = next_starter(past, state.starter)
    step = deal(state.colours, state.rounds, starter, past, chance)
    return Step(step.state, (told, *step.events))


def next_starter(past: tuple[RoundScores, ...], last: int) -> int:
    """Returns who starts the next round: more points so far, on a tie not the last starter."""
    mine, theirs = (sum(sum(scores[seat]) for scores in past) for seat in range(SEATS))
    if mine == theirs:
        return 1 - last
    return 0 if mine > theirs else 1


def _started(state: State, seat: int, scores: RoundScores) -> dict[str, int]:
    return {
        COLOURS[column]: scores[seat][column]
        for column, cards in enumerate(state.expeditions[seat])
        if cards
    }
