"""Nobles: they come by themselves, one a turn, whatever the action was."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest

from app.games.contract import IllegalMove
from app.games.splendor.state import State
from app.play.position import Refused, played, undone
from tests.games.splendor.positions import (
    GAME,
    PASS,
    SEED,
    after,
    back,
    blind,
    bonus_cards,
    buy,
    card,
    choose,
    has,
    kinds,
    legal,
    noble,
    position,
    refusal,
    refused,
    stage,
    step,
    take,
    tokens,
)
from tests.games.splendor.table import at_table

WHITE_BLUE = noble(white=4, blue=4)
WHITE_BLACK = noble(white=4, black=4)
GREEN_BLUE = noble(blue=4, green=4)
THREE = noble(white=3, blue=3, black=3)
ENOUGH = bonus_cards(white=4, blue=4)
RED3 = card("green", red=3)
FOURTH = card("blue", white=1, black=2)


def two_waiting() -> State:
    """Seat 0 can buy the fourth blue card, which two nobles wait for."""
    others = tuple(n for n in bonus_cards(blue=4) if n != FOURTH)[:3]
    owned = (*bonus_cards(white=4, green=4), *others)
    return position(
        has(tokens(black=2), cards=owned),
        market={1: [FOURTH]},
        nobles=[GREEN_BLUE, WHITE_BLUE, noble(red=4, black=4)],
    )


@pytest.mark.parametrize(
    "move", [take("white", "blue", "red"), take("red", "red"), blind(1), buy(RED3)]
)
def test_a_satisfied_noble_comes_whatever_the_action_was(move: dict[str, object]) -> None:
    state = position(
        has(tokens(gold=3), cards=ENOUGH), market={1: [RED3]}, nobles=[WHITE_BLUE, WHITE_BLACK]
    )
    later = step(state, move).state
    assert later.players[0].nobles == (WHITE_BLUE,)
    assert later.nobles == (WHITE_BLACK,)
    assert later.turn == 1
    assert GAME.view(later, None)["players"][0]["points"] >= 3


def test_a_noble_comes_after_the_return() -> None:
    state = position(
        has(tokens(white=3, blue=3, gold=3), cards=ENOUGH), has(), has(), nobles=[WHITE_BLUE]
    )
    returning = step(state, take("green", "red", "black"))
    assert [event.kind for event in returning.events] == ["took"]
    assert stage(returning.state) == "return"
    later = step(returning.state, back(gold=2))
    assert [event.kind for event in later.events] == ["returned", "noble_came"]
    assert later.events[1].seen_by(1) == {
        "kind": "noble_came",
        "seat": 0,
        "noble": WHITE_BLUE,
        "points": 3,
    }


def test_tokens_and_reserved_cards_do_not_satisfy_a_noble() -> None:
    owned = bonus_cards(white=4, blue=3)
    fourth = bonus_cards(blue=4)[-1]
    state = position(
        has(tokens(blue=1, gold=4), cards=owned, reserved=[fourth]), nobles=[WHITE_BLUE]
    )
    later = after(state, take("white", "green", "red"))
    assert later.nobles == (WHITE_BLUE,)


def test_of_two_satisfied_nobles_the_player_chooses_one() -> None:
    state = two_waiting()
    choosing = after(state, buy(FOURTH))
    assert stage(choosing) == "choose_noble"
    assert legal(choosing) == [choose(waiting) for waiting in sorted((GREEN_BLUE, WHITE_BLUE))]
    later = after(choosing, choose(WHITE_BLUE))
    assert later.players[0].nobles == (WHITE_BLUE,)
    assert GREEN_BLUE in later.nobles
    assert later.turn == 1


def test_the_other_one_comes_on_the_next_turn() -> None:
    later = after(two_waiting(), buy(FOURTH), choose(WHITE_BLUE), take("red", "green", "black"))
    last = step(later, take("red", "green", "black"))
    assert [event.kind for event in last.events] == ["took", "noble_came"]
    assert last.state.players[0].nobles == (WHITE_BLUE, GREEN_BLUE)


def test_three_satisfied_nobles_take_three_turns() -> None:
    owned = bonus_cards(white=4, blue=4, black=4)
    state = position(has(cards=owned), nobles=sorted([THREE, WHITE_BLUE, WHITE_BLACK]))
    first = after(state, take("red", "green", "blue"))
    assert len(legal(first)) == 3
    second = after(first, choose(THREE), take("red", "green", "blue"), take("red", "green", "blue"))
    assert legal(second) == [choose(n) for n in sorted((WHITE_BLUE, WHITE_BLACK))]
    third = after(second, choose(WHITE_BLUE))
    assert third.nobles == (WHITE_BLACK,)


def test_while_choosing_nothing_else_is_accepted() -> None:
    choosing = after(two_waiting(), buy(FOURTH))
    for move in (take("white", "blue", "red"), blind(1), buy(RED3), PASS):
        assert refusal(choosing, move) == "choose_noble_first"
    waiting = sorted((GREEN_BLUE, WHITE_BLUE))
    assert refused(choosing, PASS) == ("choose_noble_first", {"nobles": waiting})
    assert refusal(choosing, back(red=1)) == "nothing_to_return"
    assert refused(choosing, choose(noble(red=4, black=4))) == (
        "noble_not_waiting",
        {"noble": noble(red=4, black=4), "nobles": waiting},
    )
    assert refusal(choosing, choose(WHITE_BLACK)) == "noble_not_waiting"
    assert refusal(choosing, choose(GREEN_BLUE), seat=1) == "not_your_turn"


def test_there_is_no_choosing_at_other_times() -> None:
    assert refusal(two_waiting(), choose(GREEN_BLUE)) == "no_noble_to_choose"
    one = position(has(cards=ENOUGH), nobles=[WHITE_BLUE])
    assert refusal(one, choose(WHITE_BLUE)) == "no_noble_to_choose"


def test_nobles_are_not_replaced_and_do_not_visit_others() -> None:
    both = position(has(cards=ENOUGH), has(cards=bonus_cards(2, white=4, blue=4)))
    state = GAME.load(GAME.dump(both) | {"nobles": [WHITE_BLUE]})
    later = after(state, take("red", "green", "black"), take("red", "green", "black"))
    assert later.nobles == ()
    assert [player.nobles for player in later.players] == [(WHITE_BLUE,), ()]


@pytest.mark.parametrize("first", [GREEN_BLUE, WHITE_BLUE])
def test_choosing_one_then_another_then_taking_back_moves_one_noble_at_most(first: int) -> None:
    """Choose A, then B, then undo, in every order, at the table of the house."""
    second = GREEN_BLUE + WHITE_BLUE - first
    start = at_table(GAME, two_waiting(), SEED)
    bought = played(start, 0, [GAME.parse(buy(FOURTH))]).position
    chosen = played(bought, 0, [GAME.parse(choose(first))]).position
    with pytest.raises(Refused):
        played(chosen, 0, [GAME.parse(choose(second))])
    with pytest.raises(Refused, match="nothing_to_undo"):
        undone(chosen, 0)
    with pytest.raises(IllegalMove):
        GAME.apply(chosen.state, 1, GAME.parse(choose(second)), None)  # type: ignore[arg-type]
    with pytest.raises(Refused):
        played(bought, 0, [GAME.parse(choose(first)), GAME.parse(choose(second))])
    owned = chosen.state.players[0].nobles
    assert owned == (first,)
    assert len(chosen.state.nobles) + len(owned) == 3


def test_both_choices_in_one_message_are_refused_as_a_whole() -> None:
    start = at_table(GAME, two_waiting(), SEED)
    moves = [GAME.parse(move) for move in (buy(FOURTH), choose(GREEN_BLUE), choose(WHITE_BLUE))]
    with pytest.raises(Refused) as refusal:
        played(start, 0, moves)
    assert (refusal.value.code, refusal.value.index) == ("not_asked", 2)
    assert kinds(two_waiting(), buy(FOURTH))[0] == "bought"


@pytest.mark.parametrize("first", range(4), ids=["take", "A", "B", "undo"])
def test_choices_and_take_backs_in_every_order_move_one_noble_at_most(first: int) -> None:
    """All rows of five of: take gems, choose A, choose B, take back; refused ones do nothing."""
    start = position(
        has(cards=bonus_cards(white=4, green=4) + bonus_cards(2, blue=4)),
        nobles=[GREEN_BLUE, WHITE_BLUE, noble(red=4, black=4)],
    )
    took, chose = take("red", "green", "black"), (choose(GREEN_BLUE), choose(WHITE_BLUE))
    acts = [took, *chose, None]
    seen = set()
    for row in product(acts, repeat=4):
        table = at_table(GAME, start, SEED)
        for act in (acts[first], *row):
            with suppress(Refused):
                moves = [] if act is None else [GAME.parse(act)]
                advance = played(table, 0, moves) if moves else undone(table, 0)
                table = advance.position
            owned = table.state.players[0].nobles
            assert sorted(owned + table.state.nobles) == sorted(start.nobles)
            assert len(owned) <= 1
            seen.add(owned)
    assert seen == {(), (GREEN_BLUE,), (WHITE_BLUE,)}
