"""What may be looked at again: never more than was told then and may be looked up now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from app.games.registry import GAMES
from app.play.history import Replayed, applied, dealt
from app.play.opening import Deal
from app.realtime.looking import past
from tests.play.recorded_games import deal_of, journal_of, shown
from tests.tiny.games import TORTURE

SILVER = GAMES["silver_and_gold"]
BOTH = (shown(0), shown(1))
Cells = set[tuple[int, int, int]]
"""Marked squares: map, row, column."""


def replayed(deal: Deal, choices: int) -> list[Replayed]:
    """A random game, entry by entry."""
    entries = journal_of(deal, choices)
    found = [dealt(deal)]
    for entry in entries[1:]:
        found.append(applied(found[-1].position, entry))
    return found


def marked(view: dict[str, Any]) -> Cells:
    """All squares that a view shows as marked; a map laid aside counts as marked all over."""
    return {
        (held["map"], *cell)
        for player in view["players"]
        for held in player["maps"]
        if held
        for cell in held["marked"]
    }


def moments(game: list[Replayed]) -> Iterator[tuple[int, Any]]:
    """Each moment while the game runs: how many entries there are, and the state."""
    for number, entry in enumerate(game, start=1):
        if not entry.position.over:
            yield number, entry.position.state


def test_earlier_turns_of_a_round_cannot_be_looked_up() -> None:
    """Neither their expedition nor their squares, which are what differs between two looks."""
    game = replayed(deal_of(SILVER, BOTH), 3)
    forbidden: Cells = set()
    turn, begun, before = (1, 1), set[tuple[int, int, int]](), set[tuple[int, int, int]]()
    closed = checked = 0
    for number, state in moments(game):
        now = SILVER.view(state, None)
        if (state.round, state.turn) != turn:
            # A turn is over: its squares may not be looked up until the round is.
            forbidden = (forbidden | (before | marked(now)) - begun) if state.turn > 1 else set()
            turn, begun = (state.round, state.turn), marked(now)
        before = marked(now)
        for viewer in (0, 1, None):
            seen = past(game[:number], viewer)
            assert seen.looks, "the present can always be looked at"
            closed += seen.closed
            views = [look.view for look in seen.looks]
            for look in seen.looks:
                assert not forbidden & (marked(now) - marked(look.view)), (number, look.seq)
                told = {event["kind"] for event in look.line.events}
                assert not told & {"expedition", "chose_squares", "marked", "turn_marked"}
                checked += 1
            shown = [view["expedition"] for view in views if view["round"] == state.round]
            assert set(shown) <= {now["expedition"], None}
    assert closed > 50
    assert checked > 500


def test_after_the_end_and_with_open_expeditions_nothing_is_closed() -> None:
    game = replayed(deal_of(SILVER, BOTH), 3)
    whole = past(game, 1)
    assert (whole.over, whole.closed) == (True, False)
    kinds = {event["kind"] for look in whole.looks for event in look.line.events}
    assert {"expedition", "turn_marked"} <= kinds
    deal = deal_of(SILVER, BOTH)
    open_deal = Deal(
        deal.room_id,
        deal.code,
        deal.game,
        deal.seats,
        {**deal.options, "open_expeditions": True},
        deal.r,
        deal.seed,
    )
    running = replayed(open_deal, 3)[:60]
    seen = past(running, 0)
    assert not seen.over
    assert not seen.closed
    assert len(seen.looks) > 30


@pytest.mark.parametrize("game", [*GAMES.values(), TORTURE], ids=lambda game: game.meta.key)
def test_each_step_is_the_view_of_then_without_what_was_fleeting(game: Any) -> None:
    entries = replayed(deal_of(game, BOTH), 1)
    running = [entry for entry in entries if not entry.position.over]
    for viewer in (0, 1, None):
        seen = past(running, viewer)
        assert not seen.over
        at = {entry.told.seq: entry for entry in running}
        for look in seen.looks:
            entry = at[look.seq]
            assert look.view == game.view(entry.position.state, viewer)
            assert list(look.line.events) == entry.told.seen_by(viewer)
            if not look.line.events and entry.told.seat != viewer:
                assert (look.line.seat, look.line.kind) == (None, ""), "a secret answer"
        assert seen.looks[-1].view == game.view(running[-1].position.state, viewer)
        assert len(seen.looks) > 1 or seen.closed
