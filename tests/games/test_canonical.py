"""The one canonical text of JSON data."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.canonical import canonical_json

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)

SPELLED: list[tuple[Any, str]] = [
    ({"b": 1, "a": [True, None, False]}, '{"a":[true,null,false],"b":1}'),
    ({"B": 1, "a": 1, "A": 1, "aa": 1}, '{"A":1,"B":1,"a":1,"aa":1}'),
    ((1, (2,)), "[1,[2]]"),
    ({}, "{}"),
    (-0, "0"),
    (10**30, "1" + "0" * 30),
    ("\u00e4\u007f~ /", '"\\u00e4\\u007f~ /"'),
    ('"\\\b\f\n\r\t\u0000', '"\\"\\\\\\b\\f\\n\\r\\t\\u0000"'),
    ("\U0001f984", '"\\ud83e\\udd84"'),
    ("\ud800", '"\\ud800"'),
]


@pytest.mark.parametrize(("data", "text"), SPELLED, ids=range(len(SPELLED)))
def test_data_has_one_spelling(data: Any, text: str) -> None:
    assert canonical_json(data) == text


@given(PLAIN)
def test_the_text_is_ascii_and_reads_back(data: Any) -> None:
    text = canonical_json(data)
    assert text.isascii()
    assert json.loads(text) == data
    assert canonical_json(json.loads(text)) == text


REFUSED: list[Any] = [
    1.0,
    float("nan"),
    float("inf"),
    [1, {"a": [0.5]}],
    {1: "a"},
    {None: "a"},
    {True: "a"},
    {"a": {2: 1}},
    b"a",
    {1, 2},
    object(),
    {"a": object()},
]


@pytest.mark.parametrize("data", REFUSED, ids=range(len(REFUSED)))
def test_what_has_no_one_spelling_is_refused(data: Any) -> None:
    with pytest.raises(TypeError, match="expected"):
        canonical_json(data)
