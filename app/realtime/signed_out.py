"""Devices that were taken away from their players: they get nothing more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final, TypeAlias
from uuid import UUID

from app.players.recently import Recently
from app.realtime.background import Background
from app.realtime.bus import Bus, News
from app.realtime.connection import CLOSE_SIGNED_OUT
from app.realtime.live import Live

REMEMBERED_SECONDS: Final = 600.0
"""Longer than anybody takes from being known by a token to having a socket."""
SIGNED_OUT: Final = "signed_out"

Gone: TypeAlias = Callable[[Collection[UUID]], Awaitable[Collection[UUID]]]
"""Returns which devices there are no more; raises SQLAlchemyError, OSError."""


class SignedOut:
    """Ends the sockets of such devices, and knows them when they come.

    `ears` are called with each device.
    """

    def __init__(self, lives: Mapping[UUID, Live], bus: Bus, background: Background) -> None:
        self.ears: list[Callable[[UUID], None]] = []
        self._lives = lives
        self._bus = bus
        self._background = background
        self._devices: Recently[UUID | None] = Recently(REMEMBERED_SECONDS)
        bus.listen(News, self._heard)

    def __contains__(self, device_id: UUID | None) -> bool:
        return device_id in self._devices

    def add(self, device_id: UUID) -> None:
        """Closes the sockets of a device that was taken away from its player, everywhere."""
        self._bus.publish(News(SIGNED_OUT, {"device": str(device_id)}))

    async def look(self, gone: Gone) -> None:
        """Ends the sockets of devices that there are no more, whoever took them away.

        Raises what `gone` raises.
        """
        connections = [each for live in self._lives.values() for each in live.connections]
        there = {each.device_id for each in connections if each.device_id is not None}
        for device_id in await gone(there):
            self._end(device_id)

    def _heard(self, news: News) -> None:
        if news.kind == SIGNED_OUT:
            self._end(UUID(str(news.facts["device"])))

    def _end(self, device_id: UUID) -> None:
        self._devices.add(device_id)
        for ear in self.ears:
            ear(device_id)
        for live in self._lives.values():
            for connection in live.connections:
                if connection.device_id == device_id:
                    closing = connection.close(CLOSE_SIGNED_OUT, "this device was signed out")
                    self._background.spawn(closing)
