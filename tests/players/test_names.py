"""Names: cleaned for the eye, never used to find anybody."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.players.names import NAME_MOST, BadName, clean_name

CLEANED = [
    ("Ann", "Ann"),
    ("ann", "ann"),
    ("Ann ", "Ann"),
    ("  Ann \t\r\n Lee  ", "Ann Lee"),
    ("Ann\u00a0\u2003\u3000Lee", "Ann Lee"),
    ("Ann\u2028Lee\u2029", "Ann Lee"),
    ("Ann\u200b", "Ann"),
    ("\ufeffA\u200cn\u200dn\u2060", "Ann"),
    ("\u0410nn", "\u0410nn"),  # a Cyrillic A stays what it is
    ("\u202eAnn\u202c", "Ann"),
    ("\u2066Ann\u2069\u200e\u200f\u061c", "Ann"),
    ("A\u0000n\u0007n\u001b[31m\u007f\u0085", "Ann[31m"),
    ("\ud800Ann\udfff", "Ann"),
    ("\ue000Ann\U000f0000", "Ann"),
    ("Ann\u3164\u115f\u1160\uffa0\u2800\u034f", "Ann"),
    ("Ann\ufe0f\ufe00\U000e0100", "Ann"),
    ("Zoe\u0308", "Zo\u00eb"),
    ("Ze\u200b\u0308", "Z\u00eb"),
    ("\u0301\u0301Ann", "Ann"),
    ("a" + "\u0335" * 40, "a" + "\u0335" * 3),
    ("\u05e8\u05d5\u05ea", "\u05e8\u05d5\u05ea"),
    ("\u0928\u093f\u0936\u093e", "\u0928\u093f\u0936\u093e"),
    ("<svg/onload=alert()>", "<svg/onload=alert()>"),
    ("{{7*7}}", "{{7*7}}"),
    ("\U0001f984", "\U0001f984"),
    ("\u2764\ufe0f", "\u2764\ufe0f"),
    ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
    ("\U0001f469\U0001f3fd\u200d\U0001f680", "\U0001f469\U0001f3fd\u200d\U0001f680"),
    ("\U0001f469\u200dAnn", "\U0001f469Ann"),
]


@pytest.mark.parametrize(("text", "name"), CLEANED, ids=range(len(CLEANED)))
def test_names_are_cleaned(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text", ["", " ", "\u200b", "\u0000", "\ud800", "\u202e\u202c", "\u0301", "\u3164", "\ufe0f"]
)
def test_a_name_that_nobody_sees_is_refused(text: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(text)
    assert refused.value.code == "name_empty"


LONG = [
    "a" * (NAME_MOST + 1),
    "a" * 500,
    "\U0001f984" * 25,
    ("\U0001f469\u200d" * 50) + "\U0001f680",
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_a_name_too_long_is_refused_not_cut(text: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(text)
    assert refused.value.code == "name_too_long"
    assert refused.value.facts == {"most": NAME_MOST}


def test_length_is_counted_as_people_do() -> None:
    for text in ("a" * 24, "\U0001f984" * 24, "q\u0308" * 24, "\U0001f469\u200d\U0001f680" * 24):
        assert clean_name(text) == text


@given(st.text(st.characters(), max_size=40))
def test_a_clean_name_is_clean(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName:
        return
    assert clean_name(name) == name
    assert name == unicodedata.normalize("NFC", name)
    assert name == name.strip()
    name.encode("utf-8")
    assert "\u0000" not in name
    assert not {unicodedata.category(char) for char in name} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert all(char == "\u200d" or unicodedata.category(char) != "Cf" for char in name)
