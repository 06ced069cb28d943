"""The sample client of docs/protocol.md plays whole games against a real server."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from bench.client import Seat, play
from tests.servers import Server

pytestmark = pytest.mark.servers


async def test_it_plays_games_to_their_end(database_url: URL, tmp_path: Path) -> None:
    with Server(database_url.render_as_string(hide_password=False), tmp_path) as server:
        seats = [Seat(server.url), Seat(server.url)]
        for name, seat in zip(("Ada", "Ben"), seats, strict=True):
            await seat.arrive(name)
        for _ in range(2):
            outcome = await play(seats, "lost_cities")
            assert outcome["reason"] == "deck"
            assert sorted(outcome["ranking"]) in ([1, 1], [1, 2])
            assert [seat.outcome for seat in seats] == [outcome, outcome]
