"""The house of the recorded game."""

from __future__ import annotations

from tests.faults.conftest import shared_database_url

__all__ = ["shared_database_url"]
