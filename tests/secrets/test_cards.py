"""The search for cards finds them in every wrapping that our pages and messages use."""

from __future__ import annotations

import pytest

from tests.games.lost_cities.secrets import in_json, in_text
from tests.games.splendor import secrets as splendor
from tests.secrets.reading import pieces, without_faces


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ('<svg class="c" data-piece="R7"><use href="#R7"/></svg>', "R7"),
        ('<input type="radio" name="card" value="Y10">', "Y10"),
        ('<b class="k s-G">green 3</b>', "G3"),
        ("<span>blue\n investment</span>", "B$"),
        ('aria-label="white 9"', "W9"),
        ('<p class="hand-P2">', "P2"),
        ("R7,R8", "R8"),
    ],
)
def test_a_card_is_found_in_html(text: str, card: str) -> None:
    assert card in in_text(text)


@pytest.mark.parametrize("text", ["#sign-R", 'data-place="0Y"', "4bB2f0c", "12 cards left", "R70"])
def test_what_is_no_card_is_not_taken_for_one(text: str) -> None:
    assert in_text(text) == set()


def test_cards_are_found_anywhere_in_json() -> None:
    data = {"hand": ["R7"], "B$": 1, "deep": [{"x": {"log": "you drew yellow 4"}}], "n": 3}
    assert in_json(data) == {"R7", "B$", "Y4"}


def test_cards_on_a_page_are_counted_without_the_drawings_of_all() -> None:
    faces = '<svg class="vh faces" width="0"><symbol id="R7"><path/></symbol></svg>'
    page = f'{faces}<svg class="c" data-piece="Y$"></svg><svg class="c" data-piece="Y$"></svg>'
    assert pieces(page) == {"Y$": 2}
    assert in_text(without_faces(page)) == {"Y$"}


def test_cards_of_splendor_are_found_on_pages_and_in_json() -> None:
    slot = '<input name="card" value="17"><label data-piece="18"></label><b data-card="3">'
    assert splendor.in_text(slot + '<input name="prompt" value="9">') == {"17", "18", "3"}
    data = {"v": 4, "market": {"1": [0, None]}, "new": 5, "bank": {"red": 7}, "html": slot}
    assert splendor.in_json(data) == {"0", "5", "17", "18", "3"}
