"""Four coins in hand: at once and on anyone's turn, or at the start of one's own in `advanced`."""

from __future__ import annotations

import pytest

from app.games.contract import Outcome
from app.games.take_the_gold.state import Won
from tests.games.take_the_gold.positions import (
    GAME,
    after,
    kinds,
    position,
    refusal,
    stage,
    step,
    told,
)

WINS = [
    # hands, next cards, moves -> the winner
    # the fourth coin is drawn at the start of a turn, in the step that ends the one before
    (("pirate", "coin coin coin", "coin"), "coin", ("pass",), 1),
    (("coin coin coin officer", "pirate", "coin"), "officer officer coin", ("pass",) * 3, 0),
    # by theft
    (("pirate coin coin coin", "coin", "coin"), "", ("pirate>1", "with nothing"), 0),
    (("two_pirates coin coin", "coin", "coin coin"), "", ("two_pirates>2", "with nothing"), 0),
    (("captain coin coin coin", "coin coin", "coin"), "", ("captain>1", "with nothing"), 0),
    (("captain coin coin", "coin coin", "coin"), "", ("captain>1", "with nothing"), 0),
    # by payment
    (("captain coin coin coin", "coin officer", "coin"), "", ("captain>1", "with coin"), 0),
    # with more than four
    (
        ("two_pirates coin coin coin", "coin coin", "pirate"),
        "",
        ("two_pirates>1", "with nothing"),
        0,
    ),
]


@pytest.mark.parametrize(("hands", "draw", "moves", "winner"), WINS)
def test_the_fourth_coin_wins_at_once(
    hands: tuple[str, ...], draw: str, moves: tuple[str, ...], winner: int
) -> None:
    end = after(position(*hands, draw=draw), *moves)
    assert stage(end) == "over"
    coins = end.hands[winner].count("coin")
    assert coins >= 4
    assert end.won == Won(winner, coins)
    assert GAME.actors(end) == ()
    assert all(GAME.prompt(end, seat) is None for seat in range(3))
    assert refusal(end, "pass", seat=winner) == "game_over"
    assert GAME.outcome(end) == Outcome(
        ranking=tuple(1 if seat == winner else 2 for seat in range(3)),
        totals=tuple(coins if seat == winner else None for seat in range(3)),
        scores=tuple({"coins": coins} if seat == winner else {} for seat in range(3)),
        reason="four_coins",
    )


@pytest.mark.parametrize(("hands", "draw", "moves", "winner"), WINS)
def test_in_advanced_having_four_in_between_does_not_win(
    hands: tuple[str, ...], draw: str, moves: tuple[str, ...], winner: int
) -> None:
    state = after(position(*hands, draw=draw, advanced=True), *moves)
    assert state.won is None
    assert state.hands[winner].count("coin") >= 4
    assert GAME.outcome(state) is None


def test_three_coins_win_nothing() -> None:
    state = after(position("pirate coin coin", "coin", "coin"), "pirate>1", "with nothing")
    assert stage(state) == "play 1"


def test_a_win_by_the_draw_of_the_next_seat_needs_no_further_move() -> None:
    move = step(position("pirate", "coin coin coin", draw="coin"), "pass")
    assert kinds(move) == ["passed", "drew turn", "won"]
    assert told(move)[-1] == {"kind": "won", "seat": 1, "coins": 4, "how": "four_coins"}


FOUR = position("pirate coin", "coin coin coin coin", "pirate", advanced=True)


def test_in_advanced_one_wins_by_beginning_a_turn_with_four_coins() -> None:
    move = step(FOUR, "pass")
    assert stage(move.state) == "over"
    assert move.state.won == Won(1, 4)
    assert len(move.state.draw) == len(FOUR.draw), "before drawing"
    assert kinds(move) == ["passed", "won"]


def test_in_advanced_a_coin_stolen_in_between_has_to_be_won_back() -> None:
    state = after(FOUR, "pirate>1", "with nothing")
    assert stage(state) == "play 1"


def test_in_advanced_four_coins_drawn_win_a_round_later() -> None:
    state = after(position("pirate", "coin coin coin", draw="coin", advanced=True), "pass")
    assert stage(state) == "play 1"
    assert stage(after(state, "pass", "pass")) == "over"
    assert stage(after(state, "pass", "pirate>1", "with nothing")) == "play 1"


def test_in_advanced_four_coins_discarded_for_the_hand_limit_are_gone() -> None:
    hand = "coin coin coin coin officer officer"
    state = after(position(hand, "pirate", advanced=True), "pass", "discard coin", "pass")
    assert stage(state) == "play 0"
