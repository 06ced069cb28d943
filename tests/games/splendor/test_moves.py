"""Moves on the wire and from forms: one spelling, and nothing else gets through."""

from __future__ import annotations

from typing import Any

import pytest

from app.games.contract import Fields, Malformed
from app.games.splendor.moves import (
    Buy,
    ChooseNoble,
    Move,
    Pass,
    Reserve,
    ReserveBlind,
    Return,
    Take,
)
from tests.games.splendor.positions import GAME

SPELLINGS: list[tuple[dict[str, Any], Move]] = [
    ({"kind": "take", "gems": ["white", "blue", "red"]}, Take(("white", "blue", "red"))),
    ({"kind": "take", "gems": ["green", "green"]}, Take(("green", "green"))),
    ({"kind": "take", "gems": []}, Take(())),
    ({"kind": "take", "gems": ["gold"]}, Take(("gold",))),
    ({"kind": "reserve", "card": 17}, Reserve(17)),
    ({"kind": "reserve", "deck": 2}, ReserveBlind(2)),
    ({"kind": "buy", "card": 17}, Buy(17)),
    ({"kind": "buy", "card": 17, "gold": {}}, Buy(17, (0, 0, 0, 0, 0))),
    ({"kind": "buy", "card": 0, "gold": {"red": 1}}, Buy(0, (0, 0, 0, 1, 0))),
    ({"kind": "buy", "card": 89, "gold": {"white": 2, "black": 3}}, Buy(89, (2, 0, 0, 0, 3))),
    ({"kind": "return", "tokens": {"red": 1, "gold": 1}}, Return((0, 0, 0, 1, 0, 1))),
    ({"kind": "choose_noble", "noble": 3}, ChooseNoble(3)),
    ({"kind": "pass"}, Pass()),
]


@pytest.mark.parametrize(("data", "move"), SPELLINGS, ids=str)
def test_the_spelling_of_the_rules(data: dict[str, Any], move: Move) -> None:
    assert GAME.parse(data) == move
    assert move.wire() == data


@pytest.mark.parametrize(
    ("data", "wire"),
    [
        (
            {"gems": ["red", "white", "blue"], "kind": "take"},
            {"kind": "take", "gems": ["white", "blue", "red"]},
        ),
        (
            {"kind": "buy", "card": 1, "gold": {"black": 0, "red": 2, "blue": 1}},
            {"kind": "buy", "card": 1, "gold": {"blue": 1, "red": 2}},
        ),
        (
            {"kind": "return", "tokens": {"gold": 1, "white": 0, "blue": 2}},
            {"kind": "return", "tokens": {"blue": 2, "gold": 1}},
        ),
    ],
)
def test_other_orders_and_zeros_are_brought_into_one_spelling(
    data: dict[str, Any], wire: dict[str, Any]
) -> None:
    again = GAME.parse(data).wire()
    assert again == wire
    assert list(again) == list(wire)
    for key in ("gold", "tokens"):
        assert list(again.get(key, ())) == list(wire.get(key, ()))


class LooksLikeText(str):
    """Equal to a colour, and not plain text."""

    __slots__ = ()


NO_NUMBERS: list[Any] = [None, True, False, -1, 90, 10**400, 1.0, "1", "", [], {}]
BAD: list[Any] = [
    *(None, True, 0, 1.5, float("nan"), "", "pass", [], ["pass"], {}),
    {"kind": "Pass"},
    {"kind": None},
    {"kind": []},
    {"kind": True},
    {"kind": "pass", "seat": 0},
    {"kind": "take"},
    {"kind": "take", "gems": "red"},
    {"kind": "take", "gems": {"red": 1}},
    {"kind": "take", "gems": ["red", 1]},
    {"kind": "take", "gems": ["Red"]},
    {"kind": "take", "gems": ["r"]},
    {"kind": "take", "gems": [["red"]]},
    {"kind": "take", "gems": [LooksLikeText("red")]},
    {"kind": "take", "gems": ["red"] * 11},
    {"kind": "take", "gems": ["red"], "gold": {}},
    {"kind": "reserve"},
    {"kind": "reserve", "card": 1, "deck": 1},
    {"kind": "reserve", "card": 1, "gold": {}},
    *({"kind": "reserve", "card": value} for value in NO_NUMBERS),
    *({"kind": "reserve", "deck": value} for value in (*NO_NUMBERS, 0, 4)),
    {"kind": "buy"},
    {"kind": "buy", "gold": {}},
    {"kind": "buy", "card": 1, "cost": {}},
    {"kind": "buy", "card": 1, "points": 5},
    *({"kind": "buy", "card": value} for value in NO_NUMBERS),
    {"kind": "buy", "card": 1, "gold": None},
    {"kind": "buy", "card": 1, "gold": 1},
    {"kind": "buy", "card": 1, "gold": ["red"]},
    {"kind": "buy", "card": 1, "gold": {"gold": 1}},
    {"kind": "buy", "card": 1, "gold": {"pink": 1}},
    {"kind": "buy", "card": 1, "gold": {1: 1}},
    *({"kind": "buy", "card": 1, "gold": {"red": value}} for value in (*NO_NUMBERS, 11)),
    {"kind": "return"},
    {"kind": "return", "tokens": []},
    {"kind": "return", "tokens": {"pink": 1}},
    {"kind": "return", "tokens": {"red": 1}, "seat": 0},
    *({"kind": "return", "tokens": {"gold": value}} for value in (*NO_NUMBERS, 11)),
    {"kind": "choose_noble"},
    *({"kind": "choose_noble", "noble": value} for value in (*NO_NUMBERS, 10)),
    {"kind": "choose_noble", "noble": 1, "points": 3},
]


@pytest.mark.parametrize("data", BAD, ids=lambda data: ascii(data)[:60])
def test_anything_else_is_malformed(data: Any) -> None:
    with pytest.raises(Malformed):
        GAME.parse(data)


FORMS: list[tuple[Fields, dict[str, Any]]] = [
    ([("kind", "take")], {"kind": "take", "gems": []}),
    (
        [("gems", "white"), ("gems", "red"), ("kind", "take"), ("gems", "blue")],
        {"kind": "take", "gems": ["white", "red", "blue"]},
    ),
    ([("kind", "take"), ("gems", "red red")], {"kind": "take", "gems": ["red", "red"]}),
    ([("card", "17"), ("kind", "reserve")], {"kind": "reserve", "card": 17}),
    ([("card", "deck2"), ("kind", "reserve")], {"kind": "reserve", "deck": 2}),
    ([("card", "17"), ("kind", "buy")], {"kind": "buy", "card": 17}),
    ([("card", "17"), ("gold", ""), ("kind", "buy")], {"kind": "buy", "card": 17, "gold": {}}),
    (
        [("card", "17"), ("gold", "red blue red"), ("kind", "buy")],
        {"kind": "buy", "card": 17, "gold": {"red": 2, "blue": 1}},
    ),
    (
        [("kind", "return"), ("white", "0"), ("red", "2"), ("gold", ""), ("blue", "1")],
        {"kind": "return", "tokens": {"white": 0, "red": 2, "blue": 1}},
    ),
    ([("kind", "return")], {"kind": "return", "tokens": {}}),
    ([("kind", "choose_noble"), ("noble", "3")], {"kind": "choose_noble", "noble": 3}),
    ([("kind", "pass")], {"kind": "pass"}),
]


@pytest.mark.parametrize(("fields", "data"), FORMS)
def test_forms(fields: Fields, data: dict[str, Any]) -> None:
    assert GAME.from_form(fields) == data
    GAME.parse(GAME.from_form(fields))


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("kind", "")],
        [("kind", "win")],
        [("gems", "red")],
        [("kind", "pass"), ("kind", "pass")],
        [("kind", "pass"), ("seat", "1")],
        [("kind", "pass"), ("gems", "red")],
        [("kind", "take"), ("card", "1")],
        [("kind", "reserve")],
        [("kind", "reserve"), ("card", "")],
        [("kind", "reserve"), ("card", "deck")],
        [("kind", "reserve"), ("card", "-1")],
        [("kind", "reserve"), ("card", "x")],
        [("kind", "reserve"), ("card", "100")],
        [("kind", "reserve"), ("card", "\uff11")],
        [("kind", "reserve"), ("card", "1"), ("card", "2")],
        [("kind", "reserve"), ("card", "1"), ("gold", "")],
        [("kind", "buy"), ("gold", "red")],
        [("kind", "buy"), ("card", "1"), ("noble", "1")],
        [("kind", "return"), ("red", "one")],
        [("kind", "return"), ("red", "-1")],
        [("kind", "return"), ("red", "9" * 5000)],
        [("kind", "return"), ("pink", "1")],
        [("kind", "choose_noble")],
        [("kind", "choose_noble"), ("noble", "")],
    ],
)
def test_a_form_with_other_fields_is_malformed(fields: Fields) -> None:
    with pytest.raises(Malformed):
        GAME.from_form(fields)


@pytest.mark.parametrize(
    "fields",
    [
        [("kind", "take"), ("gems", "pink")],
        [("kind", "take"), ("gems", "red " * 500)],
        [("kind", "buy"), ("card", "1"), ("gold", "pink")],
        [("kind", "buy"), ("card", "1"), ("gold", "red " * 500)],
        [("kind", "buy"), ("card", "deck1")],
        [("kind", "reserve"), ("card", "99")],
        [("kind", "reserve"), ("card", "deck4")],
        [("kind", "return"), ("red", "99")],
    ],
)
def test_wrong_values_in_a_form_are_malformed_too(fields: Fields) -> None:
    with pytest.raises(Malformed):
        GAME.parse(GAME.from_form(fields))
