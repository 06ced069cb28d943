"""The search for cards finds them in every wrapping that our pages and messages use."""

from __future__ import annotations

import pytest

from tests.secrets.cards import in_json, in_text, pieces, without_faces


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
