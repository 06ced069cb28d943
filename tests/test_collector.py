"""The search for cycles rests while many tables are loaded, and always goes on afterwards."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from app import collector
from app.collector import Rest


@pytest.fixture(autouse=True)
def searching() -> Iterator[None]:
    assert gc.isenabled()
    yield
    gc.enable()


class Knot:
    """Holds itself, so that counting references never frees it."""

    def __init__(self) -> None:
        self.me = self


async def searches_again() -> None:
    async with asyncio.timeout(5):
        while not gc.isenabled():  # noqa: ASYNC110 nobody is told of it
            await asyncio.sleep(0.01)


async def test_it_rests_and_goes_on_and_what_came_meanwhile_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collector, "LINGER_SECONDS", 0.05)
    rest = Rest()
    rest.renew()
    assert not gc.isenabled()
    knot = weakref.ref(Knot())
    await searches_again()
    assert knot() is not None
    gc.collect()
    assert knot() is None
    rest.renew()
    assert not gc.isenabled()
    rest.end()
    assert gc.isenabled()


async def test_a_rest_that_is_asked_for_again_and_again_ends_and_none_follows_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collector, "LINGER_SECONDS", 0.05)
    monkeypatch.setattr(collector, "MOST_SECONDS", 0.1)
    rest = Rest()
    async with asyncio.timeout(5):
        rest.renew()
        while not gc.isenabled():
            rest.renew()
            await asyncio.sleep(0.01)
    rest.renew()
    assert gc.isenabled()


async def test_of_two_who_rest_the_one_that_began_ends_it() -> None:
    first, second = Rest(), Rest()
    first.renew()
    second.renew()
    second.end()
    assert not gc.isenabled()
    first.end()
    assert gc.isenabled()
