"""The two halves of a turn: a card out of the hand, then a card into it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from app.games.chance import Chance
from app.games.contract import Event, IllegalMove, Step
from app.games.lost_cities.cards import COLOURS, COLUMN, VALUE, in_order, without
from app.games.lost_cities.deal import end_round
from app.games.lost_cities.moves import DECK
from app.games.lost_cities.scoring import expedition_score
from app.games.lost_cities.state import Cards, State

T = TypeVar("T")


def changed(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """Returns the pair with the value of one seat replaced."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def may_follow(expedition: Cards, card: str) -> bool:
    """Tells whether `card` goes on the expedition of its colour."""
    if not expedition:
        return True
    last = VALUE[expedition[-1]]
    # Investments count 0: they follow each other and nothing else.
    return last < VALUE[card] or last == 0


def sources(state: State) -> list[str]:
    """Returns where the mover may draw from: the deck, then the open piles by colour."""
    return [DECK] + [
        colour
        for colour, pile in zip(COLOURS, state.piles, strict=False)
        if pile and colour != state.closed
    ]


def play(state: State, card: str) -> Step[State]:
    """Plays a card of the mover's hand on its expedition."""
    seat, column = state.turn, COLUMN[card]
    own = state.expeditions[seat]
    if not may_follow(own[column], card):
        last = own[column][-1]
        code = "must_ascend" if VALUE[card] else "investment_after_number"
        raise IllegalMove(code, card=card, last=last)
    longer = (*own[column], card)
    expeditions = changed(state.expeditions, seat, (*own[:column], longer, *own[column + 1 :]))
    told = Event("played", {"seat": seat, "card": card, "score": expedition_score(longer)})
    return Step(_laid_down(state, card, expeditions=expeditions), (told,))


def discard(state: State, card: str) -> Step[State]:
    """Lays a card of the mover's hand on the pile of its colour, closed for this turn."""
    column = COLUMN[card]
    higher = (*state.piles[column], card)
    piles = (*state.piles[:column], higher, *state.piles[column + 1 :])
    told = Event("discarded", {"seat": state.turn, "card": card})
    return Step(_laid_down(state, card, piles=piles, closed=card[0]), (told,))


def draw(state: State, source: str, chance: Chance) -> Step[State]:
    """Draws a card and passes the turn; the last card of the deck ends the round."""
    if state.phase == "play":
        raise IllegalMove("play_first")
    if source == DECK:
        return _draw_from_deck(state, chance)
    column = COLOURS.index(source)
    if column >= state.colours:
        raise IllegalMove("no_such_pile", colour=source, legal=sources(state))
    if source == state.closed:
        raise IllegalMove("pile_closed", colour=source, legal=sources(state))
    if not state.piles[column]:
        raise IllegalMove("pile_empty", colour=source, legal=sources(state))
    seat = state.turn
    pile, card = state.piles[column][:-1], state.piles[column][-1]
    told = Event("drew", {"seat": seat, "from": source, "left": len(state.deck), "card": card})
    return Step(
        replace(
            state,
            turn=1 - seat,
            phase="play",
            closed=None,
            hands=changed(state.hands, seat, in_order((*state.hands[seat], card))),
            known=changed(state.known, seat, in_order((*state.known[seat], card))),
            piles=(*state.piles[:column], pile, *state.piles[column + 1 :]),
        ),
        (told,),
    )


def _draw_from_deck(state: State, chance: Chance) -> Step[State]:
    seat = state.turn
    card, deck = state.deck[0], state.deck[1:]
    told = Event(
        "drew", {"seat": seat, "from": DECK, "left": len(deck)}, secrets={seat: {"card": card}}
    )
    hands = changed(state.hands, seat, in_order((*state.hands[seat], card)))
    if not deck:
        last = end_round(replace(state, hands=hands, deck=deck), chance)
        return Step(last.state, (told, *last.events))
    following = replace(state, turn=1 - seat, phase="play", closed=None, hands=hands, deck=deck)
    return Step(following, (told,))


def _laid_down(state: State, card: str, **laid: Any) -> State:
    """Returns the state with the card out of the mover's hand, where it was laid, a draw to follow.

    `laid` are the fields of the state that tell where.
    """
    seat = state.turn
    return replace(
        state,
        phase="draw",
        hands=changed(state.hands, seat, without(state.hands[seat], card)),
        known=changed(state.known, seat, without(state.known[seat], card)),
        **laid,
    )
