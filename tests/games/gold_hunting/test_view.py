"""Who sees what, field by field."""

from __future__ import annotations

import json

import pytest

from app.games.gold_hunting.state import Use
from tests.games.gold_hunting.positions import (
    GAME,
    VIEWERS,
    Viewer,
    after,
    has,
    hunt,
    legal,
    new_game,
    position,
    refused,
)

FIELDS = [
    *("seat", "stage", "turn", "first", "bust_min", "ready", "mine", "heights", "left", "unseen"),
    *("piles", "safes", "box", "tokens", "third", "points", "last"),
]
OWN = {"seat", "mine", "tokens"}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_view_has_the_same_fields(viewer: Viewer) -> None:
    for state in (new_game(), hunt(), after(hunt(), "dig 0 as 1")):
        assert list(GAME.view(state, viewer)) == FIELDS


def test_viewers_differ_in_what_is_their_own_and_in_nothing_else() -> None:
    state = after(hunt(), "dig 1 as 2", "dig 0 as 3", "safe", "dig 2 as 1")
    views = [GAME.view(state, viewer) for viewer in VIEWERS]
    for field in FIELDS:
        told = {json.dumps(view[field]) for view in views}
        assert (len(told) > 1) == (field in OWN), field


def test_the_view_before_anybody_has_built() -> None:
    state = new_game()
    numbers = [player.token.number for player in state.players]
    view = GAME.view(state, 0)
    assert view == {
        "seat": 0,
        "stage": "build",
        "turn": None,
        "first": 0,
        "bust_min": 3,
        "ready": [False, False],
        "mine": None,
        "heights": None,
        "left": [10, 10],
        "unseen": [{"1": 4, "2": 4, "3": 2}, {"1": 4, "2": 4, "3": 2}],
        "piles": [[], []],
        "safes": [[], []],
        "box": [],
        "tokens": [
            {"number": numbers[0], "use": None, "right": None},
            {"number": None, "use": None, "right": None},
        ],
        "third": None,
        "points": [{"pile": 0, "safe": 0, "rush": 0, "total": 0}] * 2,
        "last": None,
    }


def test_ones_own_mountains_stand_open_to_oneself_as_they_are_dug() -> None:
    state = after(hunt(mine="21 321 123 12"), "dig 0 as 1", "dig 1 as 1")
    assert GAME.view(state, 0)["mine"] == [[2, 1], [3, 2], [1, 2, 3], [1, 2]]
    assert GAME.view(state, 1)["mine"] == [[1, 1], [3, 2], [2, 3, 2], [1, 2]]
    assert GAME.view(state, None)["mine"] is None


# Four ways to stack the same bars to the heights 3, 6, 6, 3: 2 to 5 bars in a mountain.
LOOK_ALIKE = ["21 321 123 12", "21 321 1221 3", "111 222 321 3", "3 2211 213 12"]


@pytest.mark.parametrize("other", LOOK_ALIKE[1:])
def test_what_stands_in_a_mountain_and_how_many_shows_in_no_byte(other: str) -> None:
    one, two = (hunt(theirs=theirs) for theirs in (LOOK_ALIKE[0], other))
    assert one != two
    for viewer in (0, None):
        assert json.dumps(GAME.view(one, viewer)) == json.dumps(GAME.view(two, viewer))
    assert GAME.prompt(one, 0) == GAME.prompt(two, 0)
    for text in (*legal(one), "safe", "build 1 1 1 1"):
        assert refused(one, text) == refused(two, text)


def test_what_is_unseen_is_counted_from_what_all_have_seen_lifted() -> None:
    state = hunt(mine="21 321 123 12", theirs="111 32 232 12")
    unseen = [GAME.view(state, None)["unseen"]]
    for move in ("dig 1 as 2", "dig 2 as 1", "dig 1 as 1"):
        state = after(state, move)
        unseen.append(GAME.view(state, None)["unseen"])
    full = {"1": 4, "2": 4, "3": 2}
    assert unseen == [
        [full, full],
        [full, {"1": 4, "2": 3, "3": 2}],
        [{"1": 4, "2": 4, "3": 1}, {"1": 4, "2": 3, "3": 2}],
        [{"1": 4, "2": 4, "3": 1}, {"1": 4, "2": 3, "3": 1}],
    ]
    for viewer in VIEWERS:
        assert GAME.view(state, viewer)["unseen"] == unseen[-1]


def test_piles_safes_and_box_are_shown_in_order_to_all() -> None:
    state = position(has("31", "321"), has("2", token=2), box=(3, 1))
    state = after(state, "dig 0 as 1")
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        assert view["piles"] == [[1, 1, 3], [2]]
        assert view["left"] == [10, 9]


@pytest.mark.parametrize(
    ("use", "right", "seen"),
    [(None, None, None), ("safe", None, None), ("rush", True, 3), ("rush", False, 3)],
)
def test_a_token_is_its_owners_until_it_is_rushed(
    use: Use | None, right: bool | None, seen: int | None
) -> None:
    state = position(has(token=3, use=use, right=right), has(token=1))
    token = {"use": use, "right": right}
    assert GAME.view(state, 0)["tokens"][0] == {"number": 3, **token}
    for viewer in VIEWERS[1:]:
        assert GAME.view(state, viewer)["tokens"][0] == {"number": seen, **token}
    assert GAME.view(state, None)["tokens"][1]["number"] is None
    assert GAME.view(state, 0)["third"] is None


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_game_that_ends_early_turns_the_tokens_up_and_nothing_else(viewer: Viewer) -> None:
    for state in (new_game(), position(has("2", "3", token=2), has(token=3))):
        before, end = GAME.view(state, viewer), GAME.view(GAME.stopped(state), viewer)
        numbers = [player.token.number for player in state.players]
        assert [token["number"] for token in end["tokens"]] == numbers
        assert end["third"] == state.third
        assert {field for field in before if before[field] != end[field]} == {"tokens", "third"}
        assert GAME.load(GAME.dump(GAME.stopped(state))) == GAME.stopped(state)
