"""Beats: what tells a quiet page that its line is alive and its state the newest."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final
from uuid import UUID

from app.realtime.background import Steady
from app.realtime.live import Live
from app.realtime.protocol import server_now

AT_ONCE: Final = 200
"""Sockets told in one go before others get their turn on the loop."""


class Beats(Steady):
    """Sends one to each socket every so many seconds."""

    def __init__(self, lives: Mapping[UUID, Live], seconds: float) -> None:
        self._lives = lives
        self._seconds = seconds

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            told = 0
            for live in list(self._lives.values()):
                beat = {"t": "beat", "v": live.v, "r": live.room.r, "now": server_now()}
                for connection in live.connections:
                    connection.beat(beat)
                told += len(live.connections)
                if told >= AT_ONCE:
                    told = 0
                    await asyncio.sleep(0)
