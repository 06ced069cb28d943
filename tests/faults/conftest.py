"""Databases and houses that the tests of one file share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.databases import Databases
from tests.faults.cluster import Cluster
from tests.realtime.conftest import arrive, house_settings, http, renderer, url

__all__ = ["arrive", "house_settings", "http", "renderer", "url"]


@pytest.fixture(scope="module")
async def shared_database_url(databases: Databases) -> AsyncIterator[str]:
    """The address of an empty database for all tests of a file."""
    async with databases.lent() as address:
        yield address.render_as_string(hide_password=False)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of a file's own."""
    made = Cluster()
    yield made
    made.end()
