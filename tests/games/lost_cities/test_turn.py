"""A turn: one card out of the hand, then one card into it."""

from __future__ import annotations

import pytest

from tests.games.lost_cities.positions import (
    GAME,
    after,
    legal,
    new_game,
    position,
    refusal,
    step,
)

CODES = [
    # given (hand, own expeditions, piles) -> move -> result
    ("R7 B$", "", "", "play R7", "ok"),
    ("R7 B$", "", "", "discard R7", "ok"),
    ("R7 B$", "", "", "play B$", "ok"),
    ("R7", "R6", "", "play R7", "ok"),
    ("R10", "R2", "", "play R10", "ok"),
    ("R7", "R8", "", "play R7", "must_ascend"),
    ("Y2", "Y4", "", "play Y2", "must_ascend"),
    ("Y2", "Y4", "", "discard Y2", "ok"),
    ("R2", "R10", "", "play R2", "must_ascend"),
    ("R9", "R10", "", "play R9", "must_ascend"),
    ("R$", "R10", "", "play R$", "investment_after_number"),
    ("R9", "R10", "", "discard R9", "ok"),
    ("R$", "R2", "", "play R$", "investment_after_number"),
    ("R$", "R2", "", "discard R$", "ok"),
    ("R$", "R$ R$", "", "play R$", "ok"),
    ("R2", "R$ R$ R$", "", "play R2", "ok"),
    ("R$", "B2", "", "play R$", "ok"),
    ("R2", "B3", "", "play R2", "ok"),
    ("R7", "", "", "play R8", "not_in_hand"),
    ("R7", "", "", "discard B$", "not_in_hand"),
    ("R7", "", "", "play P7", "not_in_hand"),
    ("R7", "", "", "draw deck", "play_first"),
    ("R7", "", "R2", "draw R", "play_first"),
    ("R7", "", "", "draw R", "play_first"),
]


@pytest.mark.parametrize(("hand", "mine", "piles", "move", "result"), CODES)
def test_the_first_half(hand: str, mine: str, piles: str, move: str, result: str) -> None:
    assert refusal(position(hand, mine=mine, piles=piles), move) == result


DRAWS = [
    # given (hand, piles), first half -> draw -> result
    ("R7", "", "play R7", "draw deck", "ok"),
    ("R7", "", "discard R7", "draw deck", "ok"),
    ("R7", "B3", "discard R7", "draw B", "ok"),
    ("R7", "R3", "play R7", "draw R", "ok"),
    ("R7", "", "discard R7", "draw R", "pile_closed"),
    ("R7", "R3", "discard R7", "draw R", "pile_closed"),
    ("R$", "R$", "discard R$", "draw R", "pile_closed"),
    ("R7", "B3", "play R7", "draw R", "pile_empty"),
    ("R7", "B3", "play R7", "draw P", "no_such_pile"),
    ("R7 R8", "", "play R7", "play R8", "draw_first"),
    ("R7 R8", "", "discard R7", "play R8", "draw_first"),
    ("R7 R8", "", "play R7", "discard R8", "draw_first"),
]


@pytest.mark.parametrize(("hand", "piles", "first", "move", "result"), DRAWS)
def test_the_second_half(hand: str, piles: str, first: str, move: str, result: str) -> None:
    assert refusal(after(position(hand, piles=piles), first), move) == result


def test_drawing_passes_the_turn_so_nobody_draws_twice() -> None:
    drawn = after(position("R7", "R8"), "play R7", "draw deck")
    assert GAME.actors(drawn) == (1,)
    assert refusal(drawn, "draw deck", seat=0) == "not_your_turn"
    assert refusal(drawn, "draw deck", seat=1) == "play_first"


@pytest.mark.parametrize("move", ["play R8", "discard R8", "draw deck", "draw R"])
def test_only_the_seat_to_move_moves(move: str) -> None:
    state = position("R7", "R8", piles="R2")
    assert refusal(state, move, seat=1) == "not_your_turn"
    assert GAME.prompt(state, 1) is None


def test_a_played_card_goes_on_ones_own_expedition() -> None:
    state = after(position("R7 B2", "Y2", mine="R6", theirs="R5"), "play R7")
    assert state.expeditions[0][4] == ("R6", "R7")
    assert state.expeditions[1][4] == ("R5",)
    assert state.hands == (("B2",), ("Y2",))


def test_the_two_sides_of_a_colour_do_not_bind_each_other() -> None:
    state = position("R3", theirs="R9")
    assert refusal(state, "play R3") == "ok"


def test_a_draw_takes_the_top_of_the_deck() -> None:
    state = after(position("R7", deck="Y3 B4 B5"), "play R7", "draw deck")
    assert state.hands[0] == ("Y3",)
    assert state.deck == ("B4", "B5")


def test_a_draw_from_a_pile_takes_the_last_card_laid_there() -> None:
    """Three cards discarded, the other takes: the third one, and the pile shows the second."""
    state = position("R7 R8 R2", "B2 B3 B4")
    state = after(state, "discard R7", "draw deck", "discard B2", "draw deck")
    state = after(state, "discard R8", "draw deck", "discard B3", "draw deck")
    state = after(state, "discard R2", "draw deck", "discard B4", "draw R")
    assert "R2" in state.hands[1]
    assert GAME.view(state, 0)["piles"]["R"] == {"top": "R8", "size": 2}


def test_a_pile_is_closed_for_one_turn_only() -> None:
    state = after(position("R7 R8", "B2 B3"), "discard R7")
    assert refusal(state, "draw R") == "pile_closed"
    passed = after(state, "draw deck", "discard B2")
    assert refusal(passed, "draw R") == "ok"
    mine_again = after(passed, "draw deck", "play R8")
    assert "R7" in after(mine_again, "draw R").hands[0]


def test_an_investment_names_any_one_of_its_colour() -> None:
    state = after(position("R$ R$ B2"), "play R$")
    assert state.hands[0] == ("B2", "R$")
    assert legal(position("R$ R$ R$")) == ["play R$", "discard R$"]


def test_legal_moves_come_in_one_order() -> None:
    assert legal(position("R7 B$ B9 Y2", mine="Y4 B$ B2")) == [
        *("play B9", "play R7"),
        *("discard Y2", "discard B$", "discard B9", "discard R7"),
    ]
    assert legal(after(position("R7", piles="R3 B2 Y5"), "discard R7")) == [
        *("draw deck", "draw Y", "draw B"),
    ]


def test_the_prompt_names_the_half_of_the_turn() -> None:
    state = position("R7")
    play, draw = GAME.prompt(state, 0), GAME.prompt(after(state, "play R7"), 0)
    assert play is not None
    assert draw is not None
    assert (play.stage, draw.stage) == ("play", "draw")
    assert not play.open
    assert not draw.open


def test_a_refusal_says_why_and_what_would_be_legal() -> None:
    cases = [
        (position("R7", mine="R8"), "play R7", {"card": "R7", "last": "R8"}),
        (position("R$", mine="R8"), "play R$", {"card": "R$", "last": "R8"}),
        (position("R7"), "play B7", {"card": "B7"}),
        (after(position("R7"), "discard R7"), "draw R", {"colour": "R", "legal": ["deck"]}),
        (after(position("R7", piles="B2"), "play R7"), "play B3", {"legal": ["deck", "B"]}),
    ]
    for state, move, facts in cases:
        with pytest.raises(Exception, match=refusal(state, move)) as refused:
            step(state, move)
        assert getattr(refused.value, "facts") == facts  # noqa: B009


def test_a_move_leaves_the_state_it_was_made_in_alone() -> None:
    state = new_game()
    before = GAME.dump(state)
    for text in legal(state):
        step(state, text)
    assert GAME.dump(state) == before


def test_two_moves_of_a_turn_can_be_applied_in_one_go() -> None:
    by = position("R7", piles="B2")
    assert after(by, "play R7", "draw B") == after(after(by, "play R7"), "draw B")
