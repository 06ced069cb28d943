"""Who sees what: everything, but the decks and what others reserved unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.games.chance import Chance
from app.games.splendor.state import State
from tests.games.splendor.pieces import pieces
from tests.games.splendor.positions import (
    GAME,
    after,
    blind,
    bonus_cards,
    buy,
    card,
    has,
    new_game,
    position,
    reserve,
    step,
    take,
    tokens,
)

RED3 = card("green", red=3)
VIEWERS = (0, 1, 2, None)


def guesses(state: State, viewer: int | None) -> list[State]:
    return [GAME.guess(state, viewer, Chance(b"guess", k)) for k in range(40)]


def test_a_view_in_full() -> None:
    state = position(
        has(tokens(red=2, gold=1), cards=[RED3, 8], nobles=[3], reserved=[80], blind=[50]),
        has(),
        market={1: [0, None, 1, 2]},
        decks={1: [], 2: [51, 52], 3: [81]},
        nobles=[0, 9],
        first=1,
        round=4,
    )
    nothing = dict.fromkeys(("white", "blue", "green", "red", "black"), 0)
    expected: dict[str, Any] = {
        "seat": 0,
        "stage": "take",
        "turn": 0,
        "first": 1,
        "last": 0,
        "target": 15,
        "loose_take": False,
        "round": 4,
        "last_round": False,
        "passes": 0,
        "bank": {"white": 4, "blue": 4, "green": 4, "red": 2, "black": 4, "gold": 4},
        "market": {"1": [0, None, 1, 2], "2": [40, 41, 42, 43], "3": [70, 71, 72, 73]},
        "decks": {"1": 0, "2": 2, "3": 1},
        "nobles": [0, 9],
        "players": [
            {
                "tokens": nothing | {"red": 2, "gold": 1},
                "bonuses": nothing | {"green": 1, "blue": 1},
                "points": 3,
                "cards": [RED3, 8],
                "nobles": [3],
                "reserved": [
                    {"level": 3, "blind": False, "card": 80},
                    {"level": 2, "blind": True, "card": 50},
                ],
            },
            {
                "tokens": nothing | {"gold": 0},
                "bonuses": nothing,
                "points": 0,
                "cards": [],
                "nobles": [],
                "reserved": [],
            },
        ],
    }
    assert GAME.view(state, 0) == expected
    expected["players"][0]["reserved"][1]["card"] = None
    for viewer in (1, None):
        expected["seat"] = viewer
        assert GAME.view(state, viewer) == expected


def test_a_card_reserved_unseen_is_the_owners_secret_until_bought() -> None:
    state = position(has(tokens(red=3)), has(), has(), decks={1: [RED3, 3, 4]})
    reserving = step(state, blind(1))
    (event,) = reserving.events
    public = {"kind": "reserved", "seat": 0, "level": 1, "blind": True, "gold": 1}
    assert event.seen_by(0) == {**public, "card": RED3}
    for viewer in (1, 2, None):
        assert event.seen_by(viewer) == public
    later = after(reserving.state, take("white", "blue", "black"), take("white", "blue", "black"))
    for viewer in VIEWERS:
        (kept,) = GAME.view(later, viewer)["players"][0]["reserved"]
        assert kept == {"level": 1, "blind": True, "card": RED3 if viewer == 0 else None}
    bought = step(later, buy(RED3))
    for viewer in VIEWERS:
        assert bought.events[0].seen_by(viewer)["card"] == RED3
        assert GAME.view(bought.state, viewer)["players"][0]["cards"] == [RED3]


def test_a_card_reserved_from_the_market_stays_known_to_all() -> None:
    state = position(has(), has(), has(), market={1: [RED3]})
    reserving = step(state, reserve(RED3))
    for viewer in VIEWERS:
        assert reserving.events[0].seen_by(viewer)["card"] == RED3
        (kept,) = GAME.view(reserving.state, viewer)["players"][0]["reserved"]
        assert kept == {"level": 1, "blind": False, "card": RED3}


def test_the_owner_always_sees_all_three_of_his_reserves() -> None:
    """Late in the game, after a restart, on another device: the view is made from the state."""
    state = position(has(blind=[RED3, 50, 80], cards=bonus_cards(white=4)), has(), round=30)
    again = GAME.load(GAME.dump(state))
    shown = [kept["card"] for kept in GAME.view(again, 0)["players"][0]["reserved"]]
    assert shown == [RED3, 50, 80]
    assert [kept["card"] for kept in GAME.view(again, 1)["players"][0]["reserved"]] == [None] * 3


def test_it_stays_secret_when_the_game_is_over() -> None:
    """What was never bought is shown by the record, not by the view."""
    over = position(has(blind=[50]), has(cards=range(80, 85)), has(), turn=2)
    last = step(over, take("white", "blue", "red"))
    assert GAME.outcome(last.state) is not None
    assert "50" not in json.dumps(GAME.view(last.state, 1)["players"])
    assert GAME.view(last.state, 0)["players"][0]["reserved"][0]["card"] == 50


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_first_view_names_the_cards_on_the_table_and_no_others(viewer: int | None) -> None:
    state = new_game(2)
    view = GAME.view(state, viewer)
    assert view["market"] == {str(n): list(row) for n, row in enumerate(state.market, 1)}
    assert view["decks"] == {"1": 36, "2": 26, "3": 16}
    rest = {key: view[key] for key in view if key != "seat"}
    assert rest == {key: GAME.view(state, None)[key] for key in rest}


def test_the_prompt_of_a_blind_reserve_names_no_card() -> None:
    state = position(has(), decks={2: [50]})
    prompt = GAME.prompt(state, 0)
    assert prompt is not None
    assert blind(2) in [move.wire() for move in prompt.legal]
    assert all(move.wire().get("card") != 50 for move in prompt.legal)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_guess_looks_the_same_and_holds_the_same_pieces(viewer: int | None) -> None:
    state = position(
        has(reserved=[80], blind=[50, 5]), has(blind=[51]), has(blind=[52, 81, 6]), decks={3: [82]}
    )
    for guess in guesses(state, viewer):
        assert GAME.view(guess, viewer) == GAME.view(state, viewer)
        assert pieces(guess) == pieces(state)


def test_a_guess_keeps_what_the_viewer_knows_and_deals_the_rest() -> None:
    state = position(has(reserved=[80], blind=[50]), has(blind=[51]), has(), decks={2: [60, 61]})
    seen: dict[int | None, set[tuple[int, ...]]] = {}
    for viewer in VIEWERS:
        for guess in guesses(state, viewer):
            kept = [reserved.card for player in guess.players for reserved in player.reserved]
            assert kept[0] == 80
            assert sorted((*kept[1:], *guess.decks[1])) == [50, 51, 60, 61]
            seen.setdefault(viewer, set()).add(tuple(kept[1:]))
    assert {kept[0] for kept in seen[0]} == {50}
    assert {kept[1] for kept in seen[0]} == {51, 60, 61}
    assert {kept[1] for kept in seen[1]} == {51}
    assert {kept[0] for kept in seen[None]} == {50, 51, 60, 61}


def test_a_guess_stays_within_the_level() -> None:
    state = position(has(blind=[5, 50, 80]), has())
    for guess in guesses(state, 1):
        levels = [1, 2, 3]
        cards = [reserved.card for reserved in guess.players[0].reserved]
        assert [1 + (n >= 40) + (n >= 70) for n in cards] == levels
