"""The only source of randomness in a game: HMAC-SHA256 in counter mode.

`Chance(seed, k)` gives the same numbers on every machine, for ever. `k` is the number of earlier
entries of the journal that drew. The exact recipe is in docs/protocol.md; `app verify` and the
verify page follow it independently.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from struct import Struct
from typing import Any, TypeVar

T = TypeVar("T")

Draw = dict[str, Any]
"""What was asked of chance and what it gave, as plain data: see `Chance.drawn`."""

_WORD = 8
_WORDS_END = 1 << 64
_FOUR_WORDS = Struct(">4Q")


class Chance:
    """A stream of fair numbers for one entry of the journal.

    Block `c` of the stream is `HMAC-SHA256(seed, k || c)`, both as 8 big-endian bytes; it is cut
    into four 64-bit big-endian words. `used` tells whether anything was drawn.

    `drawn` lists all that was asked, in order: `{"below": 6, "gives": 2}`,
    `{"shuffled": [...], "gives": [...]}`, `{"of": [...], "sample": 2, "gives": [...]}`. Records
    show it, so that whoever knows the seed can draw the same without knowing the rules.
    """

    __slots__ = ("_counter", "_k", "_seed", "_words", "drawn", "used")

    def __init__(self, seed: bytes, k: int) -> None:
        self._seed = seed
        self._k = k.to_bytes(_WORD, "big")
        self._counter = 0
        self._words: list[int] = []
        self.drawn: list[Draw] = []
        self.used = False

    def _next_block(self) -> list[int]:
        text = self._k + self._counter.to_bytes(_WORD, "big")
        block = hmac.digest(self._seed, text, hashlib.sha256)
        self._counter += 1
        # Reversed, so that pop() takes the words in the order of the block.
        self._words = [*_FOUR_WORDS.unpack(block)][::-1]
        return self._words

    def below(self, end: int) -> int:
        """Draws a whole number from 0 to `end` - 1, each equally likely.

        Takes words until one lies under the greatest multiple of `end` (rejection sampling), so
        there is no bias. Raises ValueError if `end` is not from 1 to 2**64.
        """
        if not 1 <= end <= _WORDS_END:
            raise ValueError(f"expected a bound from 1 to 2**64, got {end}")
        number = self._below(end)
        self.drawn.append({"below": end, "gives": number})
        return number

    def _below(self, end: int) -> int:
        self.used = True
        fair_end = _WORDS_END - _WORDS_END % end
        while True:
            word = (self._words or self._next_block()).pop()
            if word < fair_end:
                return word % end

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Returns the items in random order (Fisher-Yates from the last place down).

        Bring the items into canonical order first, so that no history leaks through the shuffle.
        """
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self._below(last + 1)
            order[last], order[other] = order[other], order[last]
        self.drawn.append({"shuffled": list(items), "gives": order})
        return tuple(order)

    def sample(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Returns `count` of the items, drawn without putting back, in the order drawn."""
        if count > len(items):
            raise ValueError(f"expected at most {len(items)} items to draw, got {count}")
        rest = list(items)
        taken = [rest.pop(self._below(len(rest))) for _ in range(count)]
        self.drawn.append({"of": list(items), "sample": count, "gives": taken})
        return tuple(taken)

    def pick(self, items: Sequence[T]) -> T:
        """Returns one of the items."""
        return items[self.below(len(items))]
