"""Who sees what: hands are their owners', stolen cards the thief's and the victim's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.games.take_the_gold.cards import KINDS
from app.games.take_the_gold.state import State
from tests.games.take_the_gold.positions import (
    GAME,
    after,
    chance,
    new_game,
    position,
    step,
    told,
)

VIEWERS = (0, 1, 2, None)
NONE = dict.fromkeys(KINDS, 0)


def view(state: State, viewer: int | None) -> dict[str, Any]:
    return GAME.view(state, viewer)


def test_a_view_in_full() -> None:
    state = position("pirate coin", "officer coin", "kraken", krakens=1)
    asked = after(state, "pirate>1")
    expected: dict[str, Any] = {
        "seat": 1,
        "stage": "respond",
        "turn": 0,
        "advanced": False,
        "krakens": 1,
        "krakens_to_end": 3,
        "hand": ["officer", "coin"],
        "drawn": [],
        "hands": [1, 2, 1],
        "known": [[], [], []],
        "draw": 48,
        "discards": NONE,
        "table": {"attack": "pirate", "attacker": 0, "target": 1, "answer": None},
        "last": None,
        "coins": None,
        "tie": None,
        "out": [],
        "won": None,
    }
    assert view(asked, 1) == expected
    spectator = {"seat": None, "hand": None, "drawn": None}
    assert view(asked, None) == expected | spectator
    settled = after(asked, "with officer")
    assert view(settled, 1) == expected | {
        "stage": "play",
        "turn": 1,
        "hand": ["officer", "coin"],
        "drawn": ["officer"],
        "draw": 47,
        "discards": NONE | {"pirate": 1, "officer": 1},
        "table": None,
        "last": {
            "attack": "pirate",
            "attacker": 0,
            "target": 1,
            "answer": "officer",
            "stolen": 0,
            "discarded": [],
        },
    }


def test_a_view_after_a_tie_in_full() -> None:
    state = after(position("kraken coin", "coin officer", "pirate", krakens=2), "kraken>2")
    tied = after(state, "with nothing")
    seen = view(tied, None)
    assert seen["coins"] == [1, 1, 0]
    assert seen["tie"] == {"seats": [0, 1], "discarded": [["coin"], ["coin"], []]}
    assert seen["out"] == [2]
    assert seen["krakens"] == 3
    assert seen["last"]["discarded"] == ["pirate"]
    assert seen["discards"] == NONE | {"coin": 2, "pirate": 1}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_views_differ_only_in_what_is_ones_own(viewer: int | None) -> None:
    state = new_game()
    differ = {key for key, value in view(state, viewer).items() if view(state, 0)[key] != value}
    assert differ <= {"seat", "hand", "drawn"}
    assert view(state, viewer)["hand"] == (None if viewer is None else list(state.hands[viewer]))


def test_a_hand_is_always_sorted() -> None:
    state = position("pirate", "captain coin", draw="pirate")
    drawn = after(state, "pass")
    assert view(drawn, 1)["hand"] == ["pirate", "coin", "captain"]
    robbed = after(position("pirate coin", "officer"), "pirate>1", "with nothing")
    assert view(robbed, 0)["hand"] == ["officer", "coin"]


def test_drawn_cards_are_told_to_the_drawer_only() -> None:
    move = step(position("pirate", "coin", "coin", draw="kraken"), "pass")
    for viewer in VIEWERS:
        drew = told(move, viewer)[-1]
        assert drew.get("cards") == (["kraken"] if viewer == 1 else None)
        assert ("kraken" in json.dumps(view(move.state, viewer)["drawn"])) == (viewer == 1)


@pytest.mark.parametrize("attack", ["two_pirates", "captain"])
def test_stolen_cards_are_told_to_thief_and_victim_only(attack: str) -> None:
    state = after(position(f"{attack} coin", "officer", "coin two_officers"), f"{attack}>2")
    move = step(state, "with nothing")
    fact = {"kind": "stole", "seat": 0, "target": 2, "count": 2, "attack": attack}
    for viewer in VIEWERS:
        stole = told(move, viewer)[1]
        cards = {} if viewer in {1, None} else {"cards": ["two_officers", "coin"]}
        assert stole == fact | cards


def test_thief_and_victim_keep_knowing_a_stolen_card() -> None:
    state = after(position("pirate coin", "officer", "kraken"), "pirate>2", "with nothing")
    assert view(state, 2)["known"] == [["kraken"], [], []]
    for viewer in (0, 1, None):
        assert view(state, viewer)["known"] == [[], [], []]


def test_all_know_of_a_coin_that_was_paid() -> None:
    state = after(position("captain pirate", "officer", "coin coin"), "captain>2", "with coin")
    assert view(state, 0)["known"] == [[], [], []], "of one's own hand nothing has to be known"
    for viewer in (1, 2, None):
        assert view(state, viewer)["known"] == [["coin"], [], []]


OVER = [
    # how it ends -> coins shown to all, winner's coins
    (
        after(position("pirate coin coin coin", "coin", "coin coin"), "pirate>1", "with nothing"),
        None,
        {"seat": 0, "coins": 4},
    ),
    (
        after(
            position("kraken coin", "pirate", "coin coin", krakens=2), "kraken>1", "with nothing"
        ),
        [1, 0, 2],
        {"seat": 2, "coins": 2},
    ),
]


@pytest.mark.parametrize(("end", "coins", "won"), OVER)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_at_the_end_only_coins_are_shown(
    end: State, coins: list[int] | None, won: dict[str, int], viewer: int | None
) -> None:
    seen = view(end, viewer)
    assert (seen["coins"], seen["won"], seen["turn"]) == (coins, won, None)
    assert seen["hand"] == (None if viewer is None else list(end.hands[viewer]))
    assert {card for known in seen["known"] for card in known} <= {"coin"}


def test_no_event_names_a_card_to_somebody_who_did_not_see_it() -> None:
    """Of what others draw and steal, a spectator is told numbers only."""
    for k in range(30):
        state = after(position("two_pirates pirate", "pirate", "coin kraken"), "two_pirates>2")
        for event in told(step(state, "with nothing", by=chance(k)))[1:]:
            assert event.get("cards") is None
