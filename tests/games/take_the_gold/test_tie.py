"""A tie at the last kraken is played on until somebody has two coins."""

from __future__ import annotations

from collections import Counter

import pytest

from app.games.contract import Outcome
from app.games.take_the_gold.state import Tie, Won
from tests.games.take_the_gold.pieces import pieces
from tests.games.take_the_gold.positions import (
    GAME,
    after,
    kinds,
    legal,
    position,
    refused,
    stage,
    step,
    told,
)

LAST = position(
    "kraken coin officer", "pirate pirate", "coin captain", "officer officer", krakens=2
)


def test_tied_seats_discard_their_coins_and_the_others_their_hands() -> None:
    move = step(after(LAST, "kraken>1"), "with nothing")
    state = move.state
    assert state.coins == (1, 0, 1, 0)
    assert state.tie == Tie(
        seats=(0, 2),
        discarded=(("coin",), (), ("coin",), ("officer", "officer")),
    )
    assert state.playing == (0, 2)
    assert [len(hand) for hand in state.hands] == [1, 0, 2, 0]
    assert Counter(state.discards) == Counter(pirate=2, coin=2, officer=2)
    assert kinds(move) == ["answered", "kraken_rose", "coins_shown", "tied", "drew turn"]
    assert told(move)[3] == {
        "kind": "tied",
        "seats": [0, 2],
        "coins": 1,
        "discarded": [["coin"], [], ["coin"], ["officer", "officer"]],
    }
    assert pieces(state) == pieces(LAST)


def test_the_next_tied_seat_clockwise_begins_its_turn_with_a_draw() -> None:
    state = after(LAST, "kraken>1", "with nothing")
    assert stage(state) == "play 2"
    assert state.hands[2] == ("officer", "captain")


FIRST = [
    # hands, the attacker, its victim -> draws after the tie (seat, reason)
    # both drew, next tied seat first, the last kraken's player last, then the turn
    (("coin", "pirate", "kraken coin", "officer"), 2, 1, [(0, "tie"), (2, "tie"), (0, "turn")]),
    (
        ("coin", "coin", "kraken coin", "officer"),
        2,
        3,
        [
            *((0, "tie"), (1, "tie"), (2, "tie"), (0, "turn")),
        ],
    ),
    # seats with other cards left draw nothing
    (("coin", "officer", "kraken coin captain", "coin pirate"), 2, 1, [(0, "tie"), (3, "turn")]),
    # the last kraken's player is not among the tied
    (("coin", "kraken officer", "pirate", "coin"), 1, 2, [(3, "tie"), (0, "tie"), (3, "turn")]),
    # nobody has a coin: all are tied, the victim among them
    (("officer", "pirate", "kraken officer", "officer"), 2, 1, [(1, "tie"), (3, "turn")]),
]


@pytest.mark.parametrize(("hands", "attacker", "victim", "draws"), FIRST)
def test_tied_seats_without_cards_draw_two_in_order(
    hands: tuple[str, ...], attacker: int, victim: int, draws: list[tuple[int, str]]
) -> None:
    state = after(position(*hands, krakens=2, turn=attacker), f"kraken>{victim}")
    move = step(state, "with nothing")
    drew = [it for it in told(move) if it["kind"] == "drew"]
    assert [(it["seat"], it["why"]) for it in drew] == draws
    assert [it["count"] for it in drew] == [2 if why == "tie" else 1 for _, why in draws]
    assert stage(move.state) == f"play {draws[-1][0]}"


AT_ONCE = [
    # next cards -> winner, draws made
    ("coin coin", 0, 1),
    ("coin pirate coin coin", 2, 2),
    ("coin pirate coin pirate coin", 0, 3),
]


@pytest.mark.parametrize(("draw", "winner", "draws"), AT_ONCE)
def test_two_coins_win_at_once_at_that_moment(draw: str, winner: int, draws: int) -> None:
    state = after(
        position("coin", "pirate", "kraken coin", krakens=2, turn=2, draw=draw), "kraken>1"
    )
    move = step(state, "with nothing")
    assert move.state.won == Won(winner, 2)
    assert [it["kind"] for it in told(move)].count("drew") == draws
    assert told(move)[-1] == {"kind": "won", "seat": winner, "coins": 2, "how": "two_coins"}


@pytest.mark.parametrize("advanced", [False, True])
def test_two_coins_win_at_once_later_also_in_advanced(advanced: bool) -> None:
    for moves, winner in (
        (("pass",), 2),
        (("pirate>2", "with nothing"), 0),
        (("captain>2", "with coin"), 0),
    ):
        state = position(
            *("coin pirate captain", "", "coin", ""), tied=(0, 2), draw="coin", advanced=advanced
        )
        assert after(state, *moves).won == Won(winner, 2)


def test_two_against_two_discard_their_coins_and_play_on_to_two() -> None:
    state = position(
        "kraken coin coin", "coin coin pirate", krakens=2, draw="officer officer pirate"
    )
    tied = after(state, "kraken>1", "with nothing")
    assert tied.tie == Tie((0, 1), (("coin", "coin"), ("coin", "coin")))
    assert Counter(tied.discards) == Counter(coin=4)
    assert tied.hands == (("officer", "officer"), ("pirate", "pirate"))
    assert stage(tied) == "play 1"


AFTER = position("kraken coin", "", "coin pirate", "", tied=(0, 2))


def test_seats_that_are_out_cannot_be_targets() -> None:
    assert legal(AFTER) == ["kraken>2", "pass"]
    for seat in (1, 3):
        assert refused(AFTER, f"kraken>{seat}") == ("seat_is_out", {"target": seat})
    assert GAME.view(AFTER, 1)["out"] == [1, 3]


def test_seats_that_are_out_get_no_turn_and_no_cards() -> None:
    state = after(AFTER, "pass")
    assert stage(state) == "play 2"
    assert stage(after(state, "pass")) == "play 0"
    assert (state.hands[1], state.hands[3]) == ((), ())


def test_a_kraken_after_the_tie_discards_the_hand_is_laid_aside_and_ends_nothing() -> None:
    state = after(AFTER, "kraken>2", "with nothing")
    assert state.krakens == 4
    assert state.won is None
    assert Counter(state.discards) == Counter(["coin", "pirate"])
    assert len(state.hands[2]) == 3, "two for the empty hand, one for the turn"


def test_also_between_two_players() -> None:
    state = after(position("kraken coin", "coin pirate", tied=(0, 1)), "kraken>1", "with nothing")
    assert state.krakens == 4
    assert Counter(state.discards) == Counter(["coin", "pirate"])


RANKS = [
    # coins shown, tied, winner -> places
    ((2, 0, 2, 1), (0, 2), 0, (1, 4, 2, 3)),
    ((2, 0, 2, 1), (0, 2), 2, (2, 4, 1, 3)),
    ((2, 2, 2, 1), (0, 1, 2), 1, (2, 1, 2, 4)),
    ((3, 1, 3, 1), (0, 2), 0, (1, 3, 2, 3)),
    ((0, 0, 0, 0), (0, 1, 2, 3), 3, (2, 2, 2, 1)),
    ((1, 1), (0, 1), 1, (2, 1)),
]


@pytest.mark.parametrize(("coins", "tied", "winner", "ranking"), RANKS)
def test_the_winner_then_the_other_tied_seats_equal_then_the_rest_by_coins(
    coins: tuple[int, ...], tied: tuple[int, ...], winner: int, ranking: tuple[int, ...]
) -> None:
    hands = ["coin pirate" if seat in tied else "" for seat in range(len(coins))]
    before = tied[tied.index(winner) - 1]
    state = position(*hands, tied=tied, draw="coin", turn=before, coins=coins)
    end = after(state, "pass")
    assert end.won == Won(winner, 2)
    assert GAME.outcome(end) == Outcome(
        ranking=ranking,
        totals=coins,
        scores=tuple({"coins": count} for count in coins),
        reason="krakens",
        tie_break="two_coins",
    )
