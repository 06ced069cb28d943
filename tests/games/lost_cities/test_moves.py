"""Moves on the wire and from forms: one spelling, and nothing else gets through."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.contract import Fields, Malformed
from app.games.lost_cities.cards import CARDS, COLOURS
from app.games.lost_cities.moves import Discard, Draw, Move, Play
from tests.games.lost_cities.positions import GAME

ALL: list[Move] = [
    *(Play(card) for card in CARDS),
    *(Discard(card) for card in CARDS),
    *(Draw(source) for source in ("deck", *COLOURS)),
]


@pytest.mark.parametrize(
    ("data", "move"),
    [
        ({"kind": "play", "card": "R7"}, Play("R7")),
        ({"kind": "play", "card": "Y10"}, Play("Y10")),
        ({"kind": "discard", "card": "B$"}, Discard("B$")),
        ({"kind": "draw", "from": "deck"}, Draw("deck")),
        ({"kind": "draw", "from": "R"}, Draw("R")),
    ],
)
def test_the_spelling_of_the_rules(data: dict[str, str], move: Move) -> None:
    assert GAME.parse(data) == move
    assert move.wire() == data


@pytest.mark.parametrize("move", ALL, ids=repr)
def test_every_move_reads_back_what_it_writes(move: Move) -> None:
    assert GAME.parse(move.wire()) == move


class LooksLikeText(str):
    """Equal to a card, and not plain text."""

    __slots__ = ()


ODD: list[Any] = [None, True, 0, 7, 10**400, 1.5, [], {}, ["R7"]]
NO_CARDS = ["", "R", "7", "R1", "R11", "R07", "r7", "R 7", "R7 ", "X7", "R$$", "7R", "deck"]

BAD: list[Any] = [
    *(None, True, False, 0, 1, 10**400, 1.5, float("nan"), "", "play R7", [], [{}], {}),
    [{"kind": "play", "card": "R7"}],
    {"kind": "play"},
    {"card": "R7"},
    {"kind": "play", "card": "R7", "seat": 0},
    {"kind": "play", "card": "R7", "from": "deck"},
    {"kind": "play", "from": "deck"},
    {"kind": "play", "from": "R7"},
    {"kind": "draw", "card": "R7"},
    {"kind": "draw", "from": "deck", "card": "R7"},
    {"kind": "Play", "card": "R7"},
    {"kind": "pass", "card": "R7"},
    {"kind": True, "card": "R7"},
    {"kind": 1, "card": "R7"},
    {"kind": None, "card": "R7"},
    {"kind": [], "card": "R7"},
    {"kind": {}, "card": "R7"},
    {1: "play", "card": "R7"},
    *({"kind": "play", "card": card} for card in ODD + NO_CARDS),
    *({"kind": "discard", "card": card} for card in ("R\u0000", "\ud800", "R7\u200b", "R" * 99)),
    {"kind": "play", "card": LooksLikeText("R7")},
    *({"kind": "draw", "from": source} for source in ("", "Deck", "r", "X", "R7", "\udfff")),
    *({"kind": "draw", "from": source} for source in ODD),
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
    {},
    optional={
        "kind": st.sampled_from(["play", "discard", "draw"]) | JSON,
        "card": st.sampled_from(["R7", "B$"]) | JSON,
        "from": st.sampled_from(["deck", "R"]) | JSON,
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
        ([("card", "R7"), ("action", "play")], {"kind": "play", "card": "R7"}),
        ([("action", "discard"), ("card", "B$")], {"kind": "discard", "card": "B$"}),
        ([("draw", "deck")], {"kind": "draw", "from": "deck"}),
        ([("draw", "R")], {"kind": "draw", "from": "R"}),
    ],
)
def test_forms(fields: Fields, data: dict[str, str]) -> None:
    assert GAME.from_form(fields) == data
    assert GAME.parse(GAME.from_form(fields)).wire() == data


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("action", "play")],
        [("card", "R7")],
        [("card", "R7"), ("action", "draw")],
        [("card", "R7"), ("action", "")],
        [("card", "R7"), ("card", "R8"), ("action", "play")],
        [("card", "R7"), ("card", "R7"), ("action", "play")],
        [("card", "R7"), ("action", "play"), ("draw", "deck")],
        [("draw", "deck"), ("draw", "R")],
        [("draw", "deck"), ("seat", "1")],
    ],
)
def test_a_form_with_other_fields_is_malformed(fields: Fields) -> None:
    with pytest.raises(Malformed):
        GAME.from_form(fields)
