"""The rush token: once in the game, for a rush or for the safe."""

from __future__ import annotations

import pytest

from app.games.gold_hunting.moves import SAFE
from app.games.gold_hunting.state import Player
from tests.conformance.driver import advance, barrier, start
from tests.games.gold_hunting.positions import (
    GAME,
    MINE,
    OPTIONS,
    THEIRS,
    UNUSED,
    Viewer,
    after,
    bars,
    has,
    hunt,
    legal,
    position,
    refusal,
    refused,
    step,
    told,
    wire,
)

OTHER = has(token=2, mountains_="21 3 12 121")
"""The other seat, whose top bars are 1, 3, 2 and 1."""

RUSHES = [
    # token, pile, mountain -> pile, box, right
    (1, "", 0, "1", "", True),
    (3, "12", 1, "123", "", True),
    (3, "", 0, "", "1", False),
    (3, "12", 0, "1", "12", False),
    (3, "2", 0, "2", "1", False),
    (1, "12", 1, "12", "3", False),
]


@pytest.mark.parametrize(("token", "pile", "mountain", "then", "box", "right"), RUSHES)
def test_a_rush_is_a_dig_with_the_number_of_the_token(
    token: int, pile: str, mountain: int, then: str, box: str, right: bool
) -> None:
    other = has(token=token % 3 + 1, mountains_="21 3 12 121")
    state = after(position(has(pile, token=token), other), f"rush {mountain}")
    own = state.players[0]
    assert (own.pile, state.box) == (bars(then), bars(box))
    assert (own.token.use, own.token.right) == ("rush", right)
    assert GAME.actors(state) == (1,)
    assert GAME.view(state, 1)["tokens"][0] == {"number": token, "use": "rush", "right": right}
    assert GAME.view(state, 1)["points"][0]["rush"] == (2 if right else 0)


def test_everybody_is_told_of_a_rush() -> None:
    rushed = step(position(has("12", token=3), OTHER), "rush 0")
    assert told(rushed) == [
        {"kind": "rushed", "seat": 0, "number": 3},
        {
            "kind": "dug",
            "seat": 0,
            "mountain": 0,
            "announced": 3,
            "lifted": 1,
            "right": False,
            "height": 2,
            "pile": 1,
        },
        {"kind": "lost_pile", "seat": 0, "bars": [1, 2], "nuggets": 3, "kept": 1},
    ]
    assert rushed.barrier
    assert GAME.view(rushed.state, None)["last"]["rush"] is True


def test_the_points_of_a_rush_stay_when_the_pile_is_lost_later() -> None:
    state = position(has("12", token=3), OTHER)
    state = after(state, "rush 1", "dig 0 as 1", "dig 0 as 3")
    assert state.players[0].pile == (1,)
    assert GAME.view(state, 0)["points"][0] == {"pile": 1, "safe": 0, "rush": 2, "total": 3}


def test_a_safe_puts_the_pile_away_and_a_dig_has_to_follow_in_the_same_turn() -> None:
    saved = step(position(has("233"), OTHER), "safe")
    own = saved.state.players[0]
    assert (own.pile, own.safe, own.token.use) == ((), (2, 3, 3), "safe")
    assert told(saved) == [{"kind": "saved", "seat": 0, "bars": [2, 3, 3], "nuggets": 8}]
    assert GAME.actors(saved.state) == (0,)
    prompt = GAME.prompt(saved.state, 0)
    assert prompt is not None
    assert prompt.stage == GAME.view(saved.state, None)["stage"] == "dig"
    assert legal(saved.state) == [f"dig {at} as {size}" for at in range(4) for size in (1, 2, 3)]
    dug = after(saved.state, "dig 1 as 3")
    assert (dug.players[0].pile, dug.players[0].safe) == ((3,), (2, 3, 3))
    assert GAME.actors(dug) == (1,)
    assert GAME.view(dug, None)["stage"] == "hunt"


def test_what_is_in_the_safe_can_no_longer_be_lost() -> None:
    """Safe 9, pile 2, wrong with 1 -> pile 2; safe 9, pile 3, wrong with 1 -> pile 1."""
    for pile, then in (("2", (2,)), ("12", (1,))):
        state = after(position(has(pile, "1233"), OTHER), "dig 0 as 3")
        assert (state.players[0].pile, state.players[0].safe) == (then, (1, 2, 3, 3))


@pytest.mark.parametrize(
    ("safe", "pile", "points"),
    [("23", "", 2), ("1", "", 0), ("223", "", 3), ("223", "13", 7), ("", "13", 4), ("33", "2", 5)],
)
def test_the_safe_counts_half_rounded_down(safe: str, pile: str, points: int) -> None:
    view = GAME.view(position(has(pile, safe), OTHER), None)
    assert view["points"][0]["total"] == points


@pytest.mark.parametrize("viewer", [1, None])
def test_a_token_put_away_stays_secret(viewer: Viewer) -> None:
    one = after(position(has("2", token=1), OTHER), "safe", "dig 0 as 1")
    other = after(position(has("2", token=3), OTHER), "safe", "dig 0 as 1")
    assert GAME.view(one, viewer) == GAME.view(other, viewer)
    assert GAME.view(one, viewer)["tokens"][0] == {"number": None, "use": "safe", "right": None}
    assert GAME.view(other, 0)["tokens"][0]["number"] == 3


REFUSED: list[tuple[str, Player, str, tuple[str, dict[str, str]]]] = [
    ("rush after a safe", has("2", "3"), "rush 0", ("token_used", {"use": "safe"})),
    ("a second safe", has("2", "3"), "safe", ("token_used", {"use": "safe"})),
    ("a second rush", has("2", use="rush"), "rush 0", ("token_used", {"use": "rush"})),
    ("safe after a rush", has("2", use="rush"), "safe", ("token_used", {"use": "rush"})),
    ("safe on an empty pile", has(""), "safe", ("pile_empty", {})),
]


@pytest.mark.parametrize(("why", "mine", "move", "answer"), REFUSED)
def test_the_token_is_used_once(why: str, mine: Player, move: str, answer: object) -> None:
    state = position(mine, OTHER)
    assert refused(state, move) == answer, why
    assert move not in legal(state)


def test_after_a_safe_in_the_same_turn_nothing_but_a_dig() -> None:
    state = after(position(has("2"), OTHER), "safe")
    assert refusal(state, "safe") == "token_used"
    assert refusal(state, "rush 0") == "token_used"
    assert refusal(state, f"build {MINE}") == "already_built"
    assert refusal(state, "dig 0 as 1", seat=1) == "not_your_turn"
    assert refusal(state, "dig 0 as 1") == "ok"


def test_after_a_rush_the_turn_is_over() -> None:
    state = after(hunt(), "rush 0")
    assert refusal(state, "dig 0 as 1", seat=0) == "not_your_turn"


def test_one_nugget_is_enough_for_the_safe() -> None:
    assert "safe" in legal(position(has("1"), OTHER))
    assert "safe" not in legal(position(has(""), OTHER))


def test_a_safe_can_be_taken_back_until_the_dig() -> None:
    """Nothing was shown by it but the use of the token."""
    table = start(GAME, 2, OPTIONS, b"safe")
    moves = (0, f"build {MINE}"), (1, f"build {THEIRS}"), (0, "dig 1 as 2"), (1, "dig 0 as 1")
    for seat, text in moves:
        table = advance(table, seat, GAME.parse(wire(text)))
    before = table
    saved = advance(table, 0, SAFE)
    assert not barrier(before, saved)
    assert GAME.taken_back(before.state, 0, [SAFE]) == before.state
    assert barrier(saved, advance(saved, 0, GAME.parse(wire("dig 0 as 1"))))


def test_no_move_uses_chance() -> None:
    after(hunt(), "dig 1 as 2", "dig 0 as 1", "safe", "dig 0 as 1", "rush 0")
    assert not UNUSED.used
