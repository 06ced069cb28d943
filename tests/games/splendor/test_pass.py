"""Passing: only where nothing else is possible; when everybody passes, the game is blocked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.games.splendor.cards import LEVELS
from app.games.splendor.gems import NO_TOKENS
from app.games.splendor.state import Player, State
from tests.games.splendor.positions import (
    GAME,
    PASS,
    after,
    bonus_cards,
    buy,
    card,
    has,
    legal,
    new_game,
    noble,
    position,
    refusal,
    stage,
    step,
    tokens,
)

RED_BLACK = tokens(red=4, black=4, green=2)
WHITE_BLUE = tokens(white=4, blue=4, green=2)
BIG = (
    *(card("black", red=7), card("blue", white=7), card("green", blue=7)),
    *(card("red", green=7), card("white", black=7), card("black", red=7, black=3)),
)
MARKET = {
    1: [
        card("black", white=1, blue=1, green=1, red=1),
        card("green", white=1, blue=1, red=1, black=1),
        card("white", blue=1, green=1, red=1, black=1),
        card("red", white=1, blue=1, green=1, black=1),
    ],
    2: [
        card("black", black=6),
        card("blue", blue=6),
        card("green", green=6),
        card("red", red=6),
    ],
    3: [
        card("black", green=3, red=6, black=3),
        card("blue", white=6, blue=3, black=3),
        card("green", white=3, blue=6, green=3),
        card("red", blue=3, green=6, red=3),
    ],
}


def stuck(turn: int = 0) -> State:
    """Two players with ten coloured tokens and three reserves each, and nothing to buy."""
    return position(
        has(RED_BLACK, reserved=BIG[:3]),
        has(WHITE_BLUE, reserved=BIG[3:]),
        market=MARKET,
        turn=turn,
    )


def test_with_nothing_else_to_do_one_may_pass() -> None:
    state = stuck()
    assert state.bank == (0, 0, 0, 0, 0, 5)
    assert stage(state) == "pass"
    assert legal(state) == [PASS]
    passed = step(state, PASS)
    assert [event.seen_by(1) for event in passed.events] == [{"kind": "passed", "seat": 0}]
    assert passed.state.turn == 1
    assert GAME.view(passed.state, 0)["passes"] == 1


def test_as_many_passes_in_a_row_as_seats_end_the_game() -> None:
    over = after(stuck(), PASS, PASS)
    result = GAME.outcome(over)
    assert result is not None
    assert (result.reason, result.tie_break) == ("blocked", None)
    assert result.totals == (0, 0)
    assert result.ranking == (1, 1)
    assert GAME.actors(over) == ()


def test_a_blocked_game_is_scored_as_it_stands() -> None:
    state = position(
        has(RED_BLACK, reserved=BIG[:3], cards=bonus_cards(white=1)),
        has(WHITE_BLUE, reserved=BIG[3:], nobles=[0]),
        market=MARKET,
    )
    result = GAME.outcome(after(state, PASS, PASS))
    assert result is not None
    assert (result.totals, result.ranking) == ((0, 3), (2, 1))


def test_a_tie_in_a_blocked_game_goes_to_fewer_cards() -> None:
    state = position(
        has(RED_BLACK, reserved=BIG[:3]),
        has(WHITE_BLUE, reserved=BIG[3:], cards=bonus_cards(white=1)),
        market=MARKET,
    )
    result = GAME.outcome(after(state, PASS, PASS))
    assert result is not None
    assert (result.ranking, result.reason, result.tie_break) == ((1, 2), "blocked", "cards")


def test_a_blocked_game_may_end_in_the_middle_of_a_round() -> None:
    over = after(stuck(turn=1), PASS, PASS)
    assert over.turn == 0
    assert GAME.outcome(over) is not None


def test_any_other_action_starts_the_count_anew() -> None:
    """The other one can still buy: two passes that are not in a row end nothing."""
    red3 = card("green", red=3)
    state = position(
        has(WHITE_BLUE, reserved=BIG[:3]),
        has(RED_BLACK, reserved=[*BIG[3:5], red3]),
        market=MARKET,
    )
    state = after(state, PASS)
    assert refusal(state, PASS) == "cannot_pass"
    bought = after(state, buy(red3))
    assert bought.passes == 0
    assert refusal(bought, PASS) == "cannot_pass"


CAN = [
    ("a token to take", has(RED_BLACK, reserved=BIG[:3]), has(reserved=BIG[3:])),
    ("a free place", has(RED_BLACK, reserved=BIG[:2]), has(WHITE_BLUE, reserved=BIG[3:])),
    (
        "a card to buy",
        has(RED_BLACK, reserved=(*BIG[:2], card("green", red=3))),
        has(WHITE_BLUE, reserved=BIG[3:]),
    ),
]


@pytest.mark.parametrize(("why", "mine", "theirs"), CAN)
def test_whoever_can_do_something_cannot_pass(why: str, mine: Player, theirs: Player) -> None:
    state = position(mine, theirs, market=MARKET)
    assert stage(state) == "take"
    assert PASS not in legal(state)
    assert refusal(state, PASS) == "cannot_pass"
    assert refusal(new_game(), PASS) == "cannot_pass"


def test_a_noble_that_waits_comes_with_a_pass_too() -> None:
    state = position(
        has(cards=bonus_cards(white=3, blue=3, black=3), reserved=BIG[:3]),
        market={level: [None] * 4 for level in LEVELS},
        decks={level: [] for level in LEVELS},
        nobles=[noble(white=3, blue=3, black=3)],
    )
    state = replace(state, bank=NO_TOKENS)
    assert legal(state) == [PASS]
    passed = step(state, PASS)
    assert [event.kind for event in passed.events] == ["passed", "noble_came"]
    assert passed.state.passes == 1


def test_others_cannot_tell_from_the_view_that_only_a_pass_is_left() -> None:
    """Whether an unseen reserve can be paid is nobody else's business before the move."""
    red3 = card("green", red=3)
    can = position(
        has(RED_BLACK, reserved=BIG[:2], blind=[red3]),
        has(WHITE_BLUE, reserved=BIG[3:]),
        market=MARKET,
    )
    blue3 = card("black", green=3)
    cannot = position(
        has(RED_BLACK, reserved=BIG[:2], blind=[blue3]),
        has(WHITE_BLUE, reserved=BIG[3:]),
        market=MARKET,
    )
    assert (stage(can), stage(cannot)) == ("take", "pass")
    for viewer in (1, None):
        assert GAME.view(can, viewer) == GAME.view(cannot, viewer)
