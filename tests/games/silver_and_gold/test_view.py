"""Who sees what."""

from __future__ import annotations

import json

import pytest

from tests.games.silver_and_gold.positions import (
    GAME,
    Move,
    after,
    all_but,
    extra,
    has,
    held,
    keep,
    mark,
    new_game,
    position,
    step,
)
from tests.games.silver_and_gold.randomly import moments

CROSSES = 1  # xooo/.oo./xoox/oooo
PLAIN = 39  # ooo/o.o/ooo
PALM = 43  # .o../oopo/.ooo
COINS = 8  # ooco/xo.o/oc.c/oooo


def test_while_keeping_each_sees_its_own_four() -> None:
    state = new_game(3)
    for seat in range(3):
        view = GAME.view(state, seat)
        assert view["dealt"] == list(state.dealt[seat])
        assert view["kept"] is None
    watcher = GAME.view(state, None)
    assert watcher["dealt"] is None
    assert watcher["status"] == ["choosing"] * 3
    assert watcher["display"] == [None] * 4
    assert watcher["deck"] == 35
    assert (watcher["stage"], watcher["expedition"], watcher["left"]) == ("keep", None, 0)


def test_who_has_kept_all_may_know_and_what_only_the_owner() -> None:
    state = new_game(3)
    kept = after(state, (1, keep(*state.dealt[1][:2])))
    own = GAME.view(kept, 1)
    assert own["kept"] == list(state.dealt[1][:2])
    assert own["dealt"] == list(state.dealt[1])
    for viewer in (0, 2, None):
        view = GAME.view(kept, viewer)
        assert view["status"] == ["choosing", "done", "choosing"]
        assert view["kept"] is None
        assert {**view, "status": 0} == {**GAME.view(state, viewer), "status": 0}


def test_kept_maps_are_open_once_all_have_kept_and_the_others_gone() -> None:
    state = new_game(2)
    begun = after(state, *((seat, keep(*state.dealt[seat][:2])) for seat in range(2)))
    for viewer in (0, 1, None):
        view = GAME.view(begun, viewer)
        assert (view["dealt"], view["kept"]) == (None, None)
        for seat in range(2):
            maps = [it["map"] for it in view["players"][seat]["maps"]]
            assert maps == list(state.dealt[seat][:2])
        text = json.dumps(view)
        for number in begun.deck:
            assert f'"map": {number},' not in text
            assert number not in view["display"]


def before_and_after(move: Move, *more: Move) -> None:
    """Checks that what seat 0 marks changes nobody's view but its own, apart from `status`."""
    state = position(has(CROSSES, PALM), has(COINS, PLAIN), has(37), display=[4, 5, 25, 26])
    marked = after(state, (0, move), *((0, it) for it in more))
    for viewer in (1, 2, None):
        assert {**GAME.view(marked, viewer), "status": 0} == {
            **GAME.view(state, viewer),
            "status": 0,
        }
    own, was = GAME.view(marked, 0), GAME.view(state, 0)
    assert own["players"] == was["players"]
    assert was["pending"] is None
    assert own["pending"] is not None


def test_marks_are_secret_until_all_have_marked() -> None:
    before_and_after(mark(PALM, (1, 2)))
    before_and_after(mark(CROSSES, (0, 0)))
    before_and_after(mark(CROSSES, (0, 0), (0, 1)), extra(PALM, (1, 2)))


def test_a_seat_that_owes_an_extra_looks_as_if_it_had_not_begun() -> None:
    state = position(has(CROSSES, PALM), has(COINS, PLAIN))
    marked = after(state, (0, mark(CROSSES, (0, 0))))
    for viewer in (1, None):
        assert GAME.view(marked, viewer) == GAME.view(state, viewer)
    done = after(marked, (0, extra(PALM, (1, 2))))
    assert GAME.view(done, 1)["status"] == ["done", "choosing"]


def test_pending_has_the_own_marks_with_what_they_bring() -> None:
    state = position(
        has(CROSSES, PALM), has(COINS, all_but(PLAIN, (0, 0))), display=[4, 25, 26, 27]
    )
    state = after(state, (0, mark(CROSSES, (0, 0), (0, 1))))
    assert GAME.view(state, 0)["pending"] == {
        "cells": {"1": [[0, 0], [0, 1]]},
        "extras": 1,
        "coins": 0,
        "palms": [],
        "completes": [],
    }
    state = after(state, (0, extra(PALM, (1, 2))))
    assert GAME.view(state, 0)["pending"] == {
        "cells": {"1": [[0, 0], [0, 1]], "43": [[1, 2]]},
        "extras": 0,
        "coins": 0,
        "palms": [2],
        "completes": [],
    }


def test_pending_names_the_map_that_will_be_laid_aside() -> None:
    state = position(has(all_but(COINS, (0, 2)), PLAIN), has(37))
    state = after(state, (0, mark(COINS, (0, 2))))
    assert GAME.view(state, 0)["pending"] == {
        "cells": {"8": [[0, 2]]},
        "extras": 0,
        "coins": 1,
        "palms": [],
        "completes": [8],
    }


def test_marked_squares_are_sorted_by_place() -> None:
    state = position(has(CROSSES, PLAIN), has(37, 38))
    state = after(state, (0, mark(CROSSES, (3, 3))), (1, mark(37, (0, 0))))
    state = after(state, (0, mark(CROSSES, (0, 1))), (1, mark(37, (0, 2))))
    maps = GAME.view(state, None)["players"][0]["maps"]
    assert maps[0] == {"map": CROSSES, "marked": [[0, 1], [3, 3]]}


def test_marks_of_different_turns_leave_the_same_view_in_either_order() -> None:
    """One square now and another next turn, or the other way round: nobody can tell."""
    ends = []
    for first, second in (((0, 1), (0, 2)), ((0, 2), (0, 1))):
        state = position(has(CROSSES, PLAIN), has(37, 38))
        state = after(state, (0, mark(CROSSES, first)), (1, mark(37, (0, 0))))
        state = after(state, (0, mark(CROSSES, second)), (1, mark(37, (0, 2))))
        ends.append([GAME.view(state, viewer) for viewer in (0, 1, None)])
    assert ends[0] == ends[1]


def test_all_see_players_with_their_sheets() -> None:
    state = position(
        has(held(CROSSES, [(0, 1)]), coins=5, rows=(6,), palms=(1, 3), completed=(27, 38)), has(37)
    )
    assert GAME.view(state, None)["players"][0] == {
        "maps": [{"map": CROSSES, "marked": [[0, 1]]}, None],
        "coins": 5,
        "rows": [6, None, None],
        "palms": [1, 3],
        "completed": [27, 38],
        "points": {"coins": 5, "trophies": 6, "palms": 4, "maps": 18, "seals": 1, "total": 34},
    }


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_nothing_of_the_deck_or_the_coming_expeditions_is_sent(viewer: int | None) -> None:
    """Another order of what is hidden gives the same view."""
    state = position(has(CROSSES, PLAIN), has(37, 38), turn=3, expedition="ell4")
    other = position(
        has(CROSSES, PLAIN), has(37, 38), turn=3, expedition="ell4", deck=state.deck[::-1]
    )
    assert other.deck != state.deck
    assert GAME.view(other, viewer) == GAME.view(state, viewer)


# Earlier expeditions of the round


def test_earlier_expeditions_are_in_no_view_and_no_lasting_event() -> None:
    """In whole games: what stays readable in a round names no expedition of it but the current."""
    for number in range(4):
        come: list[str] = []
        for moment in moments(2 + number % 3, number):
            view = GAME.view(moment.state, None)
            assert view["past"] is None
            for event in moment.events:
                if event.kind == "expedition":
                    assert event.fleeting
                    come = [*come, event.facts["expedition"]] if event.facts["turn"] > 1 else []
                elif event.kind == "round_over":
                    assert len(event.facts["expeditions"]) == 7
                else:
                    assert "expedition" not in event.facts
                lasting = not event.fleeting and event.kind != "round_over"
                assert not (lasting and "cells" in event.facts), event
            if view["stage"] in {"mark", "score"}:
                text = json.dumps({**view, "expedition": None})
                assert not any(f'"{name}"' in text for name in come)


def test_own_marks_of_earlier_turns_are_in_no_lasting_event_either() -> None:
    for moment in moments(2, 3):
        for event in moment.events:
            if event.kind in {"chose_squares", "marked", "turn_marked", "expedition"}:
                assert event.fleeting
            if event.kind in {"chose_squares", "chose_maps"}:
                assert event.to == (moment.seat,)


def test_the_view_forgets_the_cells_of_the_last_turn() -> None:
    """After the last mark the own pending marks are gone from the view."""
    state = position(has(CROSSES, PLAIN), has(37, 38))
    made = step(after(state, (0, mark(PLAIN, (0, 0)))), 1, mark(37, (0, 0)))
    for viewer in (0, 1, None):
        assert GAME.view(made.state, viewer)["pending"] is None


def test_when_the_round_is_over_its_expeditions_are_told_for_good() -> None:
    told = {}
    shown: dict[int, list[str]] = {}
    for moment in moments(2, 11):
        for event in moment.events:
            if event.kind == "expedition":
                shown.setdefault(event.facts["round"], []).append(event.facts["expedition"])
            if event.kind == "round_over":
                assert not event.fleeting
                told[event.facts["round"]] = event.facts["expeditions"]
    assert told == shown
    assert [len(names) for names in told.values()] == [7] * 4


def test_open_expeditions_lifts_all_this() -> None:
    come: list[str] = []
    for moment in moments(3, 12, open_expeditions=True):
        for event in moment.events:
            if event.kind in {"expedition", "turn_marked", "chose_squares"}:
                assert not event.fleeting
            if event.kind == "expedition":
                come = (
                    [*come, event.facts["expedition"]]
                    if event.facts["turn"] > 1
                    else [event.facts["expedition"]]
                )
        view = GAME.view(moment.state, None)
        assert view["open_expeditions"] is True
        if view["stage"] in {"mark", "score"}:
            assert view["past"] == come[:-1]
            assert view["expedition"] == come[-1]
