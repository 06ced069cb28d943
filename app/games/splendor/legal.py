"""All legal moves of the seat to move, each once, in one order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from app.games.contract import Prompt
from app.games.splendor import ends, nobles, payments, takes
from app.games.splendor.actions import MOST_RESERVED
from app.games.splendor.cards import CARDS, LEVELS, NOBLES
from app.games.splendor.gems import GOLD_INDEX, Count
from app.games.splendor.moves import (
    Buy,
    ChooseNoble,
    Move,
    Pass,
    Reserve,
    ReserveBlind,
    Return,
)
from app.games.splendor.scoring import bonuses
from app.games.splendor.state import State

_RESERVES = tuple(Reserve(card) for card in range(len(CARDS)))
_BLIND = tuple(ReserveBlind(level) for level in LEVELS)
_NOBLES = tuple(ChooseNoble(noble) for noble in range(len(NOBLES)))
_PASS = Pass()


def prompt(state: State) -> Prompt[Move]:
    """Returns the question to the seat to move: `take`, `pass`, `return` or `choose_noble`."""
    if state.stage == "return":
        held = state.players[state.turn].tokens
        return Prompt("return", _returns(held, ends.surplus(state)))
    if state.stage == "choose_noble":
        waiting = nobles.waiting(state)
        return Prompt("choose_noble", tuple(_NOBLES[noble] for noble in waiting))
    moves = actions(state)
    return Prompt("take", moves) if moves else Prompt("pass", (_PASS,))


def actions(state: State) -> tuple[Move, ...]:
    """Returns the legal actions: takes, buys, reserves of the market, reserves of decks."""
    return (
        *takes.takes(state.bank, loose=state.loose),
        *_buys(state),
        *_reserves(state),
    )


def _buys(state: State) -> list[Move]:
    """Returns the buys by level and place, then of the own reserve; least gold first."""
    player = state.players[state.turn]
    owned = bonuses(player.cards)
    market = [card for row in state.market for card in row if card is not None]
    return [
        _buy(card, gold)
        for card in (*market, *[reserved.card for reserved in player.reserved])
        for gold in payments.payments(payments.price(card, owned), player.tokens)
    ]


@lru_cache(maxsize=8192)
def _buy(card: int, gold: Count) -> Buy:
    return Buy(card, gold)


def _reserves(state: State) -> list[Move]:
    if len(state.players[state.turn].reserved) >= MOST_RESERVED:
        return []
    moves: list[Move] = [_RESERVES[c] for row in state.market for c in row if c is not None]
    moves += [move for move, deck in zip(_BLIND, state.decks, strict=True) if deck]
    return moves


@lru_cache(maxsize=512)
def _returns(held: Count, number: int) -> tuple[Move, ...]:
    """Returns every way to give back `number` tokens; gold is kept as long as possible."""
    by_gold = sorted(_parts(held, number), key=lambda tokens: tokens[GOLD_INDEX])
    return tuple(Return(tokens) for tokens in by_gold)


def _parts(held: Count, number: int) -> Iterator[Count]:
    """Yields all counts of `number` tokens in sum, none of them above what is held."""
    if len(held) == 1:
        if number <= held[0]:
            yield (number,)
        return
    for first in range(min(held[0], number), -1, -1):
        for rest in _parts(held[1:], number - first):
            yield (first, *rest)
