"""Moves on the wire and from forms: one spelling, and nothing else gets through."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.contract import Fields, Malformed
from app.games.gold_hunting.moves import Build, Dig, Move, Rush, Safe
from tests.games.gold_hunting.positions import GAME

BUILT = [[2, 1], [3, 2, 1], [1, 2, 3], [1, 2]]


@pytest.mark.parametrize(
    ("data", "move"),
    [
        ({"kind": "build", "mountains": BUILT}, Build(((2, 1), (3, 2, 1), (1, 2, 3), (1, 2)))),
        ({"kind": "build", "mountains": []}, Build(())),
        ({"kind": "build", "mountains": [[], [9, 0]]}, Build(((), (9, 0)))),
        ({"kind": "dig", "mountain": 2, "size": 3}, Dig(2, 3)),
        ({"kind": "rush", "mountain": 0}, Rush(0)),
        ({"kind": "safe"}, Safe()),
    ],
)
def test_the_spelling_of_the_rules(data: dict[str, Any], move: Move) -> None:
    assert GAME.parse(data) == move
    assert move.wire() == data


ODD: list[Any] = [None, True, False, 1.0, 1.5, float("nan"), "", "1", [], [1], {}, 10**400]
KINDS: list[Any] = [None, True, 1, [], {}, "", "Safe", "pass", "dig", "build"]
STACKS: list[Any] = [None, 1, "21", {}, [1], [None], ["1"]]
BAD: list[Any] = [
    *(None, True, 0, 1.5, "safe", [], [{}], {}, [{"kind": "safe"}]),
    *({"kind": kind} for kind in KINDS),
    {"kind": "safe", "mountain": 0},
    {"kind": "rush"},
    {"kind": "rush", "mountain": 0, "size": 1},
    {"kind": "rush", "mountain": 0, "number": 1},
    {"kind": "dig", "mountain": 0},
    {"kind": "dig", "size": 1},
    {"kind": "dig", "mountain": 0, "size": 1, "seat": 0},
    {"mountain": 0, "size": 1},
    *({"kind": "dig", "mountain": at, "size": 1} for at in (-1, 4, *ODD)),
    *({"kind": "dig", "mountain": 0, "size": size} for size in (-1, 0, 4, *ODD)),
    *({"kind": "rush", "mountain": at} for at in (-1, 4, *ODD)),
    {"kind": "build"},
    {"kind": "build", "mountains": BUILT, "seat": 0},
    *({"kind": "build", "mountains": what} for what in STACKS),
    *({"kind": "build", "mountains": [[bar]]} for bar in (-1, 10, *ODD)),
    {"kind": "build", "mountains": [[1]] * 11},
    {"kind": "build", "mountains": [[1] * 11]},
]


@pytest.mark.parametrize("data", BAD, ids=lambda data: ascii(data)[:60])
def test_anything_else_is_malformed(data: Any) -> None:
    with pytest.raises(Malformed):
        GAME.parse(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
NEAR = st.fixed_dictionaries(
    {"kind": st.sampled_from(["build", "dig", "rush", "safe"]) | JSON},
    optional={
        "mountain": st.integers(-1, 4) | JSON,
        "size": st.integers(0, 4) | JSON,
        "mountains": st.lists(st.lists(st.integers(-1, 10), max_size=4), max_size=5) | JSON,
    },
)


@given(JSON | NEAR)
def test_whatever_comes_is_a_move_or_malformed(data: Any) -> None:
    try:
        move = GAME.parse(data)
    except Malformed:
        return
    assert move.wire() == data


@pytest.mark.parametrize(
    ("fields", "data"),
    [
        ([("mountain", "2"), ("action", "3")], {"kind": "dig", "mountain": 2, "size": 3}),
        ([("action", "rush"), ("mountain", "0")], {"kind": "rush", "mountain": 0}),
        ([("action", "safe")], {"kind": "safe"}),
        ([("mountain", "1"), ("action", "safe")], {"kind": "safe"}),
        (
            [*(("mountain", text) for text in ("21", "321", "123", "12")), ("action", "build")],
            {"kind": "build", "mountains": BUILT},
        ),
        (
            [("action", "build"), ("mountain", "2 1"), ("mountain", "3, 2, 1"), ("mountain", "")],
            {"kind": "build", "mountains": [[2, 1], [3, 2, 1], []]},
        ),
        ([("action", "build")], {"kind": "build", "mountains": []}),
    ],
)
def test_forms(fields: Fields, data: dict[str, Any]) -> None:
    assert GAME.from_form(fields) == data
    assert GAME.parse(GAME.from_form(fields)).wire() == data


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("mountain", "1")],
        [("action", "1")],
        [("action", "rush")],
        [("action", "dig"), ("mountain", "1")],
        [("action", ""), ("mountain", "1")],
        [("action", "1"), ("mountain", "")],
        [("action", "1"), ("mountain", "1"), ("mountain", "2")],
        [("action", "safe"), ("mountain", "1"), ("mountain", "2")],
        [("action", "1"), ("action", "2"), ("mountain", "1")],
        [("action", "1"), ("mountain", "1"), ("seat", "0")],
        [("action", "1"), ("mountain", "-1")],
        [("action", "1"), ("mountain", "\uff11")],
        [("action", "build"), ("mountain", "2x")],
    ],
)
def test_a_form_with_other_fields_is_malformed(fields: Fields) -> None:
    with pytest.raises(Malformed):
        GAME.from_form(fields)


@pytest.mark.parametrize(
    "fields",
    [
        [("action", "4"), ("mountain", "1")],
        [("action", "0"), ("mountain", "1")],
        [("action", "1"), ("mountain", "4")],
        [("action", "build"), ("mountain", "1" * 11)],
    ],
)
def test_what_a_form_says_out_of_bounds_is_malformed_as_a_move(fields: Fields) -> None:
    with pytest.raises(Malformed):
        GAME.parse(GAME.from_form(fields))
