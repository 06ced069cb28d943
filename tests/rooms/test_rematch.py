"""Every game tells who begins, and in a rematch the next seat does where the game can be told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from app.database import new_id
from app.games.contract import Json
from app.games.options import FIRST
from app.games.registry import GAMES
from app.play.position import opened_with_events
from app.rooms.rematch import options_again
from app.rooms.room import Room


def begins(key: str, seats: int, options: Mapping[str, Json], deal: int) -> int:
    """Deals, and returns the seat that the game says begins."""
    events = opened_with_events(GAMES[key], seats, options, bytes([deal]) * 32).events
    (starts,) = [event.facts["starts"] for event in events if "starts" in event.facts]
    assert isinstance(starts, int)
    return starts


def room_of(key: str, seats: int, options: Mapping[str, Json]) -> Room:
    """A room whose game is over."""
    return Room(
        id=new_id(),
        code="bado-keli-mofu-tasi",
        game=key,
        seats=seats,
        options=options,
        host_id=None,
        status="finished",
        commitment="0" * 64,
        r=0,
        people=(),
        starting_until=None,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize("key", GAMES)
def test_the_next_seat_begins_the_next_game(key: str) -> None:
    meta = GAMES[key].meta
    options: dict[str, Json] = {option.key: option.default for option in meta.options}
    for seats in range(meta.seats[0], meta.seats[1] + 1):
        now, starts = options, begins(key, seats, options, 0)
        for deal in range(1, seats + 1):
            now = options_again(meta, room_of(key, seats, now), starts)
            following = begins(key, seats, now, deal)
            if FIRST in options:
                assert following == (starts + 1) % seats
            else:
                assert now == options, "without such an option the game draws each time"
            starts = following
        assert {**now, FIRST: 0} == {**options, FIRST: 0}, "all other options stay"
