"""The page of Splendor: what is asked, paid, given back and told at the end, in signs and words."""

from __future__ import annotations

import re

from app.web.render import Renderer
from tests.games.splendor.positions import has, new_game, position, tokens
from tests.web.scenes import URL
from tests.web.splendor_scenes import NAMES, SPLENDOR, at, games, stages


def test_a_payment_shows_what_is_paid_and_the_first_one_is_at_hand(renderer: Renderer) -> None:
    """With a choice of gold, too, the button itself says what leaves the hand."""
    drawn = renderer.regions(at(stages()["take"], 0), "en")["prompt"]
    choices = re.findall(r'<form class="act".*?</form>', drawn, re.DOTALL)
    assert choices
    for form in choices:
        first, *others = re.findall(r"<button.*?</button>", form, re.DOTALL)
        assert others
        assert 'class="main"' in first
        assert first not in form[form.index("<details") :]
        for button in (first, *others):
            words = re.search(r'name="gold" value="([^"]*)"', button)[1].split()  # type: ignore[index]
            gold = re.search(r'<use href="#G(\d)"', button)
            assert len(words) == (int(gold[1]) if gold else 0)


def test_a_chosen_card_says_what_is_lacking_where_only_a_pass_is_left(renderer: Renderer) -> None:
    state = stages()["pass"]
    assert SPLENDOR.prompt(state, 0).stage == "pass"  # type: ignore[union-attr]
    drawn = renderer.regions(at(state, 0), "en")["prompt"]
    assert drawn.count("You lack") == len(state.players[0].reserved)
    assert "looking ahead" not in drawn
    assert "looking ahead" in renderer.regions(at(state, 1), "en")["prompt"]


def test_each_token_to_give_back_is_drawn_once_with_all_that_is_held(renderer: Renderer) -> None:
    state = position(has(tokens(white=4, blue=3, red=2, green=4)), stage="return")
    drawn = renderer.regions(at(state, 0), "en")["prompt"]
    kinds = re.findall(r'<fieldset class="give">.*?</fieldset>', drawn, re.DOTALL)
    counts = [re.findall(r'class="count" aria-hidden="true">(\d)<', kind) for kind in kinds]
    assert counts == [["4"], ["3"], ["4"], ["2"]]
    assert [kind.count('class="token"') for kind in kinds] == [1] * 4


def test_a_few_words_say_what_would_be_taken_back(renderer: Renderer) -> None:
    said = set()
    for now in games(2, 4):
        for seat in range(4):
            scene = now.scene(seat)
            if scene.undo:
                drawn = renderer.regions(scene, "en")["undo"]
                said.add((scene.undo.events[0]["kind"], re.sub("<[^>]*>", "", drawn).strip()))
    assert said == {("took", "Take back: the gems")}


def test_the_sheet_names_who_reached_the_target_and_me(renderer: Renderer) -> None:
    end = games(1, 4)[-1]
    told = [event for line in end.scene(0).log for event in line.events]
    first = next(event["seat"] for event in told if event["kind"] == "target_reached")
    for seat in range(4):
        drawn = renderer.regions(end.scene(seat), "en")["result"]
        who = "You" if seat == first else f"<bdi>{NAMES[first]}</bdi>"
        assert f"{who} reached 15 points" in drawn
        table = drawn[drawn.index("<table") :]
        assert table.count("(you)") == 1
        assert re.search(rf"{NAMES[seat]}</bdi> <span[^>]*>\(you\)", table)


def test_every_number_on_a_gem_stands_beside_its_letter(renderer: Renderer) -> None:
    page = renderer.room_page(at(new_game(), 0), "en", url=URL)
    for letter in "DSEROG":
        for number in (*range(1, 19), "c"):
            drawn = re.search(rf'<symbol id="{letter}{number}".*?</symbol>', page)
            assert drawn
            assert re.sub("<[^>]*>", "", drawn[0]) == f"{number}{letter}".removeprefix("c")


def test_a_level_has_one_sign_on_decks_and_on_cards_reserved_unseen(renderer: Renderer) -> None:
    page = renderer.room_page(at(new_game(), 0), "en", url=URL)
    for level in (1, 2, 3):
        for kind in ("back", "blind"):
            drawn = re.search(rf'<symbol id="{kind}-{level}".*?</symbol>', page)
            assert drawn
            assert drawn[0].count('class="numeral"') == level
            assert "<circle" not in drawn[0]
