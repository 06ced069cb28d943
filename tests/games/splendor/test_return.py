"""More than ten tokens: exactly so many go back, any of them, before anything else."""

from __future__ import annotations

from math import comb

import pytest

from tests.games.splendor.positions import (
    GAME,
    PASS,
    after,
    back,
    blind,
    buy,
    choose,
    has,
    legal,
    position,
    refusal,
    refused,
    reserve,
    stage,
    step,
    take,
    tokens,
)

NINE = position(
    has(tokens(white=3, blue=3, gold=3)),
    has(),
    has(),
    market={1: [0, 1, 2, 3]},
)
TWELVE = after(NINE, take("white", "green", "red"))


def test_nine_and_three_make_two_to_return() -> None:
    assert stage(TWELVE) == "return"
    assert GAME.actors(TWELVE) == (0,)
    assert {move["kind"] for move in legal(TWELVE)} == {"return"}
    assert {sum(move["tokens"].values()) for move in legal(TWELVE)} == {2}
    assert TWELVE.players[0].tokens == tokens(white=4, blue=3, green=1, red=1, gold=3)


RETURNS = [
    (back(green=1, red=1), "ok"),
    (back(gold=2), "ok"),
    (back(white=1, gold=1), "ok"),
    (back(green=1, gold=1), "ok"),
    (back(green=2), "not_held"),
    (back(black=2), "not_held"),
    (back(gold=1), "return_how_many"),
    (back(gold=3), "return_how_many"),
    (back(), "return_how_many"),
    (take("white", "green", "red"), "return_first"),
    (take("white", "white"), "return_first"),
    (reserve(0), "return_first"),
    (blind(1), "return_first"),
    (buy(0), "return_first"),
    (choose(0), "return_first"),
    (PASS, "return_first"),
]


@pytest.mark.parametrize(("move", "result"), RETURNS)
def test_only_a_return_of_exactly_two_is_accepted(move: dict[str, object], result: str) -> None:
    assert refusal(TWELVE, move) == result


def test_any_two_may_go_back_each_choice_listed_once() -> None:
    listed = [tuple(sorted(move["tokens"].items())) for move in legal(TWELVE)]
    # Pairs of different tokens among five kinds, and two of one kind of which two are held.
    assert len(set(listed)) == len(listed) == comb(5, 2) + 3
    assert legal(TWELVE)[0] == back(white=2)
    assert legal(TWELVE)[-1] == back(gold=2)


def test_the_refusal_says_how_many() -> None:
    assert refused(TWELVE, PASS) == ("return_first", {"count": 2})
    assert refused(TWELVE, back(red=1)) == ("return_how_many", {"count": 2, "chosen": 1})
    assert refused(TWELVE, back(green=2)) == ("not_held", {"token": "green", "held": 1})


def test_the_tokens_go_back_to_the_bank_and_the_turn_passes_on() -> None:
    later = step(TWELVE, back(white=1, gold=1))
    assert later.state.players[0].tokens == tokens(white=3, blue=3, green=1, red=1, gold=2)
    assert sum(later.state.players[0].tokens) == 10
    assert later.state.bank == (2, 2, 4, 4, 5, 3)
    assert (later.state.turn, stage(later.state)) == (1, "take")
    assert later.events[0].seen_by(2) == {
        "kind": "returned",
        "seat": 0,
        "tokens": {"white": 1, "gold": 1},
    }


def test_the_stage_survives_a_restart() -> None:
    again = GAME.load(GAME.dump(TWELVE))
    assert again == TWELVE
    assert GAME.prompt(again, 0) == GAME.prompt(TWELVE, 0)
    assert GAME.view(again, 0)["stage"] == "return"


def test_nothing_can_be_returned_without_need() -> None:
    assert refusal(NINE, back(white=1)) == "nothing_to_return"
    assert refusal(NINE, back()) == "nothing_to_return"


def test_nobody_else_can_act_before_the_return() -> None:
    for move in (back(white=1, blue=1), take("white", "green", "red"), blind(1)):
        assert refusal(TWELVE, move, seat=1) == "not_your_turn"
    assert GAME.prompt(TWELVE, 1) is None


def test_exactly_ten_need_no_return() -> None:
    state = position(has(tokens(white=3, blue=3, gold=1)), has(), has())
    assert after(state, take("white", "green", "red")).turn == 1


def test_the_market_gap_is_filled_before_the_return() -> None:
    state = position(has(tokens(white=4, blue=4, red=2)), market={1: [0, 1, 2, 3]}, decks={1: [9]})
    move = step(state, reserve(0))
    assert stage(move.state) == "return"
    assert move.state.market[0] == (9, 1, 2, 3)
    assert move.barrier
