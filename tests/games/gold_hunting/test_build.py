"""Building: secret, both at once, open-ended, to be taken back until both have built."""

from __future__ import annotations

from typing import Any

import pytest

from app.games.chance import Chance
from app.games.gold_hunting.bars import BARS
from app.games.gold_hunting.moves import Build
from tests.conformance.driver import Position, advance, barrier, start
from tests.games.gold_hunting.positions import (
    GAME,
    MINE,
    OPTIONS,
    SEED,
    THEIRS,
    VIEWERS,
    after,
    hunt,
    legal,
    mountains,
    new_game,
    refusal,
    refused,
    step,
    told,
)


def table(first: int = 0) -> Position:
    return start(GAME, 2, OPTIONS | {"first": first}, SEED)


def built(position: Position, seat: int, text: str) -> Position:
    return advance(position, seat, Build(mountains(text)))


def can_be_taken_back(position: Position) -> bool:
    assert position.before is not None
    return not barrier(position.before, position)


def test_a_player_has_ten_bars_of_eighteen_nuggets() -> None:
    assert (BARS.count(1), BARS.count(2), BARS.count(3)) == (4, 4, 2)
    assert sum(BARS) == 18
    assert GAME.components() == {
        "bars": {"1": 4, "2": 4, "3": 2},
        "mountains": 4,
        "tokens": [1, 2, 3],
        "rush": 2,
    }


def test_each_seat_gets_one_of_the_three_tokens_and_looks_at_it() -> None:
    deals = set()
    for k in range(60):
        step = GAME.setup(2, OPTIONS, Chance(b"deal", k))
        own, other = (player.token.number for player in step.state.players)
        assert {own, other, step.state.third} == {1, 2, 3}
        assert told(step, 0) == [{"kind": "dealt", "starts": 0, "token": own}]
        assert told(step, 1) == [{"kind": "dealt", "starts": 0, "token": other}]
        assert told(step) == [{"kind": "dealt", "starts": 0}]
        deals.add((own, other))
    assert len(deals) == 6


def test_the_first_player_is_drawn_unless_the_host_names_a_seat() -> None:
    by_chance = [GAME.setup(2, OPTIONS | {"first": -1}, Chance(b"f", k)).state for k in range(40)]
    assert {state.first for state in by_chance} == {0, 1}
    for seat in (0, 1):
        state = after(new_game(first=seat), (0, f"build {MINE}"), (1, f"build {THEIRS}"))
        assert (state.first, state.turn, GAME.actors(state)) == (seat, seat, (seat,))


def test_there_are_two_seats() -> None:
    with pytest.raises(ValueError, match="2 seats"):
        GAME.setup(3, OPTIONS, Chance(SEED, 0))


def test_both_build_at_once_and_the_second_build_starts_the_play() -> None:
    state = new_game()
    assert GAME.actors(state) == (0, 1)
    first = step(state, f"build {MINE}", 1)
    assert told(first) == [{"kind": "built", "seat": 1}]
    assert GAME.actors(first.state) == (0,)
    second = step(first.state, f"build {THEIRS}", 0)
    heights = [[3, 5, 7, 3], [3, 6, 6, 3]]
    assert told(second) == [
        {"kind": "built", "seat": 0},
        {"kind": "began", "starts": 0, "heights": heights},
    ]
    assert GAME.view(second.state, None)["heights"] == heights
    assert GAME.actors(second.state) == (0,)


def test_it_does_not_matter_who_builds_first() -> None:
    moves = (0, f"build {MINE}"), (1, f"build {THEIRS}")
    one, other = after(new_game(), *moves), after(new_game(), *reversed(moves))
    assert one == other
    assert GAME.dump(one) == GAME.dump(other)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_build_can_be_taken_back_until_both_have_built(first: int, seat: int) -> None:
    """Whoever begins the hunt, and whoever builds last."""
    position = built(table(first), seat, MINE)
    assert can_be_taken_back(position)
    assert not can_be_taken_back(built(position, 1 - seat, THEIRS))


def test_a_build_that_was_taken_back_is_forgotten() -> None:
    state = new_game()
    back = GAME.taken_back(state, 0, [Build(mountains(MINE))])
    assert back == state
    assert after(back, (0, f"build {THEIRS}")).players[0].mountains == mountains(THEIRS)


@pytest.mark.parametrize(
    "build",
    ["21 321 123 12", "3 3 2 1111222", "1 1 1 1222233", "1111 2222 3 3", "33 22 1122 11"],
)
def test_any_four_mountains_of_all_ten_bars_are_accepted(build: str) -> None:
    assert refusal(new_game(), f"build {build}", 0) == "ok"


MISSING = [
    ("21 321 12312", ("how_many_mountains", {"needed": 4, "built": 3})),
    ("21 321 123 1 2", ("how_many_mountains", {"needed": 4, "built": 5})),
    ("", ("how_many_mountains", {"needed": 4, "built": 0})),
    ("21321 - 123 12", ("mountain_empty", {"mountains": [1]})),
    ("2132112312 - - -", ("mountain_empty", {"mountains": [1, 2, 3]})),
    ("21 321 123 1", ("wrong_bars", {"missing": {"2": 1}, "extra": {}})),
    ("21 321 123 122", ("wrong_bars", {"missing": {}, "extra": {"2": 1}})),
    ("21 321 123 13", ("wrong_bars", {"missing": {"2": 1}, "extra": {"3": 1}})),
    ("21 321 123 14", ("wrong_bars", {"missing": {"2": 1}, "extra": {"4": 1}})),
    ("21 321 123 10", ("wrong_bars", {"missing": {"2": 1}, "extra": {"0": 1}})),
    ("2 3 1 2", ("wrong_bars", {"missing": {"1": 3, "2": 2, "3": 1}, "extra": {}})),
]


@pytest.mark.parametrize(("build", "answer"), MISSING)
def test_a_wrong_build_is_refused_with_what_is_missing(build: str, answer: Any) -> None:
    state = new_game()
    assert refused(state, f"build {build}", 0) == answer
    assert state == new_game()


@pytest.mark.parametrize(
    ("ready", "seat", "move", "code"),
    [
        ((), 0, "dig 0 as 1", "build_first"),
        ((), 1, "rush 0", "build_first"),
        ((), 0, "safe", "build_first"),
        ((1,), 0, "dig 0 as 1", "build_first"),
        ((0,), 0, f"build {THEIRS}", "already_built"),
        ((0,), 0, "dig 0 as 1", "not_your_turn"),
        ((0, 1), 0, f"build {MINE}", "already_built"),
        ((0, 1), 1, f"build {MINE}", "already_built"),
    ],
)
def test_everything_in_its_time(ready: tuple[int, ...], seat: int, move: str, code: str) -> None:
    state = after(new_game(), *((who, f"build {MINE}") for who in ready))
    assert refusal(state, move, seat) == code


def test_the_question_is_open_and_lists_some_good_ways_to_build() -> None:
    asked = {}
    for seed in (b"one", b"two"):
        state = new_game(seed)
        for seat in (0, 1):
            prompt = GAME.prompt(state, seat)
            assert prompt is not None
            assert (prompt.stage, prompt.open) == ("build", True)
            asked[prompt.legal] = len(prompt.legal)
    assert list(asked.values()) == [8]
    for move in next(iter(asked)):
        assert GAME.apply(new_game(), 0, move, Chance(SEED, 1)).state.players[0].mountains


def test_whoever_has_built_is_not_asked() -> None:
    state = after(new_game(), (0, f"build {MINE}"))
    assert GAME.prompt(state, 0) is None
    assert GAME.prompt(state, 1) == GAME.prompt(new_game(), 1)


def test_while_building_the_others_see_only_who_is_ready() -> None:
    """Not a byte tells one build from another, nor from the guess of somebody who asks."""
    one = after(new_game(), (0, f"build {MINE}"))
    other = after(new_game(), (0, "build 1111 2222 3 3"))
    for viewer in VIEWERS[1:]:
        view = GAME.view(one, viewer)
        assert view == GAME.view(other, viewer)
        assert view["ready"] == [True, False]
        assert (view["heights"], view["mine"], view["left"]) == (None, None, [10, 10])
    own = GAME.view(one, 0)
    assert own["mine"] == [[2, 1], [3, 2, 1], [1, 2, 3], [1, 2]]
    assert own["heights"] is None


def test_the_second_to_build_does_not_see_the_first_build_before() -> None:
    state = after(new_game(), (0, f"build {MINE}"))
    assert "[3" not in str(GAME.view(state, 1))
    assert legal(hunt())[:3] == ["dig 0 as 1", "dig 0 as 2", "dig 0 as 3"]
