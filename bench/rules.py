"""How fast the rules are: random play of every registered game in memory, on one core.

    python -m bench.rules --seconds 5 --top 12

A move costs what the house spends on the rules: `prompt`, `apply`, and one `view` for each seat.
Nothing is stored, sent or turned into JSON. Afterwards each game is played under the profiler,
which slows it, and the functions with most time of their own are listed.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import time
from typing import Any

from app.games.chance import Chance
from app.games.registry import GAMES, AnyGame


def play(game: AnyGame, seats: int, seed: int, dice: random.Random) -> int:
    """Plays one game with random legal moves and returns how many there were."""
    options = {option.key: option.default for option in game.meta.options}
    key = seed.to_bytes(32, "big")
    chance = Chance(key, 0)
    state: Any = game.setup(seats, options, chance).state
    draws = int(chance.used)
    moves = 0
    while actors := game.actors(state):
        prompt = game.prompt(state, actors[0])
        assert prompt is not None
        chance = Chance(key, draws)
        state = game.apply(state, actors[0], dice.choice(prompt.legal), chance).state
        draws += chance.used
        for seat in range(seats):
            game.view(state, seat)
        moves += 1
    return moves


def measure(game: AnyGame, seats: int, seconds: float) -> tuple[int, int, float]:
    """Plays whole games for `seconds` of CPU time; returns games, moves and CPU seconds."""
    dice = random.Random(1)
    games = moves = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        moves += play(game, seats, games, dice)
        games += 1
    return games, moves, spent


def profile(game: AnyGame, seats: int, seconds: float, top: int) -> list[str]:
    """Returns the `top` functions by their own time, as lines with their share in percent."""
    profiler = cProfile.Profile()
    profiler.enable()
    measure(game, seats, seconds)
    profiler.disable()
    stats: Any = pstats.Stats(profiler)
    own = sorted(stats.stats.items(), key=lambda item: -item[1][2])
    lines = []
    for (file, _line, name), (_calls, times, self_seconds, _all, _callers) in own[:top]:
        share = 100 * self_seconds / stats.total_tt
        where = file.partition("/app/")[2] or file.rpartition("/")[2]
        lines.append(f"{share:5.1f} %  {times:>9} calls  {where} {name}")
    return lines


def main() -> None:
    """Measures every registered game with its least number of seats."""
    parser = argparse.ArgumentParser(description="Random moves a second for each game.")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each game")
    parser.add_argument("--top", type=int, default=12, help="functions to list")
    given = parser.parse_args()
    for key, game in GAMES.items():
        seats = game.meta.seats[0]
        games, moves, spent = measure(game, seats, given.seconds)
        print(f"{key}: {moves / spent:,.0f} moves/s with {seats} seats ({games} games)")
        for line in profile(game, seats, given.seconds, given.top):
            print("  " + line)


if __name__ == "__main__":
    main()
