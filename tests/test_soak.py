"""The soak tells a house that keeps something of each game from one whose memory is unsteady."""

from __future__ import annotations

from random import Random

import pytest

from bench.soak import POINTS, Soak, grown


def readings(each_kb: float, seed: int, games: int = 900) -> Soak:
    """Returns what is read of a house that keeps so much of each game, once its caches are full.

    They fill in the first third of the readings.
    """
    dice = Random(seed)
    soak = Soak(files=[31] * POINTS)
    for point in range(POINTS):
        played = games * point // POINTS
        filled = min(20.0, 60 * point / POINTS)
        soak.games.append(played)
        soak.memory.append(260 + filled + dice.gauss(0, 2) + each_kb * played / 1000)
    return soak


@pytest.mark.parametrize("seed", range(20))
def test_unsteady_memory_is_no_growth_and_some_kilobytes_a_game_are(seed: int) -> None:
    assert grown(readings(0, seed), short=False) == []
    assert len(grown(readings(15, seed), short=False)) == 1


def test_the_longer_it_runs_the_less_of_each_game_is_found() -> None:
    assert grown(readings(0.5, 1, games=10_000), short=False) == []
    assert len(grown(readings(4, 1, games=10_000), short=False)) == 1


def test_while_caches_fill_memory_may_grow_but_not_without_bound() -> None:
    assert grown(readings(0, 1, games=100), short=True) == []
    assert len(grown(readings(1500, 1, games=100), short=True)) == 1
