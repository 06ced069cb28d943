"""The search for cycles goes through what is new in quiet moments, and all once many have gone."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator

import pytest

from app import collector
from app.collector import CROWD, Collector


class Knot:
    """Holds itself, so that counting references never frees it."""

    def __init__(self) -> None:
        self.me = self


class Crowd:
    """Sockets that are there, and that have gone."""

    there = 0
    gone = 0


@pytest.fixture
async def crowd(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Crowd]:
    """A collector is at work, and looks often."""
    monkeypatch.setattr(collector, "LOOK_SECONDS", 0.02)
    crowd = Crowd()
    running = asyncio.create_task(Collector(lambda: crowd.there, lambda: crowd.gone).run())
    await asyncio.sleep(0)
    yield crowd
    running.cancel()
    await asyncio.wait([running])
    assert (gc.isenabled(), gc.get_freeze_count()) == (True, 0)


async def until_freed(knot: weakref.ref[Knot]) -> None:
    async with asyncio.timeout(5):
        while knot() is not None:  # noqa: ASYNC110 nobody is told of it
            await asyncio.sleep(0.01)


async def test_what_is_new_is_freed_soon(crowd: Crowd) -> None:
    assert gc.get_freeze_count() > 0
    await asyncio.sleep(0.2)
    await until_freed(weakref.ref(Knot()))


async def test_what_a_busy_moment_made_is_left_until_many_have_gone(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "QUIET_SECONDS", 0.0)
    knot = weakref.ref(Knot())
    await asyncio.sleep(0.2)
    assert knot() is not None
    crowd.gone += CROWD
    await until_freed(knot)


async def test_what_has_lasted_is_freed_once_many_have_gone(crowd: Crowd) -> None:
    held = Knot()
    knot = weakref.ref(held)
    await asyncio.sleep(0.2)
    del held
    crowd.gone += CROWD - 1
    await asyncio.sleep(0.2)
    assert knot() is not None
    crowd.gone += 1
    await until_freed(knot)


async def test_of_a_larger_crowd_as_many_must_have_gone_as_are_there(crowd: Crowd) -> None:
    held = Knot()
    knot = weakref.ref(held)
    crowd.there = 2 * CROWD
    await asyncio.sleep(0.2)
    del held
    crowd.gone += CROWD
    await asyncio.sleep(0.2)
    assert knot() is not None
    crowd.there = 0
    await until_freed(knot)


async def test_all_is_walked_after_a_time_whoever_has_gone(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Knot()
    knot = weakref.ref(held)
    await asyncio.sleep(0.2)
    del held
    monkeypatch.setattr(collector, "WHOLE_SECONDS", 0.1)
    await until_freed(knot)
