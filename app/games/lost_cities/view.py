"""What each viewer may know."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.contract import Json, View
from app.games.lost_cities.cards import COLOURS, in_order
from app.games.lost_cities.scoring import expedition_score
from app.games.lost_cities.state import State


def view(state: State, viewer: int | None) -> View:
    """Returns the view of one seat, or of a spectator (`None`).

    Only `hand` (own, sorted; empty for a spectator) and `seat` differ between viewers.
    """
    colours = COLOURS[: state.colours]
    expeditions, scores, totals = [], [], []
    for own in state.expeditions:
        started: dict[str, Json] = {}
        points: dict[str, Json] = {}
        for colour, cards in zip(colours, own, strict=True):
            if cards:
                started[colour] = list(cards)
                points[colour] = expedition_score(cards)
        expeditions.append(started)
        scores.append(points)
        totals.append(sum(points.values()))
    return {
        "seat": viewer,
        "phase": state.phase,
        "turn": None if state.phase == "over" else state.turn,
        "round": state.round,
        "rounds": state.rounds,
        "colours": list(colours),
        "deck": len(state.deck),
        "hand": [] if viewer is None else list(state.hands[viewer]),
        "hands": [len(hand) for hand in state.hands],
        "expeditions": expeditions,
        "scores": scores,
        "totals": totals,
        "piles": {
            colour: {"top": pile[-1] if pile else None, "size": len(pile)}
            for colour, pile in zip(colours, state.piles, strict=True)
        },
        "closed": state.closed,
        "past": [[sum(by_colour) for by_colour in by_seat] for by_seat in state.past],
    }


def guess(state: State, viewer: int | None, chance: Chance) -> State:
    """Deals the deck and the hands again, except for the cards that `viewer` knows to be there.

    A viewer knows its own hand, and of each hand the cards that were taken openly from a pile or
    played and taken back.
    """
    kept = tuple(
        hand if seat == viewer else known
        for seat, (hand, known) in enumerate(zip(state.hands, state.known, strict=True))
    )
    hidden = [*state.deck, *state.hands[0], *state.hands[1]]
    for card in kept[0] + kept[1]:
        hidden.remove(card)
    dealt = chance.shuffled(in_order(tuple(hidden)))
    end = len(state.hands[0]) - len(kept[0])
    deck = len(dealt) - len(state.deck)
    hands = (in_order(kept[0] + dealt[:end]), in_order(kept[1] + dealt[end:deck]))
    return replace(state, hands=hands, deck=dealt[deck:])
