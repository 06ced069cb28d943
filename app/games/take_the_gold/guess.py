"""The hidden part dealt again, as one viewer could imagine it."""

from __future__ import annotations

from dataclasses import replace

from app.games.chance import Chance
from app.games.take_the_gold.cards import COIN, NUMBER, Cards, in_order, without
from app.games.take_the_gold.ongoing import COINS_AFTER_TIE, COINS_TO_WIN
from app.games.take_the_gold.state import Known, State
from app.games.take_the_gold.view import knower

_DRAW = -1
"""The place of a card in the draw pile; other places are seats."""


def guess(state: State, viewer: int | None, chance: Chance) -> State:
    """Deals the draw pile and the hands again, except for what `viewer` knows to be there.

    A viewer knows its own hand, what it stole and was stolen, coins paid to a captain and coins
    shown. No hand gets coins with which its owner would have won, or that were not shown.
    """
    kept = tuple(
        hand if seat == viewer else known
        for seat, (hand, known) in enumerate(
            zip(state.hands, state.known[knower(state, viewer)], strict=True)
        )
    )
    hidden = in_order(state.draw)
    places = [_DRAW] * len(state.draw)
    for seat, (hand, known) in enumerate(zip(state.hands, kept, strict=True)):
        hidden += without(hand, known)
        places += [seat] * (len(hand) - len(known))
    dealt = _deal(in_order(hidden), chance.shuffled(places), _room(state, kept), chance)
    hands = tuple(
        in_order((*known, *(card for place, card in dealt if place == seat)))
        for seat, known in enumerate(kept)
    )
    draw = chance.shuffled(in_order(card for place, card in dealt if place == _DRAW))
    drawn = tuple(cards if seat == viewer else () for seat, cards in enumerate(state.drawn))
    return replace(state, hands=hands, known=_shared(state, viewer), drawn=drawn, draw=draw)


def _room(state: State, kept: tuple[Cards, ...]) -> list[int]:
    """Returns by seat how many more coins its hand may have than those in `kept`."""
    if state.coins is not None and not state.tie:
        return [0] * len(kept)
    if state.tie:
        most = COINS_AFTER_TIE - 1
    else:
        most = NUMBER[COIN] if state.advanced else COINS_TO_WIN - 1
    return [
        0 if state.won and state.won.seat == seat else most - known.count(COIN)
        for seat, known in enumerate(kept)
    ]


def _deal(
    hidden: Cards, places: tuple[int, ...], room: list[int], chance: Chance
) -> list[tuple[int, str]]:
    """Returns each hidden card with its place: coins first, to places with room for one."""
    coins = hidden.count(COIN)
    dealt: list[tuple[int, str]] = []
    left: list[int] = []
    for place in places:
        if len(dealt) < coins and (place == _DRAW or room[place]):
            if place != _DRAW:
                room[place] -= 1
            dealt.append((place, COIN))
        else:
            left.append(place)
    others = chance.shuffled(without(hidden, (COIN,) * coins))
    return [*dealt, *zip(left, others, strict=True)]


def _shared(state: State, viewer: int | None) -> Known:
    """Returns what everybody knows, as far as the viewer knows that they do.

    That is all that everybody knows, and all that others know of the viewer's own hand.
    """
    public = state.known[-1]
    return tuple(
        row
        if seat == knower(state, viewer)
        else tuple(
            cards if holder in {seat, viewer} else public[holder]
            for holder, cards in enumerate(row)
        )
        for seat, row in enumerate(state.known)
    )
