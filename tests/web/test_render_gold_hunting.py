"""The page of Gold Hunting: what is legal can be sent, mountains tell their height and no more."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.games.chance import Chance
from app.games.contract import Json
from app.games.gold_hunting.state import State
from app.play.ending import agreed
from app.play.position import conceded
from app.realtime.scene import Scene
from app.web.render import Renderer
from tests.games.gold_hunting.positions import (
    GAME,
    MINE,
    THEIRS,
    after,
    has,
    hunt,
    new_game,
    position,
)
from tests.web.gold_scenes import NAMES, ONE, at, games
from tests.web.reading import (
    Shape,
    assert_names_are_text,
    assert_self_contained,
    change_sizes,
    held,
    in_brackets,
    outside_brackets,
    sentences,
)
from tests.web.scenes import URL

SEEDS = (1, 2, 3, 4)
GONE = "- - - -"


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(ONE)


def stages() -> dict[str, State]:
    """One position for each question and for what can be seen beside it."""
    return {
        "build": new_game(),
        "one has built": after(new_game(), (0, f"build {MINE}")),
        "hunt": hunt(),
        "at risk": position(has("113"), has("2", "33", token=2), box=(1, 2)),
        "risk of some": position(has("12", token=3), has(use="rush", right=False, token=2)),
        "dig": after(position(has("22"), has(token=2, use="rush", right=True)), (0, "safe")),
        "one mountain": position(has("1"), has(token=3, mountains_="- - 21 -")),
    }


def tie(mine: str, theirs: str) -> State:
    """A game that is over, with these piles."""
    return position(has(mine, mountains_=GONE), has(theirs, token=2, mountains_=GONE))


def every_scene(names: tuple[str, ...] = NAMES, every: int = 7) -> dict[str, Scene]:
    scenes = {
        f"{stage} for {seat}": at(state, seat, names)
        for stage, state in stages().items()
        for seat in (0, 1, None)
    }
    for seed in SEEDS:
        whole = games(seed, names)
        for number in range(0, len(whole), every):
            for seat in (0, 1, None):
                scenes[f"{seed} after {number} for {seat}"] = whole[number].scene(seat)
        scenes[f"{seed} at the end"] = whole[-1].scene(0)
    scenes["threes"] = at(tie("33", "2211"), 0, names)
    scenes["twos"] = at(tie("22", "1111"), 1, names)
    scenes["draw"] = at(tie("22", "22"), 0, names)
    given_up: dict[str, Any] = {"ranking": [1, 2], "totals": [None, None], "scores": [{}, {}]}
    for stage in ("build for 0", "hunt for 1"):
        outcome = {**given_up, "reason": "conceded", "tie_break": None}
        scenes[f"{stage}, given up"] = replace(scenes[stage], outcome=outcome, prompt=None)
    return scenes


def every_page(
    renderer: Renderer, lang: str = "en", names: tuple[str, ...] = NAMES
) -> dict[str, str]:
    pages = {
        name: renderer.room_page(scene, lang, url=URL) for name, scene in every_scene(names).items()
    }
    return pages | {"home": renderer.page("home", lang)}


def test_a_hostile_name_changes_no_element(renderer: Renderer) -> None:
    assert_names_are_text(lambda names: every_page(renderer, names=names), seats=2)


def test_nothing_needs_a_looser_policy_and_ids_are_unique(renderer: Renderer) -> None:
    for page, drawn in every_page(renderer).items():
        assert_self_contained(page, drawn)


def test_every_sentence_can_be_translated(tmp_path: Path) -> None:
    foreign = Renderer(ONE, texts=in_brackets(tmp_path))
    own = re.compile(rf"Motherlode|{'|'.join(NAMES)}|English|Esperanto|\b[A-D]\b|{re.escape(URL)}")
    said = re.compile(r' data-(?:still|empty|full|loose|placed|lot|taken|first)="([^"]*)"')
    for page, drawn in every_page(foreign, "eo").items():
        shape = Shape(drawn)
        for text in (" ".join(shape.texts), *shape.attributes, *said.findall(drawn)):
            outside = own.sub("", outside_brackets(text))
            assert not re.search(r"[^\W\d_]", outside), (page, outside)


def test_what_holds_my_choice_stays_while_my_prompt_stays(renderer: Renderer) -> None:
    built = after(new_game(), (1, f"build {THEIRS}"))
    for state in stages().values():
        scene = at(state, 0)
        if scene.prompt is None:
            continue
        before = renderer.regions(scene, "en")
        mine = held(before)
        assert "prompt" in mine
        others = [replace(scene, online=frozenset({0})), replace(scene, watchers=7)]
        if scene.prompt.stage == "build":
            assert "site" in mine
            others.append(at(built, 0))
        for other in others:
            drawn = renderer.regions(other, "en")
            assert [drawn[name] for name in mine] == [before[name] for name in mine]


def test_a_spectator_has_no_controls(renderer: Renderer) -> None:
    watched = [scene for scene in every_scene().values() if scene.seat is None]
    assert len(watched) > 20
    for scene in watched:
        for drawn in renderer.regions(scene, "en").values():
            assert not re.search("<(form|button|input|select)", drawn)


def sendable(drawn: dict[str, str]) -> Iterator[Json]:
    """Yields all that the page of a hunt can send."""
    page = "".join(drawn.values())
    mountains = re.findall(r'<input[^>]*name="mountain" value="(\d)"', page)
    for action in re.findall(r'<button name="action" value="(\w+)"', page):
        for mountain in mountains[:1] if action == "safe" else mountains:
            yield GAME.from_form([("mountain", mountain), ("action", action)])


def test_what_can_be_sent_is_exactly_what_is_legal(renderer: Renderer) -> None:
    checked = 0
    for scene in every_scene(every=3).values():
        if scene.prompt is None or scene.prompt.stage == "build":
            continue
        checked += 1
        sent = sorted(map(str, sendable(renderer.regions(scene, "en"))))
        assert sent == sorted(map(str, scene.prompt.legal))
    assert checked > 30


def test_the_ready_made_builds_are_those_of_the_rules(renderer: Renderer) -> None:
    scene = at(new_game(), 0)
    assert scene.prompt is not None
    forms = re.findall(r'<form id="e\d.*?</form>', renderer.regions(scene, "en")["prompt"], re.S)
    sent = []
    for form in forms:
        fields = re.findall(r'name="(\w+)" value="(\w+)"', form)
        sent.append(GAME.from_form([field for field in fields if field[0] != "prompt"]))
    assert sent == scene.prompt.legal


def test_a_page_is_the_same_for_all_that_the_viewer_cannot_tell_apart(renderer: Renderer) -> None:
    """No length, order, id or text tells bars: the page is drawn again with others below."""
    varied = 0
    for seed in SEEDS:
        for number, now in enumerate(games(seed)):
            for seat in (0, 1, None):
                scene = now.scene(seat)
                state = now.position.state
                drawn = renderer.regions(scene, "en")
                for turn in range(3):
                    other = GAME.guess(state, seat, Chance(bytes([seed, turn]) * 16, number))
                    varied += other != state
                    seen = replace(scene, view=GAME.view(other, seat))
                    assert renderer.regions(seen, "en") == drawn
    assert varied > 300


def test_mountains_of_equal_height_look_equal(renderer: Renderer) -> None:
    """A bar of 3, a 1 and a 2, three of 1: drawn from the height, all of them alike."""
    state = hunt(theirs="3 12 111 2322")
    land = renderer.regions(at(state, 0), "en")["mountains-1"]
    hills = re.findall(r"<label.*?</label>", land, re.S)
    first, second, third, _ = (re.sub(r'"m\d"|<b>\w</b>', "", hill) for hill in hills)
    assert first == second == third


PREVIEWS = {
    "0 to 1, 2 and 3": ("", ["0 → 1", "0 → 2", "0 → 3", "0 → 1, +2"], "at risk from 3 nuggets"),
    "a small pile": ("2", ["2 → 3", "2 → 4", "2 → 5", "2 → 3, +2", "2 counts 1"], "only the bar"),
    "a pile of 3": ("12", ["3 → 4", "3 → 5", "3 → 6", "3 → 4, +2", "3 counts 1"], "at most 2"),
    "a large pile": ("23", ["5 → 6", "5 → 7", "5 → 8", "5 → 6, +2", "5 counts 2"], "pile of 5"),
}


@pytest.mark.parametrize(("pile", "gains", "risk"), PREVIEWS.values(), ids=PREVIEWS)
def test_what_a_choice_will_do_is_shown_in_numbers(
    renderer: Renderer, pile: str, gains: list[str], risk: str
) -> None:
    state = position(has(pile), has(token=2))
    prompt = renderer.regions(at(state, 0), "en")["prompt"]
    texts = [" ".join(_text(part).split()) for part in _gains(prompt)]
    assert [text.removeprefix("If right, your pile: ") for text in texts] == gains
    assert risk in _text(prompt)


def test_what_is_still_hidden_is_what_everybody_can_count(renderer: Renderer) -> None:
    state = after(hunt(), (0, "dig 1 as 2"), (1, "dig 0 as 3"), (0, "dig 3 as 2"))
    for viewer in (0, None):
        land = _text(renderer.regions(at(state, viewer), "en")["mountains-1"])
        assert "Still hidden there, 8:" in land
        assert re.findall("\N{MULTIPLICATION SIGN}(\\d)", land) == ["4", "2", "2"]


def test_the_last_lift_is_told_with_what_was_lost(renderer: Renderer) -> None:
    state = position(has("113"), has(token=2, mountains_="21 3 3 3"))
    lifted = after(state, (0, "dig 0 as 3"))
    told = " ".join(_text(renderer.regions(at(lifted, 1), "en")["last"]).split())
    assert "Ann at mountain A" in told
    assert "announced 3" in told
    assert "lifted 1" in told
    assert "wrong, 5 lost" in told


def test_the_end_shows_every_source_and_what_decided(renderer: Renderer) -> None:
    state = position(
        has("3", "23", mountains_=GONE), has("2", token=2, use="rush", right=True, mountains_=GONE)
    )
    sheet = " ".join(_text(renderer.regions(at(state, 0), "en")["result"]).split())
    assert "You win!" in sheet
    assert re.search(r"Pile 3 2 Safe, half 2 of 5 0 Rush 0 2 Total 5 4", sheet)
    assert "turned up Ann 1 Bob 2 Nobody's 3" in sheet
    hoard = _text(renderer.regions(at(state, 1), "en")["hoard-0"])
    assert "put away for the safe" in hoard, "it is turned up for the other one too"
    assert not renderer.regions(at(state, 0), "en")["mountains-0"].strip(), "all are gone"
    for mine, theirs, words in (("33", "2211", "more bars of 3"), ("22", "1111", "bars of 2")):
        assert words in renderer.regions(at(tie(mine, theirs), 0), "en")["result"]
    assert "A draw!" in renderer.regions(at(tie("22", "22"), 0), "en")["result"]


def test_giving_up_turns_the_tokens_up(renderer: Renderer) -> None:
    hunting = position(has("2", "3", token=2), has(token=3))
    begun = replace(games(1)[4].position, state=hunting)
    end = conceded(begun, 1).position
    assert end.outcome is not None
    scene = replace(at(end.state, 1), outcome=end.outcome.wire(), prompt=None, actors=())
    assert "turned up Bob 3 Ann 2 Nobody's 1" in _text(renderer.regions(scene, "en")["result"])
    assert "put away for the safe" in _text(renderer.regions(scene, "en")["hoard-0"])
    both = agreed(agreed(begun, 0, agrees=True).position, 1, agrees=True).position
    assert both.state == end.state


def test_a_refused_build_keeps_what_was_typed(renderer: Renderer) -> None:
    scene = at(new_game(), 0)
    for typed, shown in (
        (["21", '"><b>', "", "9" * 300, "1"], ["21", "&#34;&gt;&lt;b&gt;", "", "9" * 300]),
        (["21"], ["21"]),
    ):
        page = renderer.room_page(scene, "en", url=URL, refused="No.", typed={"mountain": typed})
        assert re.findall(r'type="text" name="mountain" value="([^"]*)"', page) == shown
    fresh = renderer.room_page(scene, "en", url=URL)
    assert 'name="mountain" value="2' not in fresh.split('class="gh-examples"')[0]


REFUSALS: dict[str, tuple[dict[str, Json], str]] = {
    "build_first": ({}, "First build"),
    "already_built": ({}, "take yours back"),
    "how_many_mountains": ({"built": 3, "needed": 4}, "3 mountains; it takes exactly 4"),
    "mountain_empty": ({"mountains": [1, 3]}, "mountain B, D"),
    "wrong_bars": ({"missing": {"3": 2}, "extra": {"1": 1}}, "2 bars of 3. Too many: 1 bar of 1"),
    "mountain_gone": ({"mountain": 2, "legal": [0, 3]}, "Mountain C is gone"),
    "token_used": ({"use": "safe"}, "once only"),
    "pile_empty": ({}, "nothing in your pile"),
}


@pytest.mark.parametrize(("code", "case"), REFUSALS.items(), ids=REFUSALS)
def test_refusals_say_what_happened_and_what_to_do(
    renderer: Renderer, code: str, case: tuple[dict[str, Json], str]
) -> None:
    facts, words = case
    sentence = renderer.refusal("gold_hunting", code, facts, "en")
    assert words in sentence
    assert sentence.endswith(".")


def test_every_event_has_a_sentence_for_everybody(renderer: Renderer) -> None:
    kinds = set()
    for seed in SEEDS:
        end = games(seed)[-1]
        for seat in (0, 1, None):
            scene = end.scene(seat)
            events = [event for told in end.told for event in told.seen_by(seat)]
            kinds |= {event["kind"] for event in events}
            told = sentences(renderer, events, scene)
            assert len(told) == len(events)
            assert all(told)
    assert kinds == {"dealt", "built", "began", "saved", "rushed", "dug", "lost_pile"}


def test_little_is_sent(renderer: Renderer) -> None:
    """A turn changes a few regions; the middle of what is sent for one stays small."""
    moments = [now.scene for seed in SEEDS for now in games(seed)[3:]]
    sizes = change_sizes(renderer, moments, (0, 1, None))
    assert statistics.median(sizes) < 12_000


def _text(drawn: str) -> str:
    return " ".join(Shape(drawn).texts)


def _gains(drawn: str) -> list[str]:
    """Returns the parts `<span class="gain">...</span>`, with what stands in them."""
    return [
        found[0]
        for found in re.finditer(r'<span class="gain">(?:<span.*?</span>|[^<])*</span>', drawn)
    ]
