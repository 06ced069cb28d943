"""The components of Silver & Gold."""

from collections import Counter
from collections.abc import Iterable

from app.games.silver_and_gold.maps import EXPEDITIONS
from app.games.silver_and_gold.state import State


def pieces(state: State) -> Counter[str]:
    """Counts the maps, expeditions and trophies, wherever they are."""
    count = Counter(f"map {number}" for number in _maps(state))
    # Before the first round the expeditions lie beside the table, all eight of them.
    expeditions = state.expeditions or range(len(EXPEDITIONS))
    count.update(f"expedition {number}" for number in expeditions)
    count.update(f"trophy {points}" for points in state.trophies)
    for player in state.players:
        count.update(f"trophy {points}" for points in player.rows if points)
    return count


def _maps(state: State) -> Iterable[int]:
    yield from state.deck
    yield from (number for number in state.display if number is not None)
    for dealt in state.dealt:
        yield from dealt
    for player in state.players:
        yield from (held.map for held in player.maps if held is not None)
        yield from player.completed
