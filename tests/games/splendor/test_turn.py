"""One action a turn, taken whole; and what of it can be taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.play.position import Refused, played, undoable, undone
from tests.games.splendor.positions import (
    GAME,
    PASS,
    SEED,
    Move,
    after,
    back,
    blind,
    buy,
    card,
    has,
    legal,
    new_game,
    position,
    refusal,
    reserve,
    stage,
    step,
    take,
    tokens,
)
from tests.games.splendor.table import at_table

RED3 = card("green", red=3)
ACTIONS: list[Move] = [
    take("white", "blue", "green"),
    take("black", "black"),
    reserve(0),
    blind(1),
    buy(RED3),
]
RICH = position(has(tokens(red=3)), has(), has(), market={1: [0, 1, RED3, 5], 2: [40, 41, 42, 43]})


@pytest.mark.parametrize("first", ACTIONS, ids=str)
@pytest.mark.parametrize("second", [*ACTIONS, PASS], ids=str)
def test_a_second_action_in_the_same_turn_is_refused(first: Move, second: Move) -> None:
    later = after(RICH, first)
    assert GAME.actors(later) == (1,)
    assert refusal(later, second, seat=0) == "not_your_turn"
    table = at_table(GAME, RICH, SEED)
    with pytest.raises(Refused) as refused:
        played(table, 0, [GAME.parse(first), GAME.parse(second)])
    assert (refused.value.code, refused.value.index) == ("not_asked", 1)


def test_a_part_of_an_action_is_refused_not_kept() -> None:
    """Tokens are never taken one by one: two of them and then a reserve do not fit in a turn."""
    for part in (take("white"), take("white", "blue"), take()):
        assert refusal(RICH, part) == "take_how_many"
    assert refusal(RICH, take("white", "blue", "green")) == "ok"


@pytest.mark.parametrize("move", [*ACTIONS, PASS, back(red=1)], ids=str)
def test_only_the_seat_whose_turn_it_is_acts(move: Move) -> None:
    for seat in (1, 2):
        assert refusal(RICH, move, seat) == "not_your_turn"
        assert GAME.prompt(RICH, seat) is None


def test_the_turn_goes_round_the_table_and_rounds_are_counted() -> None:
    state = new_game(3, first=1)
    seen = []
    for _ in range(7):
        seen.append((state.turn, state.round))
        state = after(state, legal(state)[0])
    assert seen == [(1, 1), (2, 1), (0, 1), (1, 2), (2, 2), (0, 2), (1, 3)]


def test_actions_are_listed_in_one_order() -> None:
    assert list(dict.fromkeys(move["kind"] for move in legal(RICH))) == ["take", "buy", "reserve"]
    assert stage(RICH) == "take"


def test_a_take_can_be_taken_back_while_tokens_are_to_be_returned() -> None:
    state = replace(RICH, players=(has(tokens(white=3, gold=5, red=2)), *RICH.players[1:]))
    table = at_table(GAME, state, SEED)
    taken = played(table, 0, [GAME.parse(take("white", "blue", "green"))]).position
    assert taken.asked[0].stage == "return"
    again = undone(taken, 0).position
    assert again.state == state


@pytest.mark.parametrize("move", [reserve(0), blind(1)], ids=str)
def test_what_turned_up_a_card_cannot_be_taken_back(move: Move) -> None:
    """Not even while tokens are to be returned: the refill, or one's own blind card, was seen."""
    state = replace(RICH, players=(has(tokens(white=3, blue=5, red=2)), *RICH.players[1:]))
    done = played(at_table(GAME, state, SEED), 0, [GAME.parse(move)]).position
    assert done.asked[0].stage == "return"
    assert undoable(done, 0) is None


def test_a_reserve_that_turned_up_nothing_can_be_taken_back() -> None:
    full = has(tokens(white=4, blue=4, red=2))
    state = position(full, market={1: [0, 1, 2, 3]}, decks={1: []})
    done = played(at_table(GAME, state, SEED), 0, [GAME.parse(reserve(0))]).position
    assert undone(done, 0).position.state == state


def test_no_move_uses_chance() -> None:
    for move in ACTIONS:
        done = played(at_table(GAME, RICH, SEED), 0, [GAME.parse(move)])
        assert not done.drew


def test_a_move_leaves_the_state_it_was_made_in_alone() -> None:
    state = new_game(4)
    before = GAME.dump(state)
    for move in legal(state):
        step(state, move)
    assert GAME.dump(state) == before
