"""The page of Take the Gold: what is legal can be sent, and hands tell their size and no more."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.games.chance import Chance
from app.games.contract import Json
from app.games.take_the_gold.state import State
from app.realtime.scene import Scene
from app.web.render import Renderer
from tests.games.take_the_gold.positions import GAME, after, position
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
from tests.web.take_scenes import NAMES, ONE, at, games

PLAYED = ((1, 2), (2, 3), (3, 4), (4, 6), (5, 5))
"""Seed and seats."""
PIRATES = "pirate two_pirates captain kraken officer coin"
DEFENDER = "officer two_officers coin captain"


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(ONE)


def stages() -> dict[str, State]:
    """One position for each question and for what can be seen beside it."""
    three = position(PIRATES, DEFENDER, "coin pirate")
    two = position("kraken officer", "captain coin", krakens=2)
    return {
        "play": three,
        "no attack": position("officer coin", "pirate", "kraken"),
        "play at two": two,
        "play after a tie": position(PIRATES, "coin", "", "pirate officer", tied=(0, 1, 3)),
        **{card: after(three, f"{card}>1") for card in PIRATES.split()[:4]},
        "last kraken of two": after(two, "kraken>1"),
        "kraken after a tie": after(
            position("kraken", "coin", "", "pirate officer", tied=(0, 1, 3)), "kraken>1"
        ),
        "nothing to answer with": after(position("pirate", "pirate", "coin"), "pirate>1"),
        "stolen": after(three, "pirate>1", "with nothing"),
        "discard": after(position("two_pirates pirate officer officer coin coin", DEFENDER),
                         "two_pirates>1", "with nothing"),
        "paid": after(three, "captain>1", "with coin"),
        "kraken rose": after(three, "kraken>1", "with nothing"),
        "kraken stopped": after(three, "kraken>1", "with captain"),
    }  # fmt: skip


def every_scene(names: tuple[str, ...] = NAMES) -> dict[str, Scene]:
    scenes = {
        f"{stage} for {seat}": at(state, seat, names)
        for stage, state in stages().items()
        for seat in (0, 1, None)
    }
    for seed, seats in PLAYED:
        whole = games(seed, seats, names)
        for number in range(0, len(whole), 9):
            for seat in (0, seats - 1, None):
                scenes[f"{seed} after {number} for {seat}"] = whole[number].scene(seat)
        for seat in (0, None):
            scenes[f"{seed} at the end for {seat}"] = whole[-1].scene(seat)
    given_up: dict[str, Any] = {"ranking": [1, 2], "totals": [None, None], "scores": [{}, {}]}
    outcome = {**given_up, "reason": "conceded", "tie_break": None}
    scenes["given up"] = replace(scenes["play at two for 0"], outcome=outcome, prompt=None)
    return scenes


def every_page(
    renderer: Renderer, lang: str = "en", names: tuple[str, ...] = NAMES
) -> dict[str, str]:
    pages = {
        name: renderer.room_page(scene, lang, url=URL) for name, scene in every_scene(names).items()
    }
    return pages | {"home": renderer.page("home", lang)}


def test_a_hostile_name_changes_no_element(renderer: Renderer) -> None:
    assert_names_are_text(lambda names: every_page(renderer, names=names), seats=len(NAMES))


def test_nothing_needs_a_looser_policy_and_ids_are_unique(renderer: Renderer) -> None:
    for page, drawn in every_page(renderer).items():
        assert_self_contained(page, drawn)


def test_every_sentence_can_be_translated(tmp_path: Path) -> None:
    foreign = Renderer(ONE, texts=in_brackets(tmp_path))
    own = re.compile(rf"Motherlode|{'|'.join(NAMES)}|English|Esperanto|{re.escape(URL)}")
    for page, drawn in every_page(foreign, "eo").items():
        shape = Shape(drawn)
        for text in (" ".join(shape.texts), *shape.attributes):
            outside = own.sub("", outside_brackets(text))
            assert not re.search(r"[^\W\d_]", outside), (page, outside)


def test_what_holds_my_choice_stays_while_my_prompt_stays(renderer: Renderer) -> None:
    for state in stages().values():
        for seat in (0, 1):
            scene = at(state, seat)
            if scene.prompt is None:
                continue
            before = renderer.regions(scene, "en")
            mine = held(before)
            assert "prompt" in mine
            for other in (replace(scene, online=frozenset({0})), replace(scene, watchers=7)):
                drawn = renderer.regions(other, "en")
                assert [drawn[name] for name in mine] == [before[name] for name in mine]


def test_a_spectator_can_only_open_the_discard_pile(renderer: Renderer) -> None:
    watched = [scene for scene in every_scene().values() if scene.seat is None]
    assert len(watched) > 20
    for scene in watched:
        for name, drawn in renderer.regions(scene, "en").items():
            found = re.findall("<(?:form|button|input|select|label)[^>]*", drawn)
            closes = ['<button type="button" class="quiet square" data-shut']
            assert found == (closes if name == "piles" else []), name


def sendable(prompt: str) -> Iterator[Json]:
    """Yields all that the page can send but discards, which are boxes of their own."""
    cards = dict.fromkeys(re.findall(r'name="card" value="(\w+)"', prompt))
    targets = re.findall(r'name="target" value="(\d)"', prompt)
    for name, value in re.findall(r'<button[^>]*name="(\w+)" value="(\w+)"', prompt):
        if value == "play":
            for card in cards:
                for target in targets:
                    fields = [("card", card), ("target", target), (name, value)]
                    yield GAME.from_form(fields)
        else:
            yield GAME.from_form([(name, value)])


def test_what_can_be_sent_is_exactly_what_is_legal(renderer: Renderer) -> None:
    checked: Counter[str] = Counter()
    single: set[bool] = set()
    for scene in every_scene().values():
        if scene.prompt is None:
            continue
        checked[scene.prompt.stage] += 1
        prompt = renderer.regions(scene, "en")["prompt"]
        if scene.prompt.stage == "discard":
            assert scene.view is not None
            over = len(scene.view["hand"]) - 5
            kind = "radio" if over == 1 else "checkbox"
            boxes = re.findall(rf'type="{kind}" name="cards" value="(\w+)"', prompt)
            assert boxes == scene.view["hand"]
            assert f'data-exactly="{over}"' in prompt
            single.add(kind == "radio")
        else:
            assert sorted(map(str, sendable(prompt))) == sorted(map(str, scene.prompt.legal))
    assert checked.keys() == {"play", "respond", "discard"}
    assert single == {True, False}


def test_a_page_is_the_same_for_all_that_the_viewer_cannot_tell_apart(renderer: Renderer) -> None:
    """No length, order, id or text tells cards: the page is drawn again with others dealt."""
    varied = 0
    for seed, seats in PLAYED:
        for number, now in enumerate(games(seed, seats)[::2]):
            for seat in (0, 1, None):
                scene = now.scene(seat)
                state = now.position.state
                drawn = renderer.regions(scene, "en")
                other = GAME.guess(state, seat, Chance(bytes([seed]) * 32, number))
                varied += other != state
                seen = replace(scene, view=GAME.view(other, seat))
                assert renderer.regions(seen, "en") == drawn
    assert varied > 100


@pytest.mark.parametrize("attack", ["pirate", "two_pirates", "kraken", "captain"])
def test_all_who_are_asked_get_the_same_page_but_for_their_own_cards(
    renderer: Renderer, attack: str
) -> None:
    """Who holds the answer is asked as who holds none, and the others see no difference."""
    hands = ("officer captain", "coin two_officers", "pirate pirate", "coin kraken")
    states = [after(position(f"{attack} officer", hand, "coin"), f"{attack}>1") for hand in hands]
    for viewer in (0, 2, None):
        pages = [renderer.regions(at(state, viewer), "en") for state in states]
        assert pages == [pages[0]] * len(pages)
    asked = [renderer.regions(at(state, 1), "en") for state in states]
    differ = {name for page in asked for name in page if page[name] != asked[0][name]}
    assert differ <= {"prompt", "seat-1"}
    own = re.compile(r'<div role="listitem".*?</div>|<button.*?</button>', re.DOTALL)
    rest = [own.sub("", page["prompt"]) for page in asked]
    assert rest == [rest[0]] * len(rest)


EFFECTS = {
    "play": ["takes one card", "two cards at random", "asks for a coin", "number 1 of 3"],
    "play at two": ["it ends the game, and most coins win"],
    "play after a tie": ["the whole hand is discarded, unless"],
    "pirate": ["Officer stops it", "Two officers stop it", "Give nothing lose 1 card"],
    "two_pirates": ["Officer lose one card", "Two officers stop it", "Give nothing lose 2 cards"],
    "kraken": ["Captain sends it away", "Give nothing lose all"],
    "captain": ["Pay a coin", "Refuse lose 2 cards"],
    "last kraken of two": ["Give nothing the game ends"],
    "kraken after a tie": ["Give nothing lose all"],
    "nothing to answer with": ["Give nothing lose 1 card", "An officer or two officers stop"],
}


@pytest.mark.parametrize("stage", EFFECTS)
def test_what_a_choice_will_do_is_said(renderer: Renderer, stage: str) -> None:
    state = stages()[stage]
    (seat,) = GAME.actors(state)
    prompt = _text(renderer.regions(at(state, seat), "en")["prompt"])
    for words in EFFECTS[stage]:
        assert words in prompt


def test_the_table_tells_an_attack_and_what_came_of_it(renderer: Renderer) -> None:
    told = {
        "pirate": "Ann at Bob",
        "stolen": "1 card stolen.",
        "paid": "A coin is paid.",
        "kraken rose": "The hand is lost: an officer",
        "kraken stopped": "The kraken is sent away.",
    }
    for stage, words in told.items():
        assert words in _text(renderer.regions(at(stages()[stage], 2), "en")["attack"])


def test_whose_answer_is_awaited_is_said_once(renderer: Renderer) -> None:
    drawn = renderer.regions(at(stages()["pirate"], 2), "en")
    assert "Bob is thinking" in _text(drawn["turn"])
    assert not re.search("[Ww]ait|asked", _text(drawn["attack"]))
    assert "answers" in _text(drawn["seat-1"])


def test_what_an_attack_lacks_is_said_on_its_button(renderer: Renderer) -> None:
    many = _text(renderer.regions(at(stages()["play"], 0), "en")["prompt"])
    assert "Attack first a card whom? Pass" in many
    two = _text(renderer.regions(at(stages()["play at two"], 0), "en")["prompt"])
    assert "Attack Bob first a card Pass" in two


def test_thief_and_victim_see_what_was_stolen_and_nobody_else(renderer: Renderer) -> None:
    seen = 0
    for seed, seats in PLAYED[1:]:
        for now in games(seed, seats):
            last = now.position.state.last
            if now.position.state.table or not last or not last.stolen or now.position.over:
                continue
            for seat in (*range(seats), None):
                words = _text(renderer.regions(now.scene(seat), "en")["attack"])
                knows = seat in {last.attacker, last.target}
                assert ("Stolen:" in words) == knows, (seed, now.position.v, seat)
                seen += knows
    assert seen > 20


def test_what_i_know_of_a_hand_lies_open_in_it(renderer: Renderer) -> None:
    state = after(position("captain pirate", "coin officer", "pirate"), "captain>1", "with coin")
    for viewer, counts in ((1, (1, 1)), (2, (1, 1)), (None, (1, 1))):
        fan = renderer.regions(at(state, viewer), "en")["seat-0"]
        assert (fan.count("#ttg-m-coin"), fan.count("#ttg-back")) == counts
        assert "You know of: a coin" in _text(fan)


def test_no_piece_has_a_name_that_tells_which_card_it_is(renderer: Renderer) -> None:
    """Cards travel by the names of places: seats, the attack, the answer, piles."""
    pieces: set[str] = set()
    for scene in every_scene().values():
        for drawn in renderer.regions(scene, "en").values():
            pieces |= set(re.findall(r'data-(?:piece|from)="([^"]*)"', drawn))
    assert {re.sub(r"\d", "", piece) for piece in pieces} == {
        *("s", "attack", "answer", "gone", "kraken"),
    }


def test_the_discard_pile_is_counted_by_kind(renderer: Renderer) -> None:
    state = position("pirate", "coin", draw="officer", discards="")
    pile = _text(renderer.regions(at(state, 0), "en")["piles"])
    assert "pirate 12 of 13" in pile
    assert "coin 13 of 14" in pile


def test_the_end_is_told_for_each_way_it_comes(renderer: Renderer) -> None:
    four = _sheet(renderer, after(position("pirate coin coin coin", "coin"), "pirate>1",
                                  "with nothing"))  # fmt: skip
    assert "Ann wins!" in four
    assert "With 4 coins in hand" in four
    assert re.search(r"1 Ann 4 2 Bob \(you\) Rematch", four), "the others' coins stay hidden"
    counted = position("kraken officer", "coin coin coin", "coin", krakens=2)
    most = _sheet(renderer, after(counted, "kraken>1", "with nothing"))
    assert "the coins are counted" in most
    assert re.search(r"Cleo 1 .*Ann 0 .*Bob \(you\) 0", most)
    assert "Coins shown" not in most, "the ranking says it"
    equal = position(
        "kraken officer coin", "pirate", "coin", draw="pirate officer pirate", krakens=2
    )
    tied = after(equal, "kraken>1", "with nothing")
    assert "Tie: whoever has two coins wins." in _text(renderer.regions(at(tied, 0), "en")["sea"])
    assert "out" in _text(renderer.regions(at(tied, 0), "en")["seat-1"])


def test_the_end_of_a_tie_tells_who_played_on(renderer: Renderer) -> None:
    ends = [games(seed, 4)[-1] for seed in range(60)]
    tied = [end for end in ends if (end.position.outcome or ends[0]) and _tie(end.position.state)]
    assert tied
    for end in tied:
        sheet = _text(renderer.regions(end.scene(0), "en")["result"])
        assert "those who tied played on" in sheet
        assert "Coins shown" in sheet
        assert sheet.count("played on ") >= len(end.position.state.tie.seats) - 1


def _tie(state: State) -> bool:
    return state.won is not None and state.tie is not None


REFUSALS: dict[str, tuple[dict[str, Json], str]] = {
    "wait_for_answer": ({"target": 1}, "has to be answered first"),
    "answer_first": ({"attack": "pirate", "attacker": 0}, "attacked with a pirate"),
    "nothing_to_answer": ({}, "nothing to answer"),
    "nothing_to_discard": ({}, "need not discard"),
    "discard_first": ({"count": 2}, "discard 2 cards"),
    "discard_how_many": ({"count": 2, "chosen": 1}, "exactly 2 cards to discard. You have chosen"),
    "not_in_hand": ({"card": "two_pirates"}, "do not hold two pirates"),
    "not_an_attack": ({"card": "coin"}, "keep it, or pay a captain"),
    "attack_yourself": ({}, "another player"),
    "no_such_seat": ({"target": 5}, "Nobody sits there"),
    "seat_is_out": ({"target": 1}, "is out since the tie"),
    "does_not_answer": (
        {"card": "coin", "attack": "pirate", "fits": ["officer", "two_officers"]},
        "what fits is an officer or two officers",
    ),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_says_why_and_what_would_do(renderer: Renderer, code: str) -> None:
    facts, words = REFUSALS[code]
    assert words in renderer.refusal("take_the_gold", code, facts, "en")


def test_every_event_is_told_in_a_sentence(renderer: Renderer) -> None:
    kinds: set[str] = set()
    ends = [games(seed, 4)[-1] for seed in range(30)]
    ends += [games(seed, 6, krakens=5)[-1] for seed in range(6)]
    for end in ends:
        for seat in (0, 1, None):
            scene = end.scene(seat)
            events = [event for told in end.told for event in told.seen_by(seat)]
            kinds |= {event["kind"] for event in events}
            told = sentences(renderer, events, scene)
            assert len(told) == len(events)
            assert all(told)
    assert kinds == {
        *("dealt", "drew", "attacked", "answered", "stole", "kraken_rose", "passed"),
        *("discarded", "reshuffled", "coins_shown", "tied", "won"),
    }


def test_little_is_sent(renderer: Renderer) -> None:
    """A move changes a few regions; the middle of what is sent for one stays small."""
    sizes: list[int] = []
    for seed, seats in PLAYED:
        moments = [now.scene for now in games(seed, seats)[3:]]
        sizes += change_sizes(renderer, moments, (0, 1, None))
    assert statistics.median(sizes) < 12_000


def _sheet(renderer: Renderer, state: State) -> str:
    return _text(renderer.regions(at(state, 1), "en")["result"])


def _text(drawn: str) -> str:
    return " ".join(" ".join(Shape(drawn).texts).split())
