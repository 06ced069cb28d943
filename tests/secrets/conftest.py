"""The house of the recorded games, and the templates."""

from __future__ import annotations

from tests.faults.conftest import shared_database_url
from tests.web.conftest import renderer

__all__ = ["renderer", "shared_database_url"]
