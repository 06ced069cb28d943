"""What may be said, how long it may be, and how often."""

from __future__ import annotations

import pytest

from app.chat.lines import TEXT_MOST, checked_reaction, clean_text
from app.chat.pace import Pace
from app.chat.refused import ChatRefused
from app.database import new_id


@pytest.mark.parametrize(
    "text",
    ["<svg/onload=alert()>", "{{7*7}}", "</script>", "Ā ﬁ — “so”", "\N{FAMILY}\N{FIRE} 100 %"],
)
def test_text_stays_as_it_was_typed(text: str) -> None:
    assert clean_text(text) == text


def test_what_would_disturb_the_text_around_it_is_dropped() -> None:
    assert clean_text(" \u202eso\u2066\u200b\n\tmuch\u0000 ") == "so much"


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u202e", "\u3164", "\x00"])
def test_nothing_to_read_is_nothing(text: str) -> None:
    with pytest.raises(ChatRefused) as refused:
        clean_text(text)
    assert refused.value.code == "chat_empty"


def test_a_line_is_as_long_as_people_count() -> None:
    assert clean_text("e\u0301" * TEXT_MOST) == "é" * TEXT_MOST
    wave = "\N{WAVING HAND SIGN}\U0001f3fd"
    assert clean_text(wave * TEXT_MOST) == wave * TEXT_MOST
    for text in ("a" * (TEXT_MOST + 1), "\u200b" * 100_000 + "a", "e" + "\u0301" * 5000):
        with pytest.raises(ChatRefused) as refused:
            clean_text(text)
        assert (refused.value.code, refused.value.facts) == ("chat_too_long", {"most": TEXT_MOST})


def test_only_known_reactions_are_taken() -> None:
    assert checked_reaction("bravo") == "bravo"
    with pytest.raises(ChatRefused):
        checked_reaction("<svg>")


def test_five_things_within_ten_seconds() -> None:
    now = 100.0
    pace = Pace(clock=lambda: now)
    ann, bo = new_id(), new_id()
    waits = []
    for at in (100, 101, 102, 103, 104, 105, 109.5):
        now = at
        waits.append(pace.wait(ann))
    assert waits == [0, 0, 0, 0, 0, 5, 0.5]
    assert pace.wait(bo) == 0
    now = 110.0
    assert (pace.wait(ann), pace.wait(ann)) == (0, 1)
