"""Krakens: stopped or not, the last one, and who then has the most coins."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.contract import Outcome
from app.games.take_the_gold.state import Won
from tests.games.take_the_gold.positions import (
    GAME,
    after,
    kinds,
    new_game,
    position,
    stage,
    step,
    told,
)


def test_a_kraken_takes_the_whole_hand_and_is_laid_aside() -> None:
    move = step(
        after(position("kraken pirate", "coin", "coin captain pirate"), "kraken>2"), "with nothing"
    )
    assert move.state.krakens == 1
    assert Counter(move.state.discards) == Counter(["coin", "captain", "pirate"])
    assert len(move.state.hands[2]) == 2
    assert told(move)[1] == {
        "kind": "kraken_rose",
        "seat": 0,
        "target": 2,
        "cards": ["pirate", "coin", "captain"],
        "krakens": 1,
        "to_end": 3,
    }


def test_a_kraken_answered_with_a_captain_is_discarded_with_it_and_not_counted() -> None:
    move = step(
        after(position("kraken pirate", "coin", "coin captain", krakens=2), "kraken>2"),
        "with captain",
    )
    assert move.state.krakens == 2
    assert move.state.discards == ("kraken", "captain")
    assert move.state.hands[2] == ("coin",)
    assert stage(move.state) == "play 1"


def test_whoever_holds_a_captain_may_keep_it_and_lose_the_hand() -> None:
    state = after(position("kraken pirate", "coin", "coin captain"), "kraken>2", "with nothing")
    assert state.krakens == 1
    assert "captain" in state.discards


@pytest.mark.parametrize("option", [3, 4, 5])
def test_the_option_says_which_kraken_is_the_last(option: int) -> None:
    assert new_game(krakens=option).krakens_to_end == option
    for before in range(option):
        state = position(
            "kraken coin", "pirate", "pirate", krakens=before, krakens_to_end=option, turn=0
        )
        end = after(state, "kraken>1", "with nothing")
        assert end.krakens == before + 1
        assert (end.won is not None) == (before + 1 == option)


ENDS = [
    # hands before the last kraken, played by seat 0 at seat 1 -> coins shown, places
    (("kraken coin", "coin coin coin", "pirate"), (1, 0, 0), (1, 2, 2)),
    (("kraken coin", "coin coin coin", "coin coin"), (1, 0, 2), (2, 3, 1)),
    (("kraken pirate", "coin", "coin"), (0, 0, 1), (2, 2, 1)),
    (("kraken coin", "pirate", "coin coin", "coin"), (1, 0, 2, 1), (2, 4, 1, 2)),
    # between two the hand is not discarded
    (("kraken coin", "coin coin coin"), (1, 3), (2, 1)),
    (("kraken coin coin", "coin"), (2, 1), (1, 2)),
    (("kraken coin", "pirate pirate"), (1, 0), (1, 2)),
]


@pytest.mark.parametrize(("hands", "coins", "ranking"), ENDS)
def test_after_the_last_kraken_most_coins_win(
    hands: tuple[str, ...], coins: tuple[int, ...], ranking: tuple[int, ...]
) -> None:
    state = after(position(*hands, krakens=2), "kraken>1")
    move = step(state, "with nothing")
    end = move.state
    assert stage(end) == "over"
    assert end.krakens == 3
    assert end.coins == coins
    assert end.won == Won(ranking.index(1), max(coins))
    assert kinds(move) == ["answered", "kraken_rose", "coins_shown", "won"]
    assert told(move)[2:] == [
        {"kind": "coins_shown", "coins": list(coins)},
        {"kind": "won", "seat": ranking.index(1), "coins": max(coins), "how": "most_coins"},
    ]
    assert GAME.outcome(end) == Outcome(
        ranking=ranking,
        totals=coins,
        scores=tuple({"coins": count} for count in coins),
        reason="krakens",
    )


def test_the_last_victim_of_three_or_more_has_lost_the_hand_and_draws_no_new_cards() -> None:
    state = position("kraken coin", "coin coin coin pirate", "officer", krakens=2)
    end = after(state, "kraken>1", "with nothing")
    assert end.hands[1] == ()
    assert end.draw == state.draw
    assert Counter(end.discards) == Counter(["coin", "coin", "coin", "pirate"])


def test_the_last_victim_of_two_keeps_the_hand() -> None:
    state = position("kraken coin", "coin coin coin pirate", krakens=2)
    move = step(after(state, "kraken>1"), "with nothing")
    assert move.state.hands[1] == state.hands[1]
    assert move.state.discards == ()
    assert told(move)[1]["cards"] == []


def test_the_last_kraken_of_two_can_be_stopped_as_well() -> None:
    state = after(position("kraken coin", "captain pirate", krakens=2), "kraken>1", "with captain")
    assert stage(state) == "play 1"
    assert state.krakens == 2


def test_in_advanced_four_coins_at_the_last_kraken_are_simply_the_most() -> None:
    state = position("kraken coin", "pirate", "coin coin coin coin coin", krakens=2, advanced=True)
    end = after(state, "kraken>1", "with nothing")
    assert end.coins == (1, 0, 5)
    assert end.won == Won(2, 5)
