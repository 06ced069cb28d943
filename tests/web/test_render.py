"""What people see: escaped, quiet where they choose, small, and in their language."""

from __future__ import annotations

import re
import statistics
from dataclasses import replace
from pathlib import Path

import pytest

from app.games.registry import GAMES, registry
from app.play.position import opened
from app.players.service import Player
from app.realtime.scene import LogLine, Scene
from app.web.messages import POT, collect
from app.web.render import Renderer
from app.web.text import Texts
from tests.tiny.template.rules import HighCard
from tests.web.reading import HOSTILE, Shape, as_text, change_sizes, in_brackets, outside_brackets
from tests.web.scenes import ANN, FIVE, SIX, STRANGER, URL, game, games, room


def every_page(
    renderer: Renderer, lang: str = "en", names: tuple[str, str] = ("Ann", "Bob")
) -> dict[str, str]:
    """All kinds of page but the rules, which are text of their own."""
    player = Player(ANN, names[0])
    pages = {
        "home": renderer.page("home", lang, player=player),
        "error": renderer.page("error", lang, code="unknown_room", message=""),
        "new": renderer.page(
            "new",
            lang,
            game=GAMES["lost_cities"].meta,
            values={"name": names[0], "option.colours": names[1]},
            house_key=True,
            player=None,
            refused=names[1],
        ),
    }
    empty: frozenset[int] = frozenset()
    scenes: dict[str, Scene] = {
        "lobby host": Scene(room("open", names=names), frozenset({0}), 2, 0, ANN),
        "lobby first": Scene(room("open", names=names[:1]), empty, 1, 0, ANN),
        "lobby guest": Scene(room("open", names=names[:1]), empty, 0, None, None),
        "lobby known guest": Scene(room("open", names=names[:1]), empty, 0, None, STRANGER),
        "lobby full": Scene(room("open", names=names), empty, 0, None, STRANGER),
        "starting": Scene(room("starting", names=names), empty, 0, 1, None),
        "broken": game(9, names=names).scene(None, broken=9),
        "three rounds": game(200, options=SIX, names=names).scene(1),
        "three rounds end": game(-1, options=SIX, names=names).scene(None),
    }
    for moves in (0, 12, 13, 30, 41, -1):
        for seat in (0, 1, None):
            scenes[f"after {moves} for {seat}"] = game(moves, names=names).scene(seat)
    lines = tuple(LogLine(n, n % 2, kind, ()) for n, kind in enumerate(("undo", "concede")))
    given_up = {
        "ranking": [2, 1],
        "totals": [None, None],
        "scores": [{}, {}],
        "reason": "conceded",
        "tie_break": None,
    }
    for seat in (0, 1):
        scenes[f"given up for {seat}"] = replace(
            game(20, names=names).scene(seat), log=lines, outcome=given_up, prompt=None, actors=()
        )
    for name, scene in scenes.items():
        pages[name] = renderer.room_page(
            scene, lang, url=URL, player=player, refused=names[0] if "guest" in name else None
        )
    now = game(30, names=names).scene(0)
    pages["log"] = renderer.log_page(now, lang, lines=now.log, more=True, player=player)
    return pages


@pytest.fixture(scope="module")
def harmless(renderer: Renderer) -> dict[str, str]:
    return every_page(renderer)


@pytest.fixture(scope="module")
def harmless_elements(harmless: dict[str, str]) -> dict[str, list[tuple[str, ...]]]:
    return {page: Shape(drawn).elements for page, drawn in harmless.items()}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_changes_no_element_of_any_page(
    renderer: Renderer, harmless_elements: dict[str, list[tuple[str, ...]]], name: str
) -> None:
    for page, drawn in every_page(renderer, names=(name, name[::-1])).items():
        assert Shape(drawn).elements == harmless_elements[page], page
        if "guest" not in page and "error" not in page:
            assert as_text(name) in drawn


def test_nothing_on_any_page_needs_a_looser_policy(harmless: dict[str, str]) -> None:
    for page, drawn in harmless.items():
        for tag, *attributes in Shape(drawn).elements:
            assert tag != "style", page
            assert tag != "script" or "src" in attributes, page
            assert not [name for name in attributes if name == "style" or name[:2] == "on"], page


def test_what_holds_my_choice_stays_while_my_prompt_stays(renderer: Renderer) -> None:
    for now in (game(0), game(1), game(30), game(31)):
        seat = now.position.actors[0]
        scene = now.scene(seat)
        before = renderer.regions(scene, "en")
        mine = [name for name, drawn in before.items() if f"p{now.position.asked[seat].n}" in drawn]
        assert "prompt" in mine
        for other in (
            replace(scene, online=frozenset({seat})),
            replace(scene, online=frozenset(), watchers=7),
            replace(scene, room=replace(scene.room, r=99)),
        ):
            after = renderer.regions(other, "en")
            assert [after[name] for name in mine] == [before[name] for name in mine]


def test_a_new_prompt_is_a_new_form(renderer: Renderer) -> None:
    forms = set()
    for now in games(5):
        for seat, asked in now.position.asked.items():
            drawn = renderer.regions(now.scene(seat), "en")["prompt"]
            assert f'id="p{asked.n}"' in drawn
            forms.add(asked.n)
    assert len(forms) == now.position.v


def test_a_spectator_has_no_controls_and_no_hand(renderer: Renderer) -> None:
    for now in games(6):
        for drawn in renderer.regions(now.scene(None), "en").values():
            if not now.position.over:
                assert not re.search("<(form|button|input)", drawn)
        assert not renderer.regions(now.scene(None), "en")["prompt"].strip()


def test_legal_choices_are_enabled_and_others_say_why(renderer: Renderer) -> None:
    for now in games(7):
        for seat, asked in now.position.asked.items():
            drawn = renderer.regions(now.scene(seat), "en")
            if asked.stage == "draw":
                board = "".join(drawn[name] for name in drawn if name != "prompt")
                wanted = {move["from"] for move in asked.legal}
                for place in (board, drawn["prompt"]):
                    assert set(re.findall('name="draw" value="([^"]+)"', place)) == wanted
                continue
            plays = [move["card"] for move in asked.legal if move["kind"] == "play"]
            choices = re.findall('name="card" value="([^"]+)"', drawn["prompt"])
            assert choices == now.position.game.view(now.position.state, seat)["hand"]
            refused = drawn["prompt"].count('class="why"')
            assert refused == len([card for card in choices if card not in plays])


def test_others_hands_are_on_nobodys_page(renderer: Renderer) -> None:
    for now in games(8):
        state = now.position.state
        for seat in (0, 1, None):
            drawn = "".join(renderer.regions(now.scene(seat), "en").values())
            shown = set(re.findall(r'data-piece="([^"]+)"', drawn))
            secret = set(state.deck)
            for other in {0, 1} - {seat}:
                secret |= set(state.hands[other])
            lying = {card for side in state.expeditions for cards in side for card in cards}
            lying |= {card for pile in state.piles for card in pile}
            own = set(() if seat is None else state.hands[seat])
            assert not (shown & secret) - lying - own


def test_six_colours_have_faces_signs_and_letters(renderer: Renderer) -> None:
    page = renderer.room_page(game(0, options=SIX).scene(0), "en", url=URL)
    for letter in "YBWGRP":
        assert f'id="sign-{letter}"' in page
        assert f'<span aria-hidden="true">{letter}</span>' in page
        for value in ("$", *range(2, 11)):
            assert page.count(f'<symbol id="{letter}{value}"') == 1
    assert 'id="P7"' not in renderer.room_page(game(0).scene(0), "en", url=URL)


def test_a_move_is_small_on_the_wire(renderer: Renderer) -> None:
    sizes = []
    for seed, options in ((1, FIVE), (2, {**SIX, "rounds": 1})):
        moments = (now.scene for now in games(seed, options))
        sizes += change_sizes(renderer, moments, (0, 1, None))
    assert statistics.median(sizes) <= 8_000
    assert max(sizes) <= 30_000


def test_layouts(renderer: Renderer) -> None:
    assert renderer.layout(Scene(room("open"), frozenset(), 0, 0, ANN)) == "lobby"
    assert renderer.layout(Scene(room("starting"), frozenset(), 0, 0, ANN)) == "starting"
    assert renderer.layout(game(3).scene(None)) == "lost_cities"


def test_the_lobby_warns_of_a_link_that_works_on_this_computer_only(renderer: Renderer) -> None:
    scene = Scene(room("open"), frozenset(), 0, 0, ANN)
    for host, warned in (("localhost:8000", True), ("127.0.0.1", True), ("192.168.1.7", False)):
        page = renderer.room_page(scene, "en", url=f"http://{host}/r/x")
        assert ("only works on this computer" in page) is warned


def test_names_that_look_alike_are_told_apart(renderer: Renderer) -> None:
    for other in ("ann", "\N{CYRILLIC CAPITAL LETTER A}nn"):
        page = renderer.room_page(game(4, names=("Ann", other)).scene(0), "en", url=URL)
        assert f"<bdi>{other} (2)</bdi>" in page


def test_every_refusal_has_its_own_sentence(renderer: Renderer) -> None:
    general = renderer.refusal(None, "no_such_code", {}, "en")
    facts = {"card": "R7", "last": "R10", "colour": "R"}
    of_the_game = [
        "must_ascend",
        "investment_after_number",
        "not_in_hand",
        "draw_first",
        "play_first",
        "pile_closed",
        "pile_empty",
        "no_such_pile",
    ]
    of_the_house = [
        "stale",
        "not_asked",
        "not_your_turn",
        "game_over",
        "try_again",
        "nothing_to_undo",
        "undo_blocked",
        "broken",
        "concede_two_only",
        "malformed",
        "bad_row",
        "not_seated",
        "full",
        "started",
        "not_started",
        "not_host",
        "too_few",
        "too_many",
        "bad_seats",
        "bad_seat",
        "bad_order",
        "bad_options",
        "bad_hash",
        "bad_r",
        "name_empty",
        "too_fast",
        "name_too_long",
        "wrong_key",
        "unknown_room",
        "unknown_game",
        "not_found",
        "internal",
        "foreign_page",
    ]
    for code in of_the_game + of_the_house:
        sentence = renderer.refusal("lost_cities", code, facts, "en")
        assert sentence != general, code
        assert "\n" not in sentence, code
        assert sentence.endswith("."), code


def test_the_collected_messages_are_current() -> None:
    assert collect() == POT.read_bytes(), "run `make messages`"


def test_every_sentence_can_be_translated(tmp_path: Path) -> None:
    """In a made-up language that puts each sentence in brackets, nothing stands outside them."""
    foreign = Renderer(GAMES, texts=in_brackets(tmp_path))
    names = re.compile(rf"Motherlode|Ann|Bob|English|Esperanto|\b[YBWGRPDSEO]\b|{re.escape(URL)}")
    for page, drawn in every_page(foreign, "eo").items():
        shape = Shape(drawn)
        for text in ("".join(shape.texts), *shape.attributes):
            outside = names.sub("", outside_brackets(text))
            assert not re.search(r"[^\W\d_]", outside), (page, outside)


def test_a_visitor_gets_a_language_we_have(tmp_path: Path) -> None:
    for lang in ("de", "fr"):
        folder = tmp_path / lang / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "motherlode.po").write_text('msgid "Sit down"\nmsgstr "..."\n')
    texts = Texts(tmp_path)
    assert texts.languages == ("en", "de", "fr")
    assert texts.choose("fr", "de") == "fr"
    assert texts.choose("xx", "de-AT,en;q=0.5") == "de"
    assert texts.choose(None, "es,fr;q=0.4,de;q=0.7") == "de"
    assert texts.choose(None, "q=;;,,*") == "en"
    assert texts.choose(None, None) == "en"


def test_a_game_without_templates_still_has_a_page() -> None:
    high_card = HighCard()
    position = opened(high_card, 2, {"spare": 3}, bytes(32))
    scene = Scene(
        room=replace(room(), game=high_card.meta.key, options={"spare": 3}),
        online=frozenset({0}),
        watchers=0,
        seat=0,
        player_id=ANN,
        v=0,
        view=high_card.view(position.state, 0),
        actors=position.actors,
        log=(LogLine(0, None, "start", ({"kind": "dealt"},)),),
    )
    page = Renderer(registry(high_card)).room_page(scene, "en", url=URL)
    assert "<bdi>Bob</bdi>" in page
