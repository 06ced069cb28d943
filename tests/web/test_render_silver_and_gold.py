"""The page of Silver & Gold: what is legal can be chosen, nothing can be looked up too early."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from app.games.contract import Json
from app.games.silver_and_gold.maps import MAPS
from app.games.silver_and_gold.state import State
from app.realtime.scene import Scene
from app.web.render import Renderer
from tests.games.silver_and_gold.positions import (
    after,
    all_but,
    has,
    held,
    legal,
    mark,
    new_game,
    position,
    squares,
)
from tests.web.reading import (
    Shape,
    assert_names_are_text,
    assert_self_contained,
    change_sizes,
    in_brackets,
    outside_brackets,
)
from tests.web.scenes import URL, Game
from tests.web.silver_scenes import NAMES, ONE, SILVER, at, games

PATTERNS = {
    "domino": "two in a line",
    "line3_a": "three in a line",
    "line3_b": "three in a line",
    "corner3_a": "corner of three",
    "corner3_b": "corner of three",
    "tee4": "T of four",
    "ell4": "L of four",
    "square4": "block of four",
}


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(ONE)


def stages() -> dict[str, State]:
    """One position for each question, the first seat's, and one in which it waits."""
    two = position(has(5, 22, coins=3, palms=(2,)), has(14, 39), expedition="corner3_a")
    done = position(has(all_but(37, (0, 0)), 5), has(14, 39), display=[1, 2, 30, None])
    cross = squares(22, "x")[0]
    return {
        "keep": new_game(2),
        "mark": two,
        "extra": after(two, (0, mark(22, cross))),
        "wait": after(two, (0, mark(22, (1, 0)))),
        "take_map": after(done, (0, mark(37, (0, 0))), (1, mark(39, (0, 0)))),
        "no_map": position(has(completed=(12, 27)), has(14)),
    }


def end(tie: str | None = None) -> Scene:
    """A finished game; with a tie the same points twice."""
    state = games(2, 2)[-1].position.state
    if tie is None:
        return at(state, 0)
    grey, green = (has(completed=(46, 47)), has(completed=(28,), coins=6))
    return at(replace(state, players=(grey, green)), 0)


def every_page(
    renderer: Renderer, lang: str = "en", names: tuple[str, ...] = NAMES
) -> dict[str, str]:
    """Each kind of page that this game draws."""
    free = games(4, 4, names, open_expeditions=True)
    strict = games(3, 3, names)
    scenes = {
        **{stage: at(state, 0, names) for stage, state in stages().items()},
        "watching": free[40].scene(None),
        "open": free[25].scene(0),
        "over": strict[-1].scene(0),
        "four": free[-1].scene(None),
        "tie": replace(end("grey"), room=at(stages()["mark"], 0, names).room),
    }
    return {page: renderer.room_page(scene, lang, url=URL) for page, scene in scenes.items()} | {
        "home": renderer.page("home", lang)
    }


def test_a_hostile_name_changes_no_element(renderer: Renderer) -> None:
    assert_names_are_text(lambda names: every_page(renderer, names=names), seats=4)


def test_nothing_needs_a_looser_policy_and_ids_are_unique(renderer: Renderer) -> None:
    for page, drawn in every_page(renderer).items():
        assert_self_contained(page, drawn)


def test_every_sentence_can_be_translated(tmp_path: Path) -> None:
    foreign = Renderer(ONE, texts=in_brackets(tmp_path))
    drawn_letters = r"(?<![^\W\d_])[POGR](?![^\W\d_])|[a-d][1-4]"
    own = re.compile(
        rf"Motherlode|{'|'.join(NAMES)}|English|Esperanto|{drawn_letters}|{re.escape(URL)}"
    )
    for page, drawn in every_page(foreign, "eo").items():
        shape = Shape(re.sub(r'<span class="key"[^>]*>[A-Z]</span>', "", drawn))
        for text in ("".join(shape.texts), *shape.attributes):
            outside = own.sub("", outside_brackets(text))
            assert not re.search(r"[^\W\d_]", outside), (page, outside)


def forms(renderer: Renderer, scene: Scene) -> str:
    """All regions of a page in one text."""
    return "".join(renderer.regions(scene, "en").values())


def sendable(renderer: Renderer, scene: Scene) -> list[dict[str, Json]]:
    """Every move that the page can send, in the order in which it offers them."""
    drawn = forms(renderer, scene)
    (kind,) = re.findall(r'name="kind" value="(\w+)"', drawn)
    if kind == "keep":
        maps = re.findall(r'type="checkbox" name="maps" value="(\d+)"', drawn)
        answers = [
            [("maps", one), ("maps", other)]
            for at, one in enumerate(maps)
            for other in maps[at + 1 :]
        ]
    else:
        name, values = {
            "take_map": ("map", r'type="radio" name="map" value="(\w+)"'),
        }.get(kind, ("place", r'<option value="([^"]+)"'))
        answers = [[(name, value)] for value in re.findall(values, drawn)]
    return [SILVER.parse(SILVER.from_form([("kind", kind), *fields])).wire() for fields in answers]


def questions() -> Iterator[tuple[Game, int]]:
    for seats in (2, 3, 4):
        for now in games(seats, seats):
            for seat in now.position.actors:
                yield now, seat


def test_what_can_be_sent_is_exactly_what_is_legal(renderer: Renderer) -> None:
    kinds = set()
    for now, seat in questions():
        moves = legal(now.position.state, seat)
        assert sendable(renderer, now.scene(seat)) == moves
        kinds.add(str(moves[0]["kind"]))
    assert kinds == {"keep", "mark", "extra", "take_map"}


def test_a_whole_pattern_is_offered_first(renderer: Renderer) -> None:
    drawn = forms(renderer, at(stages()["mark"], 0))
    first = re.search(
        r'<select [^>]*><optgroup label="([^"]+)" data-whole><option value="([^"]+)"', drawn
    )
    assert first
    assert first.groups() == ("The purple map no. 5: corner of three", "5 00 01 10")
    whole, single = drawn.index("data-whole"), drawn.index(": one square")
    assert whole < single


def test_my_half_made_placement_stays_while_the_others_act(renderer: Renderer) -> None:
    stayed = 0
    for seats in (2, 3, 4):
        history = games(seats, seats)
        for before, now in pairwise(history):
            for seat in before.position.actors:
                question = now.position.asked.get(seat)
                if question is None or question.n != before.position.asked[seat].n:
                    continue
                then, later = (
                    renderer.regions(moment.scene(seat), "en") for moment in (before, now)
                )
                assert [later[name] for name in ("prompt", "maps")] == [
                    then[name] for name in ("prompt", "maps")
                ]
                stayed += 1
    assert stayed > 100


def test_of_a_mark_others_see_only_that_it_is_made(renderer: Renderer) -> None:
    before = stages()["mark"]
    now = after(before, (0, mark(22, (1, 0))))
    for other in (1, None):
        then, later = (renderer.regions(at(state, other), "en") for state in (before, now))
        assert {name for name in then if then[name] != later[name]} <= {"who-0", "turn"}
        assert ", done" in later["who-0"]
        assert ", choosing" in then["who-0"]


def test_earlier_expeditions_of_a_round_are_on_no_page(renderer: Renderer) -> None:
    looked = 0
    for now in games(3, 3)[:-1]:
        state = now.position.state
        if state.stage != "mark" or state.round > 1:
            continue
        current = PATTERNS[SILVER.view(state, 0)["expedition"]]
        for seat in (0, None):
            text = forms(renderer, now.scene(seat)).lower()
            assert {words for words in PATTERNS.values() if words.lower() in text} == {current}
            looked += state.turn > 1
    assert looked > 20


def test_with_the_option_the_earlier_expeditions_can_be_read(renderer: Renderer) -> None:
    for now in games(4, 4, open_expeditions=True)[:-1]:
        view = SILVER.view(now.position.state, 0)
        drawn = renderer.regions(now.scene(0), "en")["expedition"]
        for key in view["past"] or ():
            assert PATTERNS[key] in drawn


def test_a_spectator_has_no_controls(renderer: Renderer) -> None:
    scenes = [now.scene(None) for now in games(3, 3)[:-1]]
    for scene in (*scenes, *(at(state, None) for state in stages().values())):
        assert not re.search("<(form|button|input|select)", forms(renderer, scene))


def brings(renderer: Renderer, state: State, place: str) -> str:
    """What the page says that a place brings, as text."""
    drawn = renderer.regions(at(state, 0), "en")["prompt"]
    key = re.search(rf'<option value="{place}" data-brings="([^"]+)"', drawn)
    assert key
    (words,) = re.findall(rf'<template data-brings="{key[1]}">(.*?)</template>', drawn, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", words).split())


def test_what_a_place_brings_is_said_in_numbers(renderer: Renderer) -> None:
    coin, cross = squares(22, "c")[0], squares(22, "x")[0]
    state = position(has(22, 42, coins=3), has(14), display=[4, 5, 30, 1])
    at_coin, at_cross = (f"22 {r}{c}" for r, c in (coin, cross))
    palm = "42 {}{}".format(*squares(42, "p")[0])
    assert brings(renderer, state, at_coin) == "1 coin a full row"
    assert brings(renderer, state, at_cross) == "1 more square"
    assert brings(renderer, state, palm) == "4 points"
    assert brings(renderer, state, "42 10") == "No symbol there."


def test_what_brings_nothing_more_is_said(renderer: Renderer) -> None:
    full = position(has(42, coins=12, palms=(1, 1, 1, 1)), has(14))
    palm = "42 {}{}".format(*squares(42, "p")[0])
    assert brings(renderer, full, palm) == "The symbols there bring nothing more."


def test_a_map_that_would_be_complete_is_said(renderer: Renderer) -> None:
    state = position(has(all_but(37, (0, 0)), 5), has(14))
    assert brings(renderer, state, "37 00") == "map complete: 8 points"


def test_squares_are_called_in_the_list_as_they_are_on_the_map(renderer: Renderer) -> None:
    drawn = renderer.regions(at(stages()["mark"], 0), "en")
    for number in (5, 22):
        island = re.search(rf'data-map="{number}".*?</section>', drawn["maps"], re.DOTALL)
        assert island
        for r, c in squares(number):
            name = f"{'abcd'[c]}{r + 1}"
            assert f'<text x="{c * 44 + 2}" y="{r * 44 + 10}">{name}</text>' in island[0]
            assert re.search(rf'<option value="{number} {r}{c}"[^>]*>{name}\b', drawn["prompt"])


def test_marks_of_this_turn_look_other_than_those_before(renderer: Renderer) -> None:
    state = position(has(held(22, [(0, 0)]), 5), has(14))
    drawn = renderer.regions(at(after(state, (0, mark(22, (1, 0)))), 0), "en")["maps"]
    assert '<path class="sg-marked" d="M4 4h36v36h-36z"/>' in drawn
    assert '<path class="sg-fresh" d="M4 48h36v36h-36z"/>' in drawn


def test_every_map_is_drawn_once_and_every_colour_has_a_sign_and_a_letter(
    renderer: Renderer,
) -> None:
    page = renderer.room_page(games(4, 4)[40].scene(0), "en", url=URL)
    for number in MAPS:
        assert page.count(f'<g id="m{number}">') == 1
    for colour, letter in {"purple": "P", "orange": "O", "green": "G", "grey": "R"}.items():
        assert page.count(f'<symbol id="sg-{colour}"') == 1
        badges = re.findall(rf'<span class="badge m-{colour}">.*?</span>', page)
        assert badges
        for badge in badges:
            assert f'href="#sg-{colour}"' in badge
            assert f">{letter}</b>" in badge


def test_the_end_shows_every_source_of_points(renderer: Renderer) -> None:
    scene = end()
    drawn = renderer.regions(scene, "en")["result"]
    assert scene.outcome
    outcome = scene.outcome
    order = sorted(range(2), key=lambda seat: outcome["ranking"][seat])
    for row, key in (
        ("Coins", "coins"),
        ("Trophies", "trophies"),
        ("Palms", "palms"),
        ("Maps", "maps"),
        ("Seals", "seals"),
    ):
        cells = "".join(f"<td>{outcome['scores'][seat][key]}</td>" for seat in order)
        assert re.search(rf">{row}</th>{cells}</tr>", drawn), row
    assert "Between equal points" not in drawn


def test_the_end_says_which_colour_decided(renderer: Renderer) -> None:
    scene = end("grey")
    assert scene.outcome
    assert scene.outcome["totals"] == [16, 16]
    drawn = renderer.regions(scene, "en")["result"]
    assert "Between equal points, more completed grey maps decide." in drawn
    assert '<tr class="m-grey first">' in drawn


def test_new_maps_are_marked_as_new(renderer: Renderer) -> None:
    found = 0
    for now in games(3, 3):
        newest = now.told[-1]
        for event in newest.events:
            if event.kind == "took_map" and event.facts["seat"] != 0 and newest.seat != 0:
                drawn = renderer.regions(now.scene(0), "en")[f"sheet-{event.facts['seat']}"]
                assert re.search(rf'mini [\w-]+ new" data-piece="m{event.facts["map"]}"', drawn)
                found += 1
    assert found > 3


def test_a_move_is_small_on_the_wire(renderer: Renderer) -> None:
    sizes = []
    for seats in (2, 3, 4):
        moments = (now.scene for now in games(seats, seats))
        sizes += change_sizes(renderer, moments, (*range(seats), None))
    assert statistics.median(sizes) <= 8_000
    assert max(sizes) <= 40_000


def test_every_refusal_has_its_own_sentence(renderer: Renderer) -> None:
    general = renderer.refusal(None, "no_such_code", {}, "en")
    facts: dict[str, Json] = {
        "map": 12,
        "maps": [5, 22],
        "display": [1, 2],
        "cells": [[0, 0], [3, 1]],
        "chosen": 3,
        "needed": 4,
        "extras": 2,
        "expedition": "tee4",
    }
    codes = (
        *("keep_first", "already_kept", "keep_two", "not_dealt", "mark_first", "already_marked"),
        *("no_map", "not_your_map", "off_the_map", "on_a_gap", "square_marked"),
        *("not_the_pattern", "extra_first", "no_extra", "nothing_to_take", "take_map_first"),
        *("not_in_display", "deck_empty"),
    )
    sentences = [renderer.refusal("silver_and_gold", code, facts, "en") for code in codes]
    assert len(set(sentences)) == len(codes)
    for sentence in sentences:
        assert sentence != general
        assert "\n" not in sentence
        assert sentence.endswith(".")


def test_what_would_be_taken_back_is_said(renderer: Renderer) -> None:
    keeping, marking, extra = None, None, None
    for now in games(3, 3):
        for seat in range(3):
            told = re.sub("<[^>]*>", "", renderer.regions(now.scene(seat), "en")["undo"]).strip()
            stage = now.position.state.stage
            keeping = keeping or (told if told and stage == "keep" else None)
            marking = marking or (told if told and stage == "mark" else None)
            asked = now.position.asked.get(seat)
            extra = extra or (told if told and asked and asked.stage == "extra" else None)
    assert keeping == "Take back: your maps"
    assert (marking, extra) == ("Take back: your mark", "Take back: your mark")
