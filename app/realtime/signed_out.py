"""Devices that were taken away from their players: they get nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from app.realtime.background import Background
from app.realtime.connection import CLOSE_SIGNED_OUT
from app.realtime.live import Live


class SignedOut:
    """Ends the sockets of such devices, and knows them when they come."""

    def __init__(self, lives: Mapping[UUID, Live], background: Background) -> None:
        self._lives = lives
        self._background = background
        self._devices: set[UUID] = set()

    def __contains__(self, device_id: UUID | None) -> bool:
        return device_id in self._devices

    def add(self, device_id: UUID) -> None:
        """Closes the sockets of a device that was taken away from its player, for good."""
        self._devices.add(device_id)
        for live in self._lives.values():
            for connection in live.connections:
                if connection.device_id == device_id:
                    closing = connection.close(CLOSE_SIGNED_OUT, "this device was signed out")
                    self._background.spawn(closing)
