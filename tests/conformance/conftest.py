"""Every test with an argument `game` runs for every game; `--games` makes the run larger."""

from __future__ import annotations

import pytest

from tests.conformance.driver import ALL

FEW = 6
"""Random games for each test and game when nothing else is asked: a few seconds a game."""

MANY = 60
"""Random games for each test and game in the long run, `make faults`: some minutes a game."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, default=0, help="random games for each property")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", ALL.values(), ids=list(ALL))
    if "games" in metafunc.fixturenames:
        # The option is unknown when the whole test tree is collected from above this folder.
        asked = int(metafunc.config.getoption("--games", default=0) or 0)
        many = pytest.param(MANY, marks=pytest.mark.faults, id="many")
        few = pytest.param(asked or FEW, id="few")
        metafunc.parametrize("games", [few] if asked else [few, many])
