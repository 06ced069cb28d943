"""A step under way: the state so far, the chance it uses and the events it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.games.chance import Chance
from app.games.contract import Event, Json, Step
from app.games.take_the_gold import knowledge
from app.games.take_the_gold.cards import COIN, Cards, in_order, without
from app.games.take_the_gold.state import State, Won

COINS_TO_WIN = 4
COINS_AFTER_TIE = 2
NEW_HAND = 2
"""The cards drawn for an empty hand."""


class Ongoing:
    """What the parts of one step work on; `state` is replaced, never changed."""

    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.state.won is not None

    def step(self, *, barrier: bool = False) -> Step[State]:
        """Returns what has come of it."""
        return Step(self.state, tuple(self.events), barrier)

    def set(self, **changes: Any) -> None:
        """Replaces fields of the state."""
        self.state = replace(self.state, **changes)

    def tell(
        self, kind: str, facts: Mapping[str, Json], secrets: Mapping[int, Cards] | None = None
    ) -> None:
        """Adds an event; `secrets` are the cards that single seats are told."""
        told = {seat: {"cards": list(in_order(cards))} for seat, cards in (secrets or {}).items()}
        self.events.append(Event(kind, facts, told))

    def take(self, seat: int, cards: Cards) -> None:
        """Takes cards out of a hand."""
        self._hold(seat, without(self.state.hands[seat], cards))

    def give(self, seat: int, cards: Cards) -> None:
        """Puts cards into a hand."""
        self._hold(seat, in_order((*self.state.hands[seat], *cards)))

    def _hold(self, seat: int, hand: Cards) -> None:
        self.set(hands=_changed(self.state.hands, seat, hand))

    def take_openly(self, seat: int, cards: Cards) -> None:
        """Takes cards out of a hand for all to see."""
        self.take(seat, cards)
        self.set(known=knowledge.gone(self.state.known, seat, cards))

    def discard(self, cards: Cards) -> None:
        """Lays cards on the discard pile."""
        self.set(discards=in_order((*self.state.discards, *cards)))

    def clear_table(self) -> None:
        """Lays the attack and its answer on the discard pile, if they still lie on the table."""
        table = self.state.table
        if table:
            self.discard((table.card, *((table.answer,) if table.answer else ())))
            self.set(table=None)

    def draw(self, seat: int, count: int, why: str) -> None:
        """Draws cards from the draw pile into a hand, and shuffles when its last one is drawn."""
        drawn: Cards = ()
        while len(drawn) < count:
            cards = self.state.draw[: count - len(drawn)]
            drawn = in_order((*drawn, *cards))
            self.give(seat, cards)
            self.set(
                draw=self.state.draw[len(cards) :],
                drawn=_changed(self.state.drawn, seat, drawn),
            )
            self._tell_drawn(seat, cards, why)
            if not self.state.draw:
                self._reshuffle()

    def _tell_drawn(self, seat: int, cards: Cards, why: str) -> None:
        left = len(self.state.draw)
        facts = {"seat": seat, "why": why, "count": len(cards), "left": left}
        self.tell("drew", facts, {seat: cards})

    def _reshuffle(self) -> None:
        self.set(draw=self.chance.shuffled(self.state.discards), discards=())
        self.tell("reshuffled", {"cards": len(self.state.draw)})

    def changed(self, receiver: int | None = None) -> None:
        """Does what follows a whole change of hands.

        The receiver's coins are looked at first, then empty hands draw, then their coins.
        """
        if receiver is not None:
            self.look(receiver)
        for seat in self.state.after(self.state.turn):
            if not self.over and not self.state.hands[seat]:
                self.draw(seat, NEW_HAND, "empty")
                self.look(seat)

    def look(self, seat: int) -> None:
        """Ends the game if a seat now holds the coins that win at once."""
        state = self.state
        if state.tie:
            if self.coins(seat) >= COINS_AFTER_TIE:
                self.win(seat, "two_coins")
        elif not state.advanced and self.coins(seat) >= COINS_TO_WIN:
            self.win(seat, "four_coins")

    def coins(self, seat: int) -> int:
        """Returns the coins in a hand."""
        return self.state.hands[seat].count(COIN)

    def win(self, seat: int, how: str) -> None:
        """Ends the game: the winner shows the coins."""
        coins = self.coins(seat)
        known = knowledge.shown(self.state.known, seat, (COIN,) * coins)
        self.set(stage="over", won=Won(seat, coins), known=known)
        self.tell("won", {"seat": seat, "coins": coins, "how": how})


def _changed(by_seat: tuple[Cards, ...], seat: int, cards: Cards) -> tuple[Cards, ...]:
    return (*by_seat[:seat], cards, *by_seat[seat + 1 :])
