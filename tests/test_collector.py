"""The search for cycles walks what is new, and everything once many have gone."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator

import pytest

from app import collector
from app.collector import COMING, CROWD, Collector


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
    before = gc.get_threshold()
    running = asyncio.create_task(Collector(lambda: crowd.there, lambda: crowd.gone).run())
    await asyncio.sleep(0)
    yield crowd
    running.cancel()
    await asyncio.wait([running])
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
    assert gc.isenabled()


async def until_freed(knot: weakref.ref[Knot]) -> None:
    async with asyncio.timeout(5):
        while knot() is not None:  # noqa: ASYNC110 nobody is told of it
            await asyncio.sleep(0.01)


async def test_what_is_new_is_freed_soon(crowd: Crowd) -> None:
    assert gc.get_freeze_count() > 0
    await until_freed(weakref.ref(Knot()))


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


async def test_nothing_is_walked_while_a_crowd_comes(crowd: Crowd) -> None:
    knot = weakref.ref(Knot())
    for _ in range(20):
        crowd.there += 10 * COMING
        await asyncio.sleep(0.01)
    assert not gc.isenabled()
    assert knot() is not None
    await until_freed(weakref.ref(Knot()))
    assert gc.isenabled()
