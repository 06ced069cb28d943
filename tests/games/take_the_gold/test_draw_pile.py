"""The moment the last card is drawn, the discard pile becomes the new draw pile."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from app.games.chance import Chance
from app.games.take_the_gold.state import State
from tests.games.take_the_gold.pieces import pieces
from tests.games.take_the_gold.positions import (
    SEED,
    after,
    chance,
    kinds,
    position,
    step,
    told,
)


def test_the_last_card_drawn_for_a_turn() -> None:
    state = position("pirate coin", "coin captain", draw="kraken", discards="kraken")
    lying = Counter(state.discards)
    move = step(state, "pass")
    assert Counter(move.state.draw) == lying
    assert move.state.discards == ()
    assert told(move)[1:] == [
        {"kind": "drew", "seat": 1, "why": "turn", "count": 1, "left": 0},
        {"kind": "reshuffled", "cards": lying.total()},
    ]


def test_one_card_left_is_no_reason_to_shuffle() -> None:
    state = position("pirate coin", "coin captain", draw="kraken pirate", discards="")
    move = step(state, "pass")
    assert move.state.draw == ("pirate",)
    assert move.state.discards == state.discards


def test_between_the_two_cards_of_an_empty_hand() -> None:
    state = after(
        position("pirate coin", "coin", "kraken", draw="captain", discards=""), "pirate>2"
    )
    lying = Counter(state.discards) + Counter(["pirate"])
    move = step(state, "with nothing")
    assert kinds(move)[2:] == ["drew empty", "reshuffled", "drew empty", "drew turn"]
    drew = [(it["count"], it["left"]) for it in told(move) if it["kind"] == "drew"]
    assert drew == [(1, 0), (1, lying.total() - 1), (1, lying.total() - 2)]
    assert move.state.hands[2] == move.state.drawn[2]
    drawn = Counter(move.state.hands[2]) - Counter(["captain"])
    assert Counter(move.state.draw) + drawn + Counter(move.state.drawn[1]) == lying


def test_both_cards_of_an_empty_hand_then_the_shuffle() -> None:
    state = after(
        position("pirate coin", "coin", "kraken", draw="captain coin", discards=""), "pirate>2"
    )
    move = step(state, "with nothing")
    assert kinds(move)[2:] == ["drew empty", "reshuffled", "drew turn"]
    assert move.state.hands[2] == ("coin", "captain")


def test_the_shuffle_comes_before_the_coins_are_looked_at() -> None:
    state = position("pirate", "coin coin coin", draw="coin", discards="")
    move = step(state, "pass")
    assert kinds(move) == ["passed", "drew turn", "reshuffled", "won"]
    assert move.state.discards == ()


ON_TABLE = [
    # attack, hand, answer -> what lies on the table while its owner draws
    ("pirate", "officer", "officer", ["pirate", "officer"]),
    ("two_pirates", "officer", "officer", ["two_pirates", "officer"]),
    ("kraken", "captain", "captain", ["kraken", "captain"]),
    ("captain", "coin", "coin", ["captain"]),
]


@pytest.mark.parametrize(("attack", "hand", "answer", "table"), ON_TABLE)
def test_cards_on_the_table_are_not_in_a_shuffle_made_meanwhile(
    attack: str, hand: str, answer: str, table: list[str]
) -> None:
    before = position(f"{attack} pirate", hand, "coin", draw="two_pirates", discards="")
    attacked = after(before, f"{attack}>1")
    move = step(attacked, f"with {answer}")
    shuffled = [it["cards"] for it in told(move) if it["kind"] == "reshuffled"]
    assert shuffled == [len(attacked.discards)]
    assert Counter(move.state.discards) == Counter(table)


def test_they_go_to_the_discard_pile_before_the_victim_of_a_theft_draws() -> None:
    before = position("two_pirates pirate", "coin", "coin", draw="kraken", discards="")
    move = step(after(before, "two_pirates>1"), "with nothing")
    shuffled = [it["cards"] for it in told(move) if it["kind"] == "reshuffled"]
    assert shuffled == [len(before.discards) + 1]
    assert move.state.discards == ()


def test_a_hand_lost_to_a_kraken_is_in_the_shuffle_but_the_kraken_is_not() -> None:
    before = position("kraken pirate", "coin coin", "coin", draw="captain", discards="")
    move = step(after(before, "kraken>1"), "with nothing")
    shuffled = [it["cards"] for it in told(move) if it["kind"] == "reshuffled"]
    assert shuffled == [len(before.discards) + 2]
    assert move.state.krakens == 1
    assert pieces(move.state) == pieces(before)


def test_a_stopped_kraken_is_in_the_next_shuffle() -> None:
    stopped = after(
        position("kraken pirate", "pirate", "captain coin", draw="officer pirate", krakens=1),
        *("kraken>2", "with captain"),
    )
    assert stopped.krakens == 1
    assert stopped.discards == ("kraken", "captain")
    shuffled = after(replace(stopped, draw=("coin",)), "pass")
    assert sorted(shuffled.draw) == ["captain", "kraken"]


def test_no_history_shows_through_the_shuffle() -> None:
    """The same cards, discarded in another order, give the same new draw pile."""

    def played(first: str, second: str) -> State:
        state = position(
            "pirate officer two_officers coin captain kraken",
            "coin",
            draw="two_pirates pirate officer",
            discards="",
        )
        passed = after(state, "pass", f"discard {first}", "pass", "pass", f"discard {second}")
        return step(passed, "pass", by=Chance(SEED, 9)).state

    one, other = played("captain", "kraken"), played("kraken", "captain")
    assert one == other
    assert one.draw


@pytest.mark.parametrize("k", range(3))
def test_the_order_of_the_new_draw_pile_comes_by_chance(k: int) -> None:
    state = position("pirate coin", "coin captain", draw="kraken", discards="")
    one, other = (step(state, "pass", by=chance(it)).state.draw for it in (k, k + 1))
    assert one != other
