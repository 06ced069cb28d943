"""What a card costs a player, and the ways to pay it with and without gold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from app.games.contract import IllegalMove
from app.games.splendor.cards import CARDS
from app.games.splendor.gems import COLOURS, GOLD_INDEX, Count, some
from app.games.splendor.scoring import bonuses
from app.games.splendor.state import Player


@lru_cache(maxsize=16384)
def price(card: int, owned: Count) -> Count:
    """Returns what a card costs by colour once the bonuses `owned` are taken off."""
    v, w, x, y, z = CARDS[card].cost
    a, b, c, d, e = owned
    return (
        v - a if v > a else 0,
        w - b if w > b else 0,
        x - c if x > c else 0,
        y - d if y > d else 0,
        z - e if z > e else 0,
    )


def least_gold(owed: Count, tokens: Count) -> Count:
    """Returns by colour what the tokens of the colour do not cover."""
    v, w, x, y, z = owed
    a, b, c, d, e, _ = tokens
    return (
        v - a if v > a else 0,
        w - b if w > b else 0,
        x - c if x > c else 0,
        y - d if y > d else 0,
        z - e if z > e else 0,
    )


def payments(owed: Count, tokens: Count) -> tuple[Count, ...]:
    """Returns every way to pay, as the gold for each colour, least gold first; () if none."""
    least = least_gold(owed, tokens)
    spare = tokens[GOLD_INDEX] - sum(least)
    if spare < 0:
        return ()
    if spare == 0 or least == owed:
        return (least,)
    return _choices(least, owed, spare)


@lru_cache(maxsize=1024)
def _choices(least: Count, owed: Count, spare: int) -> tuple[Count, ...]:
    """Returns all counts from `least` to `owed` that exceed `least` by `spare` at most in sum."""
    # The sort is stable: within one sum, earlier colours are kept for tokens first.
    return tuple(sorted(_counts(least, owed, spare), key=sum))


def _counts(least: Count, owed: Count, spare: int) -> Iterator[Count]:
    if not least:
        yield ()
        return
    for more in range(min(owed[0] - least[0], spare) + 1):
        for rest in _counts(least[1:], owed[1:], spare - more):
            yield (least[0] + more, *rest)


def paid(owed: Count, gold: Count) -> Count:
    """Returns the tokens that leave the player who pays `gold` by colour for what is owed."""
    colours = tuple(price - by_gold for price, by_gold in zip(owed, gold, strict=True))
    return (*colours, sum(gold))


def check(player: Player, card: int, gold: Count) -> Count:
    """Returns the tokens paid for a card with this much gold.

    Raises `IllegalMove`: `cannot_pay` (no payment is possible), `gold_not_owed`,
    `not_enough_gold`, `not_enough_tokens`.
    """
    owed = price(card, bonuses(player.cards))
    if not payments(owed, player.tokens):
        raise IllegalMove("cannot_pay", card=card, price=some(owed), missing=missing(owed, player))
    for index, colour in enumerate(COLOURS):
        if gold[index] > owed[index]:
            raise IllegalMove("gold_not_owed", card=card, colour=colour, owed=owed[index])
    if sum(gold) > player.tokens[GOLD_INDEX]:
        raise IllegalMove("not_enough_gold", needed=sum(gold), held=player.tokens[GOLD_INDEX])
    cost = paid(owed, gold)
    for index, colour in enumerate(COLOURS):
        if cost[index] > player.tokens[index]:
            raise IllegalMove(
                "not_enough_tokens", colour=colour, needed=cost[index], held=player.tokens[index]
            )
    return cost


def missing(owed: Count, player: Player) -> dict[str, int]:
    """Returns by colour what the player's tokens do not cover; gold would have to."""
    return some(least_gold(owed, player.tokens))


def with_least_gold(player: Player, card: int) -> Count | None:
    """Returns the payment with the least gold, or None if the player cannot pay."""
    owed = price(card, bonuses(player.cards))
    least = least_gold(owed, player.tokens)
    return least if sum(least) <= player.tokens[GOLD_INDEX] else None
