"""Codes: hard to guess, easy to say, and read back however they are written."""

import math
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rooms.codes import CONSONANTS, SYLLABLES, VOWELS, new_code, parse_code

CODE = "bado-keli-mofu-tasi"


def test_a_code_holds_at_least_50_bits() -> None:
    assert len(set(CONSONANTS)) == 16
    assert len(set(VOWELS)) == 5
    assert math.log2((16 * 5) ** SYLLABLES) > 50


def test_every_syllable_is_drawn_evenly() -> None:
    codes = [new_code() for _ in range(4000)]
    assert len(set(codes)) == len(codes)
    for place in range(SYLLABLES):
        at = place // 2 * 5 + place % 2 * 2
        counts = Counter(code[at : at + 2] for code in codes)
        assert len(counts) == 80
        # 50 expected, standard deviation 7
        assert max(counts.values()) < 50 + 6 * 7


def test_a_code_reads_back_as_itself() -> None:
    for _ in range(500):
        code = new_code()
        assert re.fullmatch("[a-z]{4}(-[a-z]{4}){3}", code)
        assert parse_code(code) == code


SPELLINGS = [
    "BADO-KELI-MOFU-TASI",
    "bado keli mofu tasi",
    "badokelimofutasi",
    "  Bado-Keli-Mofu-Tasi \n",
    "ba do ke li mo fu ta si",
    "bado\u2013keli\u2014mofu_tasi",
    "bado.keli,mofu:tasi",
    "b\u00e0do-keli-mofu-tasi",
    "\uff42ado-keli-mofu-tasi",
    "bad0-keli-m0fu-tasi",
    "bado-keli-mofu-tas1",
    "bado-celi-mofu-tasy",
    "bado-keli-mophu-tasi",
    "http://localhost:8000/r/bado-keli-mofu-tasi",
    "https://games.example/r/bado-keli-mofu-tasi/?from=chat#top",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_code_is_understood_as_people_write_it(text: str) -> None:
    assert parse_code(text) == CODE


NONE = [
    "",
    "bado",
    "bado-keli-mofu",
    "bado-keli-mofu-tasi-ba",
    "abdo-keli-mofu-tasi",
    "xado-keli-mofu-tasi",
    "bado-keli-mofu-ta5i",
    "\u0000",
    "\ud800",
    "-" * 10_000,
    CODE * 100,
    "' or 1=1 --",
    "../../etc/passwd",
]


@pytest.mark.parametrize("text", NONE, ids=range(len(NONE)))
def test_what_cannot_be_a_code_is_none(text: str) -> None:
    assert parse_code(text) is None


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    code = parse_code(text)
    assert code is None or parse_code(code) == code
