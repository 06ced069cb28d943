"""Moves on the wire and from a page's form."""

from __future__ import annotations

from typing import Any

import pytest

from app.games.contract import Malformed
from tests.games.take_the_gold.positions import GAME

WIRES: list[dict[str, Any]] = [
    {"kind": "play", "card": "pirate", "target": 2},
    {"kind": "play", "card": "officer", "target": 0},
    {"kind": "pass"},
    {"kind": "discard", "cards": ["pirate", "coin"]},
    {"kind": "discard", "cards": []},
    {"kind": "respond", "with": "officer"},
    {"kind": "respond", "with": "two_officers"},
    {"kind": "respond", "with": "captain"},
    {"kind": "respond", "with": "coin"},
    {"kind": "respond", "with": None},
]


@pytest.mark.parametrize("wire", WIRES, ids=str)
def test_a_move_is_read_and_written(wire: dict[str, Any]) -> None:
    assert GAME.parse(wire).wire() == wire


def test_discarded_cards_may_come_in_any_order() -> None:
    mixed = GAME.parse({"kind": "discard", "cards": ["coin", "pirate", "coin"]})
    assert mixed.wire() == {"kind": "discard", "cards": ["pirate", "coin", "coin"]}


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"kind": "draw"},
        {"kind": ["play"]},
        {"kind": "play", "card": "pirate"},
        {"kind": "play", "card": "sloop", "target": 1},
        {"kind": "play", "card": ["pirate"], "target": 1},
        {"kind": "play", "card": "pirate", "target": True},
        {"kind": "play", "card": "pirate", "target": "1"},
        {"kind": "play", "card": "pirate", "target": -1},
        {"kind": "play", "card": "pirate", "target": 6},
        {"kind": "pass", "card": "pirate"},
        {"kind": "discard", "cards": "coin"},
        {"kind": "discard", "cards": [["coin"]]},
        {"kind": "discard", "cards": ["coin"] * 55},
        {"kind": "respond"},
        {"kind": "respond", "with": "pirate"},
        {"kind": "respond", "with": "none"},
        {"kind": "respond", "with": False},
        {"kind": "respond", "with": ["coin"]},
    ],
    ids=str,
)
def test_anything_else_is_malformed(data: Any) -> None:
    with pytest.raises(Malformed):
        GAME.parse(data)


FORMS: list[tuple[list[tuple[str, str]], dict[str, Any]]] = [
    ([("card", "pirate"), ("target", "2")], WIRES[0]),
    ([("kind", "play"), ("card", "pirate"), ("target", "2")], WIRES[0]),
    ([("kind", "pass")], {"kind": "pass"}),
    ([("card", "pirate"), ("kind", "pass")], {"kind": "pass"}),
    ([("card", "pirate"), ("target", "2"), ("kind", "pass")], {"kind": "pass"}),
    ([("with", "officer")], {"kind": "respond", "with": "officer"}),
    ([("kind", "respond"), ("with", "none")], {"kind": "respond", "with": None}),
    ([("kind", "discard"), ("cards", "pirate"), ("cards", "coin")], WIRES[3]),
    ([("kind", "discard")], {"kind": "discard", "cards": []}),
]


@pytest.mark.parametrize(("fields", "wire"), FORMS, ids=str)
def test_a_form_is_read(fields: list[tuple[str, str]], wire: dict[str, Any]) -> None:
    assert GAME.from_form(fields) == wire
    assert GAME.parse(GAME.from_form(fields)).wire() == wire


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("card", "pirate")],
        [("target", "1")],
        [("kind", "play"), ("card", "pirate")],
        [("card", "pirate"), ("card", "coin"), ("target", "1")],
        [("card", "pirate"), ("target", "10")],
        [("card", "pirate"), ("target", "\u00b2")],
        [("card", "pirate"), ("target", "")],
        [("cards", "coin")],
        [("kind", "pass"), ("cards", "coin")],
        [("kind", "pass"), ("with", "coin")],
        [("kind", "discard"), ("card", "coin")],
        [("with", "null")],
        [("with", "coin"), ("kind", "play")],
    ],
    ids=str,
)
def test_any_other_form_is_malformed(fields: list[tuple[str, str]]) -> None:
    with pytest.raises(Malformed):
        GAME.parse(GAME.from_form(fields))
