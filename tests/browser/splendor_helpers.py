"""How three play Splendor who want the first seat to be visited by two nobles at once."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

from app.games.splendor.cards import CARDS, NOBLES
from app.games.splendor.gems import COLOURS
from app.games.splendor.nobles import satisfied
from app.games.splendor.payments import price
from app.games.splendor.scoring import bonuses, points
from app.games.splendor.state import State

BUILDER = 0
Wire = dict[str, Any]


def pair(state: State) -> tuple[int, int] | None:
    """Returns two nobles that one card can satisfy at once: they want as many of one colour."""
    for one, other in itertools.combinations(state.nobles, 2):
        both = zip(NOBLES[one].needs, NOBLES[other].needs, strict=True)
        if any(a and a == b for a, b in both) and len(_needs((one, other))) <= 4:
            return one, other
    return None


def _needs(nobles: tuple[int, int]) -> Counter[str]:
    needs: Counter[str] = Counter()
    for number in nobles:
        needs |= Counter(dict(zip(COLOURS, NOBLES[number].needs, strict=True)))
    return +needs


class Mind:
    """What all three aim at in one position: the first seat's next card."""

    def __init__(self, state: State, nobles: tuple[int, int]) -> None:
        self.state = state
        self.builder = state.players[BUILDER]
        self.owned = bonuses(self.builder.cards)
        self.lacking = _needs(nobles) - Counter(dict(zip(COLOURS, self.owned, strict=True)))
        market = [n for row in state.market for n in row if n is not None]
        own = [kept.card for kept in self.builder.reserved]
        self.wanted = [n for n in own + market if self._fits(n)]
        self.aim = min(self.wanted, key=self._cost, default=None)
        self.short = {} if self.aim is None else self._short(self.aim)

    def best(self, legal: list[Wire]) -> Wire:
        """Returns the move to make."""
        return max(legal, key=self._builds if self.state.turn == BUILDER else self._helps)

    def _fits(self, number: int) -> bool:
        """A card that is lacking, and satisfies none or both of the nobles."""
        if not self.lacking:
            return True
        after = list(self.owned)
        after[COLOURS.index(CARDS[number].bonus)] += 1
        alone = len(satisfied(self.state.nobles, tuple(after))) == 1
        return CARDS[number].bonus in self.lacking and not alone

    def _short(self, number: int) -> dict[str, int]:
        owed, held = price(number, self.owned), self.builder.tokens
        return {c: owed[at] - held[at] for at, c in enumerate(COLOURS) if owed[at] > held[at]}

    def _cost(self, number: int) -> tuple[float, int]:
        missing = sum(self._short(number).values()) - self.builder.tokens[-1]
        worth = 0 if self.lacking else CARDS[number].points
        return missing - 1.5 * worth, sum(price(number, self.owned))

    def _demand(self, colour: str) -> int:
        if colour == "gold":
            return 14
        at = COLOURS.index(colour)
        later = sum(price(number, self.owned)[at] for number in self.wanted)
        return 5 * self.short.get(colour, 0) + later

    def _builds(self, move: Wire) -> float:
        if move["kind"] == "buy":
            return 100 - self._cost(move["card"])[1] if move["card"] in self.wanted else -50
        if move["kind"] == "take":
            gems: Counter[str] = Counter(move["gems"])
            use = sum(min(n, self.short.get(c, 0)) for c, n in gems.items())
            return 10 * use + sum(map(self._demand, gems)) / 100 + gems.total() / 10
        if move["kind"] == "reserve":
            return 12 if move.get("card") == self.aim and sum(self.short.values()) > 1 else -20
        given: dict[str, int] = move.get("tokens", {})
        return -sum(n * self._demand(c) for c, n in given.items())

    def _helps(self, move: Wire) -> float:
        me = self.state.players[self.state.turn]
        card = CARDS[move["card"]] if "card" in move else None
        if move["kind"] == "buy" and card:
            much = points(me) + card.points > 6
            return 40 - 60 * (move["card"] in self.wanted) - 9 * card.points - 30 * much
        if move["kind"] == "take":
            return 20 - sum(map(self._demand, move["gems"])) + 2 * (len(set(move["gems"])) == 1)
        if move["kind"] == "reserve" and card:
            dull = card.level == 1 and card.bonus not in self.lacking
            return (18 if len(self.wanted) < 3 else 5) if dull else -20
        if move["kind"] == "reserve":
            return 2 - move["deck"] if any(kept.blind for kept in me.reserved) else 15
        given: dict[str, int] = move.get("tokens", {})
        return sum(n * (self._demand(c) - 20 * (c == "gold")) for c, n in given.items())
