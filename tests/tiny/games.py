"""The tiny games by key, for tests of tables, pages and records that want a small game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.games.contract import Game
from tests.tiny.template.rules import HighCard
from tests.tiny.torture.rules import Strongbox

TEMPLATE: Game[Any, Any] = HighCard()
TORTURE: Game[Any, Any] = Strongbox()
TINY: Mapping[str, Game[Any, Any]] = {game.meta.key: game for game in (TEMPLATE, TORTURE)}
