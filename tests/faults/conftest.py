"""Databases and houses that the tests of one file share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from app.embedded import EmbeddedPostgres
from tests.conftest import fresh_database
from tests.realtime.conftest import arrive, house_settings, http, renderer, url

__all__ = ["arrive", "house_settings", "http", "renderer", "url"]


@pytest.fixture(scope="module")
async def shared_database_url(postgres: EmbeddedPostgres, template: str) -> AsyncIterator[str]:
    """The address of a fresh database for all tests of a file; dropped after the last."""
    async with fresh_database(postgres, template) as address:
        yield address.render_as_string(hide_password=False)
