"""The end: the round is finished, most points win, then fewest cards."""

from __future__ import annotations

import pytest

from app.games.contract import Outcome
from app.games.splendor.gems import Count
from app.games.splendor.scoring import card_points
from app.games.splendor.state import Player, State
from tests.games.splendor.positions import (
    GAME,
    PASS,
    Move,
    after,
    back,
    blind,
    bonus_cards,
    buy,
    card,
    choose,
    has,
    kinds,
    new_game,
    noble,
    position,
    refusal,
    scoring_cards,
    step,
    take,
    tokens,
)

ONE_POINT = card("black", blue=4)
WHITE_BLUE = noble(white=4, blue=4)


def outcome(state: State) -> Outcome:
    result = GAME.outcome(state)
    assert result is not None
    return result


def scorer(points: int, count: int, held: Count | None = None, **more: tuple[int, ...]) -> Player:
    return has(held, cards=scoring_cards(points, count, (ONE_POINT,)), **more)


def about_to_reach(seats: int, seat: int, first: int, points: int = 14) -> State:
    """The seat is to move and can buy its last point for four blue."""
    players = [has() for _ in range(seats)]
    players[seat] = scorer(points, 5, tokens(blue=4))
    return position(*players, market={1: [ONE_POINT]}, turn=seat, first=first)


def idle(state: State) -> Move:
    """Returns a take that needs no return."""
    prompt = GAME.prompt(state, state.turn)
    assert prompt is not None
    return prompt.legal[0].wire()


ENDS = [
    # seats, first player, seat that reaches the target -> seats that still play
    (3, 0, 0, [1, 2]),
    (3, 1, 0, []),
    (3, 2, 0, [1]),
    (3, 0, 1, [2]),
    (3, 0, 2, []),
    (2, 0, 0, [1]),
    (2, 0, 1, []),
    (2, 1, 0, []),
    (2, 1, 1, [0]),
    (4, 2, 0, [1]),
    (4, 2, 1, []),
    (4, 3, 3, [0, 1, 2]),
    (4, 0, 0, [1, 2, 3]),
]


@pytest.mark.parametrize(("seats", "first", "seat", "still"), ENDS)
def test_the_round_ends_with_the_seat_before_the_first_player(
    seats: int, first: int, seat: int, still: list[int]
) -> None:
    state = after(about_to_reach(seats, seat, first), buy(ONE_POINT))
    played: list[int] = []
    while actors := GAME.actors(state):
        assert GAME.view(state, None)["last_round"]
        played += actors
        state = after(state, idle(state))
    assert played == still
    assert outcome(state).reason == "target"
    assert outcome(state).totals[seat] == 15
    assert outcome(state).ranking[seat] == 1


def test_everybody_has_had_the_same_number_of_turns() -> None:
    """From the first turn of a new game with each first player."""
    for first in range(3):
        state = new_game(3, first=first, target=10)
        turns = [0, 0, 0]
        while actors := GAME.actors(state):
            prompt = GAME.prompt(state, actors[0])
            assert prompt is not None
            move = max(prompt.legal, key=lambda move: move.wire()["kind"] == "buy")
            following = GAME.apply(state, actors[0], move, None).state  # type: ignore[arg-type]
            turns[actors[0]] += following.turn != actors[0] or following.stage == "over"
            state = following
        assert len(set(turns)) == 1
        assert state.round == turns[0]


def test_one_point_less_does_not_end_the_game() -> None:
    state = after(about_to_reach(2, 1, 0, points=13), buy(ONE_POINT))
    assert GAME.actors(state) == (0,)
    assert not GAME.view(state, 0)["last_round"]


@pytest.mark.parametrize("target", [10, 15, 30])
def test_the_target_is_an_option(target: int) -> None:
    assert new_game(2, target=target).target == target
    players = has(), scorer(14, 5, tokens(blue=4))
    state = position(*players, market={1: [ONE_POINT]}, turn=1, target=target)
    over = GAME.outcome(after(state, buy(ONE_POINT)))
    assert (over is not None) == (target <= 15)


def test_a_noble_can_end_the_game() -> None:
    owned = bonus_cards(2, white=4, blue=4)
    points = card_points(owned)
    state = position(has(), has(cards=owned), nobles=[WHITE_BLUE], turn=1, target=points + 3)
    assert not GAME.view(state, 0)["last_round"]
    last = step(state, take("red", "green", "black"))
    assert [event.kind for event in last.events] == ["took", "noble_came", "target_reached"]
    result = outcome(last.state)
    assert result.reason == "target"
    assert result.scores[1] == {"cards": points, "nobles": 3}


def test_points_are_looked_at_after_the_return_and_the_noble() -> None:
    owned = bonus_cards(2, white=4, blue=4)
    points = card_points(owned)
    held = tokens(white=2, blue=2, green=2, red=2, black=1)
    state = position(
        has(),
        has(held, cards=owned),
        has(),
        nobles=[WHITE_BLUE],
        turn=1,
        target=points + 3,
        first=2,
    )
    returning = after(state, take("red", "green", "black"))
    assert GAME.actors(returning) == (1,)
    assert outcome(after(returning, back(white=2))).reason == "target"


def test_the_last_choice_of_a_noble_ends_the_game() -> None:
    owned = bonus_cards(2, white=4, blue=4, black=4)
    points = card_points(owned)
    nobles = [WHITE_BLUE, noble(white=4, black=4)]
    state = position(has(), has(cards=owned), nobles=nobles, turn=1, target=points + 3)
    choosing = after(state, take("red", "green", "blue"))
    assert GAME.outcome(choosing) is None
    assert outcome(after(choosing, choose(WHITE_BLUE))).totals == (0, points + 3)


def test_reaching_the_target_is_told_once() -> None:
    state = about_to_reach(3, 0, 0)
    told = step(state, buy(ONE_POINT))
    assert told.events[-1].seen_by(2) == {
        "kind": "target_reached",
        "seat": 0,
        "points": 15,
        "last": 2,
    }
    assert "target_reached" not in kinds(told.state, idle(told.state))
    second = position(
        scorer(15, 5),
        has(tokens(blue=4), cards=bonus_cards(3, white=4)),
        market={1: [ONE_POINT]},
        turn=1,
        target=15,
    )
    assert "target_reached" not in kinds(second, buy(ONE_POINT))


RANKINGS = [
    # (points, cards) by seat -> ranking, tie-break
    (((16, 10), (16, 11)), (1, 2), "cards"),
    (((16, 11), (16, 10)), (2, 1), "cards"),
    (((16, 10), (16, 10)), (1, 1), None),
    (((17, 12), (16, 10)), (1, 2), None),
    (((15, 8), (16, 12)), (2, 1), None),
    (((16, 10), (16, 11), (16, 10)), (1, 3, 1), "cards"),
    (((16, 10), (16, 11), (12, 5)), (1, 2, 3), "cards"),
    (((16, 10), (12, 6), (12, 5)), (1, 3, 2), "cards"),
    (((16, 10), (12, 5), (12, 5)), (1, 2, 2), None),
    (((15, 9), (15, 9), (15, 9), (15, 9)), (1, 1, 1, 1), None),
    (((0, 0), (15, 9), (0, 0), (3, 3)), (3, 1, 3, 2), None),
]


@pytest.mark.parametrize(("players", "ranking", "tie_break"), RANKINGS)
def test_most_points_then_fewest_cards_then_shared(
    players: tuple[tuple[int, int], ...], ranking: tuple[int, ...], tie_break: str | None
) -> None:
    used: list[int] = []
    seated = []
    for points, count in players:
        cards = scoring_cards(points, count, used)
        used += cards
        seated.append(has(cards=cards))
    last = len(players) - 1
    result = outcome(after(position(*seated, turn=last), take("red", "green", "blue")))
    assert result.totals == tuple(points for points, _ in players)
    assert result.ranking == ranking
    assert result.tie_break == tie_break
    assert result.reason == "target"


def test_nobles_and_reserved_cards_do_not_break_a_tie() -> None:
    """16 to 16 with 10 and 11 cards, nobles and reserves the other way round: 10 cards win."""
    ten = scoring_cards(16, 10)
    eleven = scoring_cards(10, 11, ten)
    rest = [n for n in range(90) if n not in (*ten, *eleven)]
    state = position(has(cards=ten, reserved=rest[:3]), has(cards=eleven, nobles=[0, 1]), turn=1)
    result = outcome(after(state, take("red", "green", "blue")))
    assert result.totals == (16, 16)
    assert result.scores == ({"cards": 16, "nobles": 0}, {"cards": 10, "nobles": 6})
    assert result.ranking == (1, 2)
    assert result.tie_break == "cards"


def test_after_the_end_nothing_is_accepted() -> None:
    over = after(about_to_reach(2, 1, 0), buy(ONE_POINT))
    for move in (take("red", "green", "blue"), blind(1), PASS, back(blue=1), choose(0)):
        assert [refusal(over, move, seat) for seat in (0, 1)] == ["game_over"] * 2
    assert [GAME.prompt(over, seat) for seat in (0, 1)] == [None, None]
    assert GAME.view(over, None)["turn"] is None
    assert GAME.view(over, None)["stage"] == "over"
