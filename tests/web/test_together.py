"""Pages of games in which several seats choose at once: what others do disturbs nobody's choice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.database import new_id
from app.games.registry import GAMES
from app.realtime.scene import Scene
from app.web.render import Renderer
from tests.conformance.arrivals import Moment, Play, moments
from tests.tiny.games import TORTURE
from tests.web.scenes import Game, room

SHELF = {**GAMES, TORTURE.meta.key: TORTURE}
NAMES = ("Ann", "Bob", "Cleo", "Dan")
MINE = ("prompt", "undo", "turn", "notice")
"""Regions that stay as they are for whoever still chooses, while others answer."""


def some_moments(key: str) -> list[Moment]:
    return [moment for number in range(3) for moment in moments(SHELF[key], number, 3)]


TOGETHER = {key: found for key in SHELF if (found := some_moments(key))}


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(SHELF)


def scene_of(play: Play, seat: int | None) -> Scene:
    """Returns what a viewer sees after a journal."""
    position, told = play.replayed()
    deal = play.deal
    where = room(
        names=NAMES[: deal.seats],
        options=dict(deal.options),
        key=deal.game.meta.key,
        seats=deal.seats,
    )
    # Lines of the log are drawn once for a room: each journal is a room of its own.
    return Game(position, told, replace(where, id=new_id())).scene(seat)


@pytest.mark.parametrize("key", TOGETHER)
def test_my_question_is_drawn_the_same_whatever_others_answer(renderer: Renderer, key: str) -> None:
    for moment in TOGETHER[key]:
        *others, mine = sorted(moment.position.asked)
        play = Play(moment.deal, moment.journal, moment.position)
        before = renderer.regions(scene_of(play, mine), "en")
        for seat in others:
            for move in moment.first[seat]:
                play.move(seat, move)
                _unmoved(before, renderer.regions(scene_of(play, mine), "en"))
        play.undo(others[0])
        _unmoved(before, renderer.regions(scene_of(play, mine), "en"))


def _unmoved(before: dict[str, str], after: dict[str, str]) -> None:
    for name in MINE:
        assert after[name] == before[name], name


@pytest.mark.parametrize("key", TOGETHER)
def test_who_has_answered_reads_for_whom_to_wait_and_what_can_be_taken_back(
    renderer: Renderer, key: str
) -> None:
    for moment in TOGETHER[key]:
        first, *rest = sorted(moment.position.asked)
        play = Play(moment.deal, moment.journal, moment.position)
        theirs = renderer.regions(scene_of(play, rest[0]), "en")["undo"]
        for move in moment.first[first]:
            play.move(first, move)
        regions = renderer.regions(scene_of(play, first), "en")
        names = ", ".join(f"<bdi>{NAMES[seat]}</bdi>" for seat in rest)
        assert f"You are done. Waiting for {names}." in regions["turn"]
        assert "Take back: " in regions["undo"]
        assert 'aria-keyshortcuts="Control+Z"' in regions["undo"]
        # Somebody who still owes a square may take back the one before it: that stays as it was.
        assert renderer.regions(scene_of(play, rest[0]), "en")["undo"] == theirs
