"""Who sees what."""

from __future__ import annotations

import json

import pytest

from tests.games.lost_cities.positions import (
    GAME,
    VIEWERS,
    Viewer,
    after,
    new_game,
    position,
    step,
)


def test_a_view_in_full() -> None:
    state = position(
        "R7 B$ Y10", "G2 G3", mine="Y$ Y4", theirs="W10", piles="B3 B2 R5", deck="G9 G10"
    )
    assert GAME.view(state, 0) == {
        "seat": 0,
        "phase": "play",
        "turn": 0,
        "round": 1,
        "rounds": 1,
        "colours": ["Y", "B", "W", "G", "R"],
        "deck": 2,
        "hand": ["Y10", "B$", "R7"],
        "hands": [3, 2],
        "expeditions": [{"Y": ["Y$", "Y4"]}, {"W": ["W10"]}],
        "scores": [{"Y": -32}, {"W": -10}],
        "totals": [-32, -10],
        "piles": {
            "Y": {"top": None, "size": 0},
            "B": {"top": "B2", "size": 2},
            "W": {"top": None, "size": 0},
            "G": {"top": None, "size": 0},
            "R": {"top": "R5", "size": 1},
        },
        "closed": None,
        "past": [],
    }


@pytest.mark.parametrize("viewer", VIEWERS)
def test_views_differ_in_the_seat_and_the_own_hand_only(viewer: Viewer) -> None:
    state = new_game()
    mine = GAME.view(state, viewer)
    assert mine["seat"] == viewer
    assert mine["hand"] == ([] if viewer is None else list(state.hands[viewer]))
    rest = {key: mine[key] for key in mine if key not in {"seat", "hand"}}
    assert rest == {key: GAME.view(state, None)[key] for key in rest}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_hidden_card_is_in_a_view(viewer: Viewer) -> None:
    """First message after the deal: the other's part has counts only."""
    state = new_game()
    shown = json.dumps(GAME.view(state, viewer))
    hidden = {*state.deck, *state.hands[0], *state.hands[1]}
    if viewer is not None:
        hidden -= set(state.hands[viewer])
    assert [card for card in sorted(hidden) if f'"{card}"' in shown] == []


def test_only_the_drawer_is_told_a_card_from_the_deck() -> None:
    state = after(position("R7", deck="Y3 B5"), "play R7")
    (drew,) = step(state, "draw deck").events
    public = {"kind": "drew", "seat": 0, "from": "deck", "left": 1}
    assert drew.seen_by(0) == {**public, "card": "Y3"}
    assert drew.seen_by(1) == public
    assert drew.seen_by(None) == public


@pytest.mark.parametrize("viewer", VIEWERS)
def test_all_are_told_a_card_from_a_pile(viewer: Viewer) -> None:
    state = after(position("R7", piles="Y3", deck="B4 B5"), "play R7")
    (drew,) = step(state, "draw Y").events
    told = {"kind": "drew", "seat": 0, "from": "Y", "left": 2, "card": "Y3"}
    assert drew.seen_by(viewer) == told


def test_a_play_is_told_with_the_running_score_and_a_discard_as_it_is() -> None:
    state = position("R7 B2", mine="R$")
    assert [event.seen_by(1) for event in step(state, "play R7").events] == [
        {"kind": "played", "seat": 0, "card": "R7", "score": -26}
    ]
    assert [event.seen_by(None) for event in step(state, "discard B2").events] == [
        {"kind": "discarded", "seat": 0, "card": "B2"}
    ]


def test_only_the_top_card_and_the_size_of_a_pile_are_shown() -> None:
    view = GAME.view(position(piles="R3 R9 R4"), 0)
    assert view["piles"]["R"] == {"top": "R4", "size": 3}
    assert "R9" not in json.dumps(view)


def test_the_closed_pile_is_shown_until_the_draw() -> None:
    state = after(position("R7"), "discard R7")
    assert GAME.view(state, None)["closed"] == "R"
    assert GAME.view(state, None)["phase"] == "draw"
    assert GAME.view(after(state, "draw deck"), None)["closed"] is None


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_hand_left_over_stays_hidden(rounds: int) -> None:
    """After the last round too, and after an earlier one until the match is over."""
    state = position("R7", "B5 G9", deck="W2", rounds=rounds)
    last = step(after(state, "discard R7"), "draw deck")
    told = json.dumps([event.seen_by(0) for event in last.events])
    shown = json.dumps(GAME.view(last.state, None))
    for card in ("B5", "G9"):
        assert card not in told
        assert card not in shown


def test_at_the_end_nobody_is_to_move_and_ones_own_hand_is_still_seen() -> None:
    over = after(position("R7", "B5 G9", deck="W2"), "discard R7", "draw deck")
    view = GAME.view(over, 1)
    assert (view["phase"], view["turn"], view["closed"], view["deck"]) == ("over", None, None, 0)
    assert view["hand"] == ["B5", "G9"]
    assert view["hands"] == [1, 2]


def test_six_colours_are_listed_in_the_order_of_the_table() -> None:
    view = GAME.view(new_game(colours=6), None)
    assert view["colours"] == ["Y", "B", "W", "G", "R", "P"]
    assert list(view["piles"]) == view["colours"]
