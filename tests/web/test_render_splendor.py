"""The page of Splendor: what is legal can be chosen, secrets stay secret, little is sent."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from dataclasses import replace
from itertools import product, takewhile
from pathlib import Path
from typing import Any

import pytest

from app.games.contract import Json
from app.games.splendor.state import State
from app.realtime.scene import Scene
from app.web.render import Renderer
from tests.games.splendor.positions import (
    bonus_cards,
    has,
    legal,
    new_game,
    position,
    scoring_cards,
    tokens,
)
from tests.web.reading import (
    Shape,
    assert_names_are_text,
    assert_self_contained,
    change_sizes,
    held,
    in_brackets,
    outside_brackets,
)
from tests.web.scenes import URL, Game
from tests.web.splendor_scenes import NAMES, ONE, SPLENDOR, at, games, stages


def ending() -> State:
    """A game that is over, decided by the number of cards."""
    first = scoring_cards(15, 6)
    second = scoring_cards(15, 7, apart_from=first)
    return position(has(cards=first), has(cards=second), stage="over", turn=1)


def every_page(
    renderer: Renderer, lang: str = "en", names: tuple[str, ...] = NAMES
) -> dict[str, str]:
    scenes: dict[str, Scene] = {}
    for stage, state in stages().items():
        for seat in (0, 1, None):
            scenes[f"{stage} for {seat}"] = at(state, seat, names)
    whole = games(1, 4, names)
    for number in (0, 30, 60, len(whole) - 1):
        for seat in (0, 1, 2, 3, None):
            scenes[f"after {number} for {seat}"] = whole[number].scene(seat)
    scenes["tie"] = at(ending(), 0, names)
    blocked = {"ranking": [1, 1], "totals": [0, 0], "scores": [{}, {}], "tie_break": None}
    for reason in ("blocked", "conceded"):
        outcome = {**blocked, "ranking": [1, 2] if reason == "conceded" else [1, 1]}
        scenes[reason] = replace(scenes["pass for 0"], outcome={**outcome, "reason": reason})
    return {name: renderer.room_page(scene, lang, url=URL) for name, scene in scenes.items()} | {
        "home": renderer.page("home", lang)
    }


def test_a_hostile_name_changes_no_element(renderer: Renderer) -> None:
    assert_names_are_text(lambda names: every_page(renderer, names=names), seats=4)


def test_nothing_needs_a_looser_policy_and_ids_are_unique(renderer: Renderer) -> None:
    for page, drawn in every_page(renderer).items():
        assert_self_contained(page, drawn)


def test_every_sentence_can_be_translated(tmp_path: Path) -> None:
    foreign = Renderer(ONE, texts=in_brackets(tmp_path))
    own = re.compile(
        rf"Motherlode|{'|'.join(NAMES)}|English|Esperanto|\b\d*[DSERO]\b|{re.escape(URL)}"
    )
    for page, drawn in every_page(foreign, "eo").items():
        shape = Shape(drawn)
        for text in ("".join(shape.texts), *shape.attributes):
            outside = own.sub("", outside_brackets(text))
            assert not re.search(r"[^\W\d_G]", outside), (page, outside)


def test_what_holds_my_choice_stays_while_my_prompt_stays(renderer: Renderer) -> None:
    for state in stages().values():
        scene = at(state, 0)
        before = renderer.regions(scene, "en")
        mine = held(before)
        assert "prompt" in mine
        for other in (
            replace(scene, online=frozenset({0})),
            replace(scene, online=frozenset(), watchers=7),
            replace(scene, room=replace(scene.room, r=99)),
        ):
            after = renderer.regions(other, "en")
            assert [after[name] for name in mine] == [before[name] for name in mine]


def test_cards_that_i_look_at_stay_when_my_turn_comes(renderer: Renderer) -> None:
    """The market has no number of a question in it: a card chosen while waiting stays chosen."""
    state = stages()["take"]
    mine = renderer.regions(at(state, 0, n=7), "en")
    later = renderer.regions(at(state, 0, n=9), "en")
    changed = {name for name in mine if mine[name] != later[name]}
    assert changed == {"prompt", "bank"}


def test_a_spectator_has_no_controls(renderer: Renderer) -> None:
    scenes = [now.scene(None) for now in games(3, 3)[:-1]]
    for scene in (*scenes, *(at(state, None) for state in stages().values())):
        for drawn in renderer.regions(scene, "en").values():
            # All but what closes a drawer.
            assert not re.search("<(form|button(?![^>]*data-shut)|input|select)", drawn)


def positions() -> Iterator[tuple[Game, int]]:
    for seats in (2, 3, 4):
        for now in games(seats, seats)[:-1]:
            yield now, now.position.actors[0]


def test_what_can_be_sent_is_exactly_what_is_legal(renderer: Renderer) -> None:
    asked = [(now.position.state, now.scene(seat)) for now, seat in positions()]
    asked += [(state, at(state, 0)) for state in stages().values()]
    for state, scene in asked:
        drawn = renderer.regions(scene, "en")
        wanted = [spelled(move) for move in legal(state)]
        assert sorted(map(spelled, sendable(state, drawn))) == sorted(wanted)


def sendable(state: State, drawn: dict[str, str]) -> Iterator[dict[str, Json]]:
    """Yields the moves that the page's controls let somebody send."""
    prompt, board = drawn["prompt"], "".join(drawn.values())
    seat = state.turn
    forms: list[list[tuple[str, str]]] = []
    taken = re.search(r'data-takes="([^"]+)"', drawn["bank"])
    for take in taken[1].split(",") if taken else ():
        forms.append([("kind", "take"), *(("gems", gem) for gem in take.split())])
        boxes = re.findall(r'name="gems" value="(\w+)"', drawn["bank"])
        assert all(boxes.count(gem) >= take.split().count(gem) for gem in take.split())
    for card, at_place in re.findall(r'name="card" value="(\w+)" id="c(\w+)"', board):
        act = re.search(rf'<(div|form|p) class="act[^"]*" id="a{at_place}".*?</\1>', prompt)
        golds = re.findall(r'name="gold" value="([^"]*)"', act[0]) if act else []
        if golds:
            assert f'name="card" value="{card}"' in act[0]  # type: ignore[index]
            least, *more = (gold.split() for gold in golds)
            assert all(len(least) <= len(gold) for gold in more), "the first spends least gold"
            forms += [[("kind", "buy"), ("card", card), ("gold", gold)] for gold in golds]
        elif act and 'value="buy"' in act[0]:
            assert f'data-card="{card}"' in act[0]
            forms.append([("kind", "buy"), ("card", card)])
        if at_place[0] != "0" and re.search(r'<button name="kind" value="reserve">', prompt):
            forms.append([("kind", "reserve"), ("card", card)])
    give = re.search(r'data-give="(\d+)"', prompt)
    if give:
        steps = re.findall(r'type="radio" name="(\w+)" value="(\d)"', prompt)
        names = list(dict.fromkeys(name for name, _ in steps))
        each = [[(name, n) for other, n in steps if other == name] for name in names]
        for choice in product(*each):
            if sum(int(n) for _, n in choice) == int(give[1]):
                forms.append([("kind", "return"), *choice])
    forms += [
        [("kind", "choose_noble"), ("noble", noble)]
        for noble in re.findall(r'name="noble" value="(\d)"', prompt)
    ]
    if re.search(r'name="kind" value="pass"', prompt):
        forms.append([("kind", "pass")])
    for form in forms:
        move = SPLENDOR.parse(SPLENDOR.from_form(form))
        yield SPLENDOR.settled(state, seat, move).wire()


def spelled(move: dict[str, Any]) -> str:
    return repr(sorted((key, repr(value)) for key, value in move.items()))


def test_cards_that_can_be_paid_stand_out_with_all_that_pays_for_them(renderer: Renderer) -> None:
    for now, seat in positions():
        drawn = "".join(renderer.regions(now.scene(seat), "en").values())
        buys = {move["card"] for move in legal(now.position.state, "buy")}
        if now.position.asked[seat].stage in {"take", "pass"}:
            assert {
                int(n) for n in re.findall(r'class="card can[^"]*" data-piece="(\d+)"', drawn)
            } == buys
            assert drawn.count("You can pay it.") == len(buys)


def test_prices_are_those_after_bonuses(renderer: Renderer) -> None:
    state = position(has(tokens(red=1), cards=bonus_cards(red=2, blue=1)), market={2: [42]})
    drawn = renderer.regions(at(state, 0), "en")["row-2"]
    assert "Price: 5 green" not in drawn
    assert "level 2 onyx (2 points). Price: 5 emeralds, 3 rubies." in drawn
    assert "With your bonuses: 5 emeralds, 1 ruby." in drawn
    assert '<use href="#E5"/></svg><svg><use href="#R1"/>' in drawn
    watching = renderer.regions(at(state, None), "en")["row-2"]
    assert '<use href="#E5"/></svg><svg><use href="#R3"/>' in watching


def test_blind_reserves_are_on_nobody_elses_page(renderer: Renderer) -> None:
    shown = hidden = 0
    for seats in (2, 4):
        for now in games(seats, seats)[:-1]:
            players = now.position.state.players
            for viewer in (*range(seats), None):
                drawn = "".join(renderer.regions(now.scene(viewer), "en").values())
                numbers = set(re.findall(r'(?:data-piece|"card" value)="(\d+)"', drawn))
                for seat, player in enumerate(players):
                    blind = {str(kept.card) for kept in player.reserved if kept.blind}
                    if seat == viewer:
                        assert blind <= numbers
                        shown += len(blind)
                    else:
                        assert not blind & numbers
                        hidden += len(blind)
    assert shown
    assert hidden


def test_what_happened_since_my_last_turn_is_marked(renderer: Renderer) -> None:
    marked = dict.fromkeys(("revealed", "took", "bought"), 0)
    for now in games(1, 4)[5:]:
        scene = now.scene(0)
        since = list(takewhile(lambda line: line.seat != 0, reversed(scene.log)))
        drawn = renderer.regions(scene, "en")
        new = set(re.findall(r'class="card[^"]* new" data-piece="(\d+)"', "".join(drawn.values())))
        lying = {str(n) for row in now.position.state.market for n in row}
        turned_up = {
            str(event["card"])
            for line in since
            for event in line.events
            if event["kind"] == "revealed"
        }
        assert new == turned_up & lying
        marked["revealed"] += len(new)
        for line in since:
            for event in line.events:
                panel = drawn[f"player-{line.seat}"]
                if event["kind"] == "bought":
                    assert f'<svg class="new" data-piece="{event["card"]}"' in panel
                    marked["bought"] += 1
                if event["kind"] == "took":
                    held = now.position.game.view(now.position.state, 0)["players"][line.seat]
                    kept = {gem for gem in event["gems"] if held["tokens"][gem]}
                    assert panel.count('<b class="new"') >= len(kept)
                    marked["took"] += 1
    assert all(marked.values())


@pytest.mark.parametrize(
    ("bank", "loose", "hint"),
    [
        ((4, 1, 1, 0, 0, 0), False, "Three different ones, or two of a kind."),
        ((3, 3, 3, 3, 3, 5), False, "Three different ones."),
        ((4, 1, 0, 0, 0, 0), False, "Two different ones, or two of a kind."),
        ((1, 1, 0, 0, 0, 5), False, "Two different ones."),
        ((0, 0, 4, 0, 0, 0), False, "One gem, or two of a kind."),
        ((0, 0, 1, 0, 0, 0), True, "One gem."),
        ((0, 2, 1, 0, 0, 0), True, "One or two different ones."),
        ((0, 2, 1, 0, 7, 0), True, "One to three different ones, or two of a kind."),
    ],
)
def test_the_hint_says_what_may_be_taken_now(
    renderer: Renderer, bank: tuple[int, ...], loose: bool, hint: str
) -> None:
    state = replace(stages()["take"], bank=bank, loose=loose)
    drawn = renderer.regions(at(state, 0), "en")["prompt"]
    assert re.search(r"data-hint[^>]*>([^<]*)<", drawn)[1] == hint  # type: ignore[index]


@pytest.mark.parametrize("pairs", [[], ["red"]])
def test_a_refused_number_of_gems_mentions_pairs_where_there_are_any(
    renderer: Renderer, pairs: list[str]
) -> None:
    for least, most in ((1, 1), (2, 2), (1, 3)):
        facts: dict[str, Json] = {"least": least, "most": most, "left": [], "pairs": pairs}
        sentence = renderer.refusal("splendor", "take_how_many", facts, "en")
        assert ("two of a kind" in sentence) == bool(pairs)


def test_the_tie_break_is_told_where_it_decided_who_won(renderer: Renderer) -> None:
    told = "fewer bought cards decide"
    assert told in renderer.regions(at(ending(), 0), "en")["result"]
    first, second = ending().players
    winner = has(cards=scoring_cards(18, 7, apart_from=(*first.cards, *second.cards)))
    state = position(winner, first, second, stage="over", turn=2)
    assert SPLENDOR.outcome(state).tie_break == "cards"  # type: ignore[union-attr]
    assert told not in renderer.regions(at(state, 0), "en")["result"]


def test_every_gem_has_its_own_shape_and_letter_and_is_drawn_once(renderer: Renderer) -> None:
    page = renderer.room_page(at(new_game(), 0), "en", url=URL)
    shapes = re.findall(r'<symbol id="gem-(\w)".*?<path class="f-gem" d="([^"]+)"', page)
    assert {letter for letter, _ in shapes} == set("DSEROG")
    assert len({shape for _, shape in shapes}) == 6
    for letter in "DSEROG":
        assert page.count(f'<symbol id="{letter}"') == 1
        assert page.count(f'<symbol id="t-{letter}"') == 1


def test_a_move_is_small_on_the_wire(renderer: Renderer) -> None:
    sizes = []
    for seats in (2, 3, 4):
        moments = (now.scene for now in games(seats, seats))
        sizes += change_sizes(renderer, moments, (*range(seats), None))
    assert statistics.median(sizes) <= 8_000
    assert max(sizes) <= 30_000


def test_every_refusal_has_its_own_sentence(renderer: Renderer) -> None:
    general = renderer.refusal(None, "no_such_code", {}, "en")
    numbers = {"held": 1, "needed": 2, "owed": 1, "count": 2, "chosen": 3, "most": 3, "least": 3}
    pieces = {
        "colour": "red",
        "token": "gold",
        "card": 42,
        "level": 2,
        "missing": {"red": 2},
        "pairs": [],
    }
    facts: dict[str, Json] = {**numbers, **pieces}
    codes = (
        *("gold_not_taken", "colour_empty", "pair_needs_four", "pair_stands_alone"),
        *("take_how_many", "reserve_full", "deck_empty", "card_not_there", "cannot_pay"),
        *("gold_not_owed", "not_enough_gold", "not_enough_tokens", "return_how_many", "not_held"),
        *("return_first", "choose_noble_first", "nothing_to_return", "no_noble_to_choose"),
        *("noble_not_waiting", "cannot_pass", "reserved_already"),
    )
    sentences = [renderer.refusal("splendor", code, facts, "en") for code in codes]
    assert len(set(sentences)) == len(codes)
    for sentence in sentences:
        assert sentence != general
        assert "\n" not in sentence
        assert sentence.endswith(".")
