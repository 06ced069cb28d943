"""How fast the rules are: random play of every registered game in memory, on one core.

    python -m bench.rules --seconds 5 [--game splendor] [--top 12]

A move costs what the house spends on the rules: `actors`, `prompt`, `apply`, and one `view` for
each seat. Nothing is stored, sent or turned into JSON. Each game is played with its least and its
greatest number of seats. The shares come from games of their own with a clock around every call.
With `--top` each game is also played under the profiler, which slows it, and the functions with
most time of their own are listed.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import time
from collections.abc import Callable
from typing import Any

from app.games.chance import Chance
from app.games.registry import GAMES, AnyGame
from bench.machine import describe


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


def shares(game: AnyGame, seats: int, games: int) -> dict[str, float]:
    """Plays games and returns how much of the time is spent in what, in percent."""
    dice = random.Random(1)
    spent = dict.fromkeys(("set-up", "actors", "prompt", "apply", "views"), 0.0)

    def timed(what: str, call: Callable[..., Any], *arguments: Any) -> Any:
        began = time.perf_counter()
        answer = call(*arguments)
        spent[what] += time.perf_counter() - began
        return answer

    options = {option.key: option.default for option in game.meta.options}
    for seed in range(games):
        key = seed.to_bytes(32, "big")
        chance = Chance(key, 0)
        state = timed("set-up", game.setup, seats, options, chance).state
        draws = int(chance.used)
        while actors := timed("actors", game.actors, state):
            prompt = timed("prompt", game.prompt, state, actors[0])
            chance = Chance(key, draws)
            move = dice.choice(prompt.legal)
            state = timed("apply", game.apply, state, actors[0], move, chance).state
            draws += chance.used
            for seat in range(seats):
                timed("views", game.view, state, seat)
    whole = sum(spent.values())
    return {what: 100 * seconds / whole for what, seconds in spent.items()}


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
    """Measures every registered game, or one."""
    parser = argparse.ArgumentParser(description="Random moves a second for each game.")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each row")
    parser.add_argument("--game", choices=list(GAMES), help="one game only")
    parser.add_argument("--top", type=int, default=0, help="functions to list")
    given = parser.parse_args()
    print(describe())
    print("| game | seats | moves/s | games | moves a game | where the time goes |")
    print("|---|--:|--:|--:|--:|---|")
    chosen = [game for key, game in GAMES.items() if given.game in (None, key)]
    rows = [(game, seats) for game in chosen for seats in sorted({*game.meta.seats})]
    for game, seats in rows:
        games, moves, spent = measure(game, seats, given.seconds)
        parts = shares(game, seats, max(1, games // 5))
        where = ", ".join(f"{what} {share:.0f} %" for what, share in parts.items())
        print(
            f"| {game.meta.title} | {seats} | {moves / spent:,.0f} | {games} "
            f"| {moves / games:.0f} | {where} |"
        )
    for game, seats in rows if given.top else ():
        print(f"{game.meta.title}, {seats} seats:")
        for line in profile(game, seats, given.seconds, given.top):
            print("  " + line)


if __name__ == "__main__":
    main()
