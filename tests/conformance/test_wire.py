"""Whatever arrives is one move in one spelling, or `Malformed`."""

from __future__ import annotations

import contextlib
import json
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.games.contract import Json, Malformed
from tests.conformance.driver import AnyGame
from tests.conformance.plain import assert_plain, text
from tests.conformance.probes import changed, known_wires

TEXTS = st.text(alphabet=st.characters(), max_size=8)
"""Any text, control characters and lone surrogates among it."""

ODD_TEXTS = st.sampled_from(["\0", "\ud800", "\udfff\ud800", "9" * 5000, "-1", "\uff11", "1e999"])
NUMBERS = st.integers() | st.sampled_from([2**63, -(2**64), 10**400])
LEAVES = st.none() | st.booleans() | NUMBERS | st.floats() | TEXTS | ODD_TEXTS
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)
)
EXAMPLES_A_GAME = 10
"""Inputs tried for each of the random games that were asked for."""


def fuzz(games: int) -> settings:
    """Returns how the inputs of a test are made: as many as its number of games is worth."""
    return settings(
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=EXAMPLES_A_GAME * games,
        suppress_health_check=[HealthCheck.too_slow],
    )


def _nested(depth: int) -> Json:
    data: Json = 0
    for _ in range(depth):
        data = [data]
    return data


def _parse(game: AnyGame, data: Json) -> None:
    """Parses data that need be no move; if it is one, it must have one spelling."""
    try:
        move = game.parse(data)
    except Malformed:
        return
    wire = move.wire()
    assert_plain(wire, "move")
    assert game.parse(wire) == move
    assert text(game.parse(wire).wire()) == text(wire)


def test_each_move_is_read_back_from_its_one_spelling(game: AnyGame) -> None:
    for wire in known_wires(game.meta.key):
        move = game.parse(wire)
        assert text(move.wire()) == text(wire)
        again = game.parse(json.loads(text(wire)))
        assert again == move
        backwards = dict(reversed(wire.items()))
        assert text(game.parse(backwards).wire()) == text(wire)


def test_a_field_too_many_is_malformed(game: AnyGame) -> None:
    for wire in known_wires(game.meta.key):
        with pytest.raises(Malformed):
            game.parse({**wire, "extra": 1})


def test_deep_nesting_is_malformed(game: AnyGame) -> None:
    deep = _nested(5000)
    wire = known_wires(game.meta.key)[0]
    for data in (deep, *({**wire, key: deep} for key in wire)):
        with pytest.raises(Malformed):
            game.parse(data)


def test_any_data_is_parsed_or_malformed(game: AnyGame, games: int) -> None:
    @fuzz(games)
    @given(data=ANYTHING)
    @example(data=float("nan"))
    @example(data={"kind": float("inf")})
    @example(data={"kind": []})
    @example(data={"kind": None})
    def check(data: Json) -> None:
        _parse(game, data)

    check()


def test_a_damaged_move_is_parsed_or_malformed(game: AnyGame, games: int) -> None:
    @fuzz(games)
    @given(seed=st.integers(0, 2**32), times=st.integers(1, 4))
    def check(seed: int, times: int) -> None:
        random = Random(seed)
        wire = random.choice(known_wires(game.meta.key))
        for _ in range(times):
            wire = changed(wire, random)
            if not wire:
                break
        _parse(game, wire)

    check()


def test_any_value_in_a_move_is_parsed_or_malformed(game: AnyGame, games: int) -> None:
    @fuzz(games)
    @given(seed=st.integers(0, 2**32), value=ANYTHING)
    @example(seed=2, value=10**400)
    def check(seed: int, value: Json) -> None:
        random = Random(seed)
        wire = random.choice(known_wires(game.meta.key))
        _parse(game, {**wire, random.choice(list(wire)): value})

    check()


def test_any_form_is_read_or_malformed(game: AnyGame, games: int) -> None:
    wires = known_wires(game.meta.key)
    names = sorted({key for wire in wires for key in wire})
    kinds = sorted({wire["kind"] for wire in wires})
    name = st.sampled_from([*names, "action", "draw"]) | TEXTS
    value = st.sampled_from([*kinds, "0", "1", "deck"]) | TEXTS | ODD_TEXTS

    @fuzz(games)
    @given(fields=st.lists(st.tuples(name, value), max_size=6))
    def check(fields: list[tuple[str, str]]) -> None:
        with contextlib.suppress(Malformed):
            _parse(game, game.from_form(fields))

    check()
