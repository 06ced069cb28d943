"""What the templates of a room know about one viewer's scene."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from app.games.contract import Meta
from app.realtime.scene import Scene


@lru_cache(maxsize=4096)
def isolated(name: str) -> Markup:
    """Returns a name that cannot disturb the direction of the text around it."""
    return Markup("<bdi>{}</bdi>").format(name)


WATCHED = 5
"""How many of the newest entries are recent for a spectator."""


def sight(scene: Scene, meta: Meta) -> dict[str, Any]:
    """Returns the names that every template of a room may use.

    `names` are isolated names by seat, `plain` the same as text, `me` the viewer's seat, `rivals`
    the other seats in table order from mine on, `owes` whether the viewer has a decision to make,
    `marks` what happened since my last move (see `_since`), `recent` that with the move itself,
    newest entry first (see `_recent`).
    """
    plain = scene.room.names
    me = scene.seat
    seats = scene.room.seats
    first = 0 if me is None else me + 1
    return {
        "scene": scene,
        "room": scene.room,
        "game": meta,
        "view": scene.view,
        "prompt": scene.prompt,
        "outcome": scene.outcome,
        "me": me,
        "plain": plain,
        "names": {seat: isolated(name) for seat, name in plain.items()},
        "rivals": [
            seat % seats for seat in range(first, first + seats) if me is None or seat % seats != me
        ],
        "owes": scene.prompt is not None,
        "host": scene.player_id is not None and scene.player_id == scene.room.host_id,
        "marks": _since(scene),
        "recent": _recent(scene),
    }


def _since(scene: Scene) -> list[Mapping[str, Any]]:
    """Returns the events after the viewer's last entry; for a spectator those of the last entry."""
    events: list[Mapping[str, Any]] = []
    for line in reversed(scene.log):
        if line.seq <= scene.own:
            break
        events.extend(line.events)
        if scene.seat is None:
            break
    return events


def _recent(scene: Scene) -> list[Mapping[str, Any]]:
    """Returns the events down to the viewer's newest line; for a spectator those of `WATCHED`."""
    events: list[Mapping[str, Any]] = []
    for count, line in enumerate(reversed(scene.log), 1):
        events.extend(line.events)
        if count == WATCHED if scene.seat is None else line.seat == scene.seat:
            break
    return events
