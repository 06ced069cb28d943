"""The games there are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from app.games.contract import Game
from app.games.gold_hunting.rules import GoldHunting
from app.games.lost_cities.rules import LostCities
from app.games.silver_and_gold.rules import SilverAndGold
from app.games.splendor.rules import Splendor
from app.games.take_the_gold.rules import TakeTheGold

AnyGame = Game[Any, Any]
Registry = Mapping[str, AnyGame]
"""Games by key, in the order of the home page."""


def registry(*games: AnyGame) -> Registry:
    """Returns the games by their keys. Raises ValueError if two share one."""
    by_key = {game.meta.key: game for game in games}
    if len(by_key) != len(games):
        raise ValueError(f"expected different keys, got {[game.meta.key for game in games]}")
    return MappingProxyType(by_key)


GAMES: Registry = registry(
    LostCities(),
    Splendor(),
    SilverAndGold(),
    GoldHunting(),
    TakeTheGold(),
)
