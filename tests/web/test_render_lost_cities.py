"""The page of Lost Cities: letters beside signs, how points came about, words for a take-back."""

from __future__ import annotations

import re
from dataclasses import replace

from app.web.render import Renderer
from tests.web.scenes import FIVE, SIX, URL, game, games

NAMES = ("Cy", "Di")


def _cells(renderer: Renderer, cards: list[str], points: int) -> list[str]:
    """Returns my cell and the other one's of the yellow row of the sheet of a single round."""
    scene = game(-1, FIVE, NAMES).scene(0)
    assert scene.view is not None
    laid = {"expeditions": [{"Y": cards} if cards else {}, {}], "scores": [{"Y": points}, {}]}
    drawn = renderer.regions(replace(scene, view={**scene.view, **laid}), "en")["result"]
    row = re.search(r'<tr class="s-Y">.*?</tr>', drawn, re.DOTALL)
    assert row
    plain = row[0].translate({ord("\N{MINUS SIGN}"): "-", ord("\N{MULTIPLICATION SIGN}"): "x"})
    return re.findall(r"<td>(.*?)</td>", plain)


def test_the_sheet_shows_how_the_points_of_an_expedition_came_about(renderer: Renderer) -> None:
    numbers = [f"Y{n}" for n in range(2, 8)]
    for cards, points, parts in (
        (["Y$", "Y3"], -34, "(3 - 20) x 2"),
        (["Y5", "Y10"], -5, "15 - 20"),
        (["Y$", "Y$", *numbers], 41, "(27 - 20) x 3 + 20"),
    ):
        mine, _ = _cells(renderer, cards, points)
        assert mine == f'{points}<small class="parts">{parts}</small>'


def test_an_expedition_worth_nothing_is_not_one_that_was_never_begun(renderer: Renderer) -> None:
    begun, never = _cells(renderer, ["Y2", "Y3", "Y4", "Y5", "Y6"], 0)
    assert begun == '0<small class="parts">20 - 20</small>'
    assert never == '<span class="vh">not begun</span>'


def test_points_of_earlier_rounds_are_told_without_their_parts(renderer: Renderer) -> None:
    end = game(-1, SIX, NAMES)
    drawn = renderer.regions(end.scene(0), "en")["result"]
    tables = re.findall("<table>.*?</table>", drawn, re.DOTALL)
    assert len(tables) == 3
    assert not any("parts" in table or "not begun" in table for table in tables[:2])
    assert "parts" in tables[2]
    assert all(table.count("(you)") == 1 for table in tables)


def test_every_card_has_the_letter_of_its_colour_beside_its_sign(renderer: Renderer) -> None:
    page = renderer.room_page(game(0, SIX, NAMES).scene(0), "en", url=URL)
    for letter in "YBWGRP":
        for kind in ("land", "slim"):
            drawn = re.search(rf'<symbol id="{kind}-{letter}".*?</symbol>', page, re.DOTALL)
            assert drawn
            assert re.sub("<[^>]*>", "", drawn[0]).strip() == letter
            assert '<use class="on"' in drawn[0]


def test_the_card_that_would_be_taken_back_is_named(renderer: Renderer) -> None:
    said = 0
    for now in games(4, names=NAMES):
        for seat in (0, 1):
            scene = now.scene(seat)
            if scene.undo:
                drawn = re.sub("<[^>]*>", "", renderer.regions(scene, "en")["undo"]).strip()
                value = str(scene.undo.events[0]["card"])[1:].replace("$", "investment")
                assert re.fullmatch(rf"Take back: \w+ {value}", drawn)
                said += 1
    assert said


def test_of_equal_investments_in_a_hand_only_one_was_just_drawn(renderer: Renderer) -> None:
    """Neither of the two alike, nor both: one glows, and one is read out as new."""
    looked = 0
    for now in (now for seed in range(12) for now in games(seed, names=NAMES)):
        for seat in (0, 1):
            scene = now.scene(seat)
            mine = [told for told in now.told if told.seat == seat]
            if not mine or not scene.view or scene.outcome:
                continue
            drew = [event.seen_by(seat) for event in mine[-1].events if event.kind == "drew"]
            if drew and scene.view["hand"].count(drew[0]["card"]) > 1:
                drawn = renderer.regions(scene, "en")["prompt"]
                assert drawn.count('class="c new"') == 1
                assert drawn.count("just drawn") == 1
                looked += 1
    assert looked
