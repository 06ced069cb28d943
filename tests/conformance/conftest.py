"""Every test with an argument `game` runs for every game; `--games` makes the run larger."""

from __future__ import annotations

import pytest

from tests.conformance.driver import ALL

FEW = 6
"""Random games for each test and game when nothing else is asked: a few seconds a game."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, default=FEW, help="random games for each property")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", ALL.values(), ids=list(ALL))


@pytest.fixture
def games(request: pytest.FixtureRequest) -> int:
    """The number of random games to play for each property."""
    # The option is unknown when the whole test tree is collected from above this folder.
    return int(request.config.getoption("--games", default=FEW) or FEW)
