"""The numbers of `Chance`: the recipe followed independently, bounds, fairness, fixed vectors."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from app.games.chance import Chance
from app.games.registry import GAMES
from tests.conformance.driver import default_options

SEED = bytes(range(32))

FIXED_NUMBERS = [497, 774, 841, 56, 838, 925, 427, 324]
FIXED_ORDER = (4, 2, 11, 3, 0, 9, 1, 7, 10, 8, 5, 6)
FIXED_SAMPLE = ("f", "d", "h")


def words(seed: bytes, k: int) -> Iterator[int]:
    """The stream of 64-bit words, by the letter of the recipe."""
    c = 0
    while True:
        text = k.to_bytes(8, "big") + c.to_bytes(8, "big")
        block = hmac.new(seed, text, hashlib.sha256).digest()
        for at in range(0, 32, 8):
            yield int.from_bytes(block[at : at + 8], "big")
        c += 1


def numbers(stream: Iterator[int], end: int) -> Iterator[int]:
    """Fair numbers below `end`: words that would bias the remainder are passed over."""
    for word in stream:
        if word < 2**64 - 2**64 % end:
            yield word % end


@pytest.mark.parametrize("seed", [SEED, b"", b"x" * 100])
@pytest.mark.parametrize("k", [0, 1, 255, 2**40])
@pytest.mark.parametrize("end", [1, 2, 6, 60, 2**32, 2**63 + 1, 2**64 - 1, 2**64])
def test_numbers_follow_the_recipe(seed: bytes, k: int, end: int) -> None:
    chance = Chance(seed, k)
    drawn = [chance.below(end) for _ in range(50)]
    assert drawn == list(islice(numbers(words(seed, k), end), 50))
    assert all(0 <= number < end for number in drawn)


def test_the_numbers_are_the_same_for_ever() -> None:
    chance = Chance(SEED, 7)
    assert [chance.below(1000) for _ in range(8)] == FIXED_NUMBERS
    assert Chance(SEED, 8).shuffled(range(12)) == FIXED_ORDER
    assert Chance(SEED, 9).sample("abcdefgh", 3) == FIXED_SAMPLE


def test_words_that_would_bias_are_passed_over() -> None:
    end = 2**63 + 1
    stream = list(islice(words(SEED, 3), 40))
    kept = [word for word in stream if word < end]
    assert len(kept) < len(stream)
    chance = Chance(SEED, 3)
    assert [chance.below(end) for _ in kept] == kept


@pytest.mark.parametrize("end", [0, -1, 2**64 + 1])
def test_an_impossible_bound_is_refused(end: int) -> None:
    chance = Chance(SEED, 0)
    with pytest.raises(ValueError, match="bound"):
        chance.below(end)
    assert not chance.used


def test_shuffling_is_fisher_yates_from_the_last_place_down() -> None:
    order = list(range(60))
    stream = words(SEED, 5)
    for last in range(59, 0, -1):
        other = next(numbers(stream, last + 1))
        order[last], order[other] = order[other], order[last]
    assert Chance(SEED, 5).shuffled(range(60)) == tuple(order)


def test_shuffling_leaves_its_argument_alone() -> None:
    items = [3, 1, 2]
    assert sorted(Chance(SEED, 0).shuffled(items)) == [1, 2, 3]
    assert items == [3, 1, 2]


def test_a_sample_is_drawn_without_putting_back() -> None:
    drawn = Chance(SEED, 0).sample(range(10), 10)
    assert sorted(drawn) == list(range(10))
    assert Chance(SEED, 0).sample(range(10), 0) == ()
    with pytest.raises(ValueError, match="at most 3"):
        Chance(SEED, 0).sample("abc", 4)


def test_a_pick_is_one_of_the_items() -> None:
    assert {Chance(SEED, k).pick("abc") for k in range(50)} == {"a", "b", "c"}


def test_used_tells_whether_anything_was_drawn() -> None:
    chance = Chance(SEED, 0)
    chance.shuffled([1])
    chance.sample([1], 0)
    assert not chance.used
    chance.below(1)
    assert chance.used


def test_each_entry_has_a_stream_of_its_own() -> None:
    streams = {Chance(SEED, k).shuffled(range(20)) for k in range(500)}
    assert len(streams) == 500


def _places_are_fair(shuffles: int, cards: int) -> None:
    seen: Counter[tuple[int, int]] = Counter()
    for k in range(shuffles):
        seen.update(enumerate(Chance(SEED, k).shuffled(range(cards))))
    share = 1 / cards
    sigma = math.sqrt(shuffles * share * (1 - share))
    for place in range(cards):
        for card in range(cards):
            assert abs(seen[place, card] - shuffles * share) < 4 * sigma, (place, card)


def test_each_card_comes_in_each_place() -> None:
    _places_are_fair(shuffles=20_000, cards=12)


@pytest.mark.faults
def test_each_card_comes_in_each_place_of_a_million_shuffles() -> None:
    _places_are_fair(shuffles=1_000_000, cards=12)


ALL_DEALS = {"gold_hunting": 12}
"""Games with fewer than a thousand deals: here three tokens for three places, and who begins."""


@pytest.mark.parametrize("key", list(GAMES))
def test_a_thousand_seeds_give_a_thousand_deals(key: str) -> None:
    game = GAMES[key]
    options = default_options(game)
    seats = game.meta.seats[1]
    deals = [
        str(game.dump(game.setup(seats, options, Chance(number.to_bytes(32, "big"), 0)).state))
        for number in range(1000)
    ]
    assert len(set(deals)) == ALL_DEALS.get(key, 1000)
