"""The end of a round, the rounds of a match, and who wins."""

from __future__ import annotations

import pytest

from app.games.contract import Outcome
from app.games.lost_cities.deal import next_starter
from app.games.lost_cities.state import State
from tests.games.lost_cities.positions import (
    GAME,
    after,
    chance,
    legal,
    new_game,
    position,
    refusal,
    step,
)


def outcome(state: State) -> Outcome:
    result = GAME.outcome(state)
    assert result is not None
    return result


def discard_and_draw_to_the_end_of_the_round(state: State) -> tuple[State, int]:
    """Every turn discards a card and draws from the deck; counts the draws."""
    number, draws = state.round, 0
    while state.phase != "over" and state.round == number:
        discard = next(move for move in legal(state) if move.startswith("discard"))
        state = after(state, discard, "draw deck")
        draws += 1
    return state, draws


@pytest.mark.parametrize(("colours", "draws"), [(5, 44), (6, 56)])
def test_exactly_that_many_deck_draws_end_a_round(colours: int, draws: int) -> None:
    state, count = discard_and_draw_to_the_end_of_the_round(new_game(colours=colours))
    assert count == draws
    assert state.phase == "over"
    assert outcome(state).totals == (0, 0)


def test_the_last_card_is_drawn_and_nothing_more_is_played() -> None:
    state = after(position("R7", "R8", deck="B5"), "play R7")
    last = step(state, "draw deck")
    assert last.state.hands[0] == ("B5",)
    assert GAME.actors(last.state) == ()
    assert [GAME.prompt(last.state, seat) for seat in (0, 1)] == [None, None]
    for move in ("play B5", "discard B5", "play R8", "draw deck", "draw R"):
        assert [refusal(last.state, move, seat) for seat in (0, 1)] == ["game_over"] * 2
    assert [event.kind for event in last.events] == ["drew", "round_over"]


def test_with_one_card_left_drawing_from_a_pile_keeps_the_round_going() -> None:
    state = after(position("R7", "R8", piles="Y2", deck="B5"), "play R7", "draw Y")
    assert GAME.outcome(state) is None
    assert GAME.actors(state) == (1,)


def test_the_round_is_told_when_it_is_over() -> None:
    state = position("R7", mine="Y$ Y2", theirs="W10", deck="B5")
    told = step(after(state, "discard R7"), "draw deck").events[1].seen_by(None)
    assert told == {
        "kind": "round_over",
        "round": 1,
        "scores": [{"Y": -36}, {"W": -10}],
        "totals": [-36, -10],
    }


ENDS = [
    # given (expeditions of seat 0, of seat 1) -> totals -> ranking
    ("R2 R3 R4 R5 R6 R7", "W10", (7, -10), (1, 2)),
    ("W10", "R2 R3 R4 R5 R6 R7", (-10, 7), (2, 1)),
    ("", "", (0, 0), (1, 1)),
    ("R10", "W10", (-10, -10), (1, 1)),
    ("R10", "", (-10, 0), (2, 1)),
    ("Y5 Y7 Y8 R$", "", (-40, 0), (2, 1)),
]


@pytest.mark.parametrize(("mine", "theirs", "totals", "ranking"), ENDS)
def test_more_points_win_and_equal_points_are_a_draw(
    mine: str, theirs: str, totals: tuple[int, int], ranking: tuple[int, int]
) -> None:
    state = position("B2", mine=mine, theirs=theirs, deck="B5")
    result = outcome(after(state, "discard B2", "draw deck"))
    assert result.totals == totals
    assert result.ranking == ranking
    assert result.reason == "deck"
    assert result.tie_break is None


STARTERS = [
    # given (points of seat 0, of seat 1 by round), last starter -> next starter
    ([(5, 3)], 0, 0),
    ([(5, 3)], 1, 0),
    ([(3, 5)], 0, 1),
    ([(-9, -3)], 1, 1),
    ([(4, 4)], 0, 1),
    ([(4, 4)], 1, 0),
    ([(10, 0), (0, 9)], 1, 0),
    ([(10, 0), (0, 11)], 0, 1),
    ([(10, 0), (0, 10)], 1, 0),
]


@pytest.mark.parametrize(("rounds", "last", "starter"), STARTERS)
def test_who_has_more_points_so_far_starts_the_next_round(
    rounds: list[tuple[int, int]], last: int, starter: int
) -> None:
    past = tuple(((mine,), (theirs,)) for mine, theirs in rounds)
    assert next_starter(past, last) == starter


def test_the_draw_that_ends_a_round_deals_the_next_by_chance() -> None:
    state = position("B2", mine="R10", deck="B5", rounds=3)
    drawn = chance()
    told = step(after(state, "discard B2"), "draw deck", by=drawn)
    assert drawn.used
    assert [event.kind for event in told.events] == ["drew", "round_over", "dealt"]
    assert told.events[2].facts == {"round": 2, "starts": 1}
    after_deal = told.state
    assert (after_deal.round, after_deal.turn, after_deal.starter) == (2, 1, 1)
    assert len(after_deal.deck) == 44
    assert [len(hand) for hand in after_deal.hands] == [8, 8]
    assert after_deal.known == ((), ())
    assert GAME.view(after_deal, 0)["past"] == [[-10, 0]]
    assert GAME.view(after_deal, 0)["expeditions"] == [{}, {}]
    assert GAME.outcome(after_deal) is None


def test_the_last_draw_of_a_single_round_uses_no_chance() -> None:
    drawn = chance()
    step(after(position("B2", deck="B5"), "discard B2"), "draw deck", by=drawn)
    assert not drawn.used


def test_three_rounds_are_summed() -> None:
    first = (0, 0, 0, 30, 0), (1, 2, 3, 0, 0)
    second = (-20, 0, 0, 0, 0), (0, 0, 0, 0, 5)
    state = position(
        "B2", mine="R10", theirs="W10", deck="B5", rounds=3, round=3, past=(first, second)
    )
    result = outcome(after(state, "discard B2", "draw deck"))
    assert result.totals == (0, 1)
    assert result.ranking == (2, 1)
    by_round = ({"G": 30}, {"Y": -20}, {"R": -10})
    assert result.scores[0] == {
        f"{number}{colour}": points.get(colour, 0)
        for number, points in enumerate(by_round, start=1)
        for colour in "YBWGR"
    }


def test_a_match_of_three_rounds_lasts_three_decks() -> None:
    state = new_game(rounds=3)
    starters = []
    for _ in range(3):
        starters.append(state.starter)
        state, draws = discard_and_draw_to_the_end_of_the_round(state)
        assert draws == 44
    assert starters == [0, 1, 0]
    assert outcome(state).totals == (0, 0)
    assert GAME.view(state, None)["past"] == [[0, 0], [0, 0]]


def test_five_hundred_draws_from_piles_in_a_row_break_nothing() -> None:
    """Both only swap cards with the piles: the deck stays, and so does the game."""
    state = after(position("R7", "B8", piles="Y2 W3"), "discard R7", "draw Y")
    deck = state.deck
    for _ in range(500):
        discard = next(move for move in legal(state) if move.startswith("discard"))
        state = after(state, discard)
        source = next(move for move in legal(state) if move != "draw deck")
        state = after(state, source)
    assert state.deck == deck
    assert GAME.outcome(state) is None
    assert sum(len(pile) for pile in state.piles) == 2
    assert len(str(GAME.dump(state))) < 2000
