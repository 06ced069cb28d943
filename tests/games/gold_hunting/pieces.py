"""The components of Gold Hunting."""

from collections import Counter

from app.games.gold_hunting.bars import BARS
from app.games.gold_hunting.state import State


def pieces(state: State) -> Counter[str]:
    """Counts bars and tokens, wherever they are; whoever has not built holds all ten bars."""
    counted = Counter(f"token {player.token.number}" for player in state.players)
    counted[f"token {state.third}"] += 1
    places = [state.box]
    for player in state.players:
        places += [*(player.mountains or (BARS,)), player.pile, player.safe]
    counted.update(f"bar {bar}" for bars in places for bar in bars)
    return counted
