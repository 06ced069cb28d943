"""Plays very many random games of one game and checks at every move what must always hold.

    python -m tests.conformance.many --game splendor --seats 2 --games 10000

At every move: the components are all there, each once; exactly the actors are asked, and each may
do something. At about one position of `--share`: `legal` is what `apply` accepts, other moves are
refused, and no viewer can tell the truth from a guess. At the end: the outcome adds up. It stops at
the first game that fails and names it; else it prints what the games were like. Game n is the same
on every machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random

from app.games.contract import Json
from tests.conformance import hooks
from tests.conformance.checks import (
    check_legal,
    check_outcome,
    check_questions,
    check_secrets,
    refused,
)
from tests.conformance.driver import ALL, Position, default_options, play_on, start
from tests.conformance.plain import text
from tests.conformance.probes import moves_to_try

PROBES = 15
CHUNK = 50
"""Games that a process is given at a time."""


@dataclass
class Statistics:
    """What the games were like. `kinds` counts the games with at least one such move."""

    moves: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    best: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    sampled: int = 0
    refusals: int = 0

    def add(self, other: Statistics) -> None:
        """Adds what other games were like."""
        self.moves += other.moves
        self.points += other.points
        self.best += other.best
        self.endings += other.endings
        self.stages += other.stages
        self.kinds += other.kinds
        self.sampled += other.sampled
        self.refusals += other.refusals

    def lines(self) -> list[str]:
        """Returns the statistics as text."""
        games, moves = len(self.moves), sum(self.moves)
        return [
            f"moves: {moves:,}; a game: {_spread(self.moves)}",
            f"points of all seats: {_spread(self.points)}; of the best: {_spread(self.best)}",
            "endings: " + _shares(self.endings, games),
            "games with a move of a kind: " + _shares(self.kinds, games),
            "stages, of all moves: " + _shares(self.stages, moves),
            f"positions looked at closely: {self.sampled:,}, moves refused: {self.refusals:,}",
        ]


def play(number: int, key: str, seats: int, options: dict[str, Json], share: int) -> Statistics:
    """Plays and checks one game. Raises `AssertionError` or `IllegalMove` where something fails."""
    game = ALL[key]
    random = Random(f"{key} {seats} {number}")
    found = Statistics()
    begin = start(game, seats, options, f"{key} {number}".encode())
    pieces = hooks.pieces(key, begin.state)
    kinds = set()
    last = begin
    for last in play_on(begin, random):
        assert hooks.pieces(key, last.state) == pieces, f"components at move {last.number}"
        if last.move is not None and last.before is not None and last.seat is not None:
            kinds.add(str(last.move.wire().get("kind")))
            prompt = game.prompt(last.before.state, last.seat)
            assert prompt is not None
            found.stages[prompt.stage] += 1
        if last.number == 0 or random.randrange(share) == 0:
            _look_closely(last, random, found)
    assert game.actors(last.state) == ()
    check_outcome(last)
    outcome = game.outcome(last.state)
    assert outcome is not None
    found.moves.append(last.number)
    points = [total for total in outcome.totals if total is not None]
    found.points += points
    found.best += [max(points)] if points else []
    found.endings[outcome.reason + (f"/{outcome.tie_break}" if outcome.tie_break else "")] += 1
    found.kinds.update(kinds)
    return found


def _look_closely(position: Position, random: Random, found: Statistics) -> None:
    before = text(position.game.dump(position.state))
    check_questions(position)
    check_legal(position)
    check_secrets(position)
    for move in moves_to_try(position.game, random, PROBES):
        for seat in range(position.seats):
            found.refusals += refused(position, seat, move)
    assert text(position.game.dump(position.state)) == before, "a refused move left a trace"
    found.sampled += 1


def _named(number: int, key: str, seats: int, options: dict[str, Json], share: int) -> Statistics:
    try:
        return play(number, key, seats, options, share)
    except Exception as wrong:
        raise SystemExit(f"game {number} of {key} with {seats} seats: {wrong!r}") from wrong


def _spread(values: list[int]) -> str:
    if not values:
        return "none"
    mean = statistics.fmean(values)
    middle = statistics.median(values)
    return f"{min(values)} to {max(values)}, mean {mean:.1f}, median {middle:.0f}"


def _shares(counted: Counter[str], whole: int) -> str:
    return ", ".join(
        f"{name} {number:,} ({100 * number / whole:.2f} %)"
        for name, number in counted.most_common()
    )


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Very many random games.")
    parser.add_argument("--game", choices=list(ALL), required=True)
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--share", type=int, default=100, help="one position of so many is sampled")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=JSON")
    given = parser.parse_args()
    chosen = (text.partition("=") for text in given.option)
    options = default_options(ALL[given.game]) | {
        key: json.loads(value) for key, _, value in chosen
    }
    one = partial(_named, key=given.game, seats=given.seats, options=options, share=given.share)
    numbers = range(given.first, given.first + given.games)
    whole = Statistics()
    began = time.process_time()
    if given.processes == 1:
        for number in numbers:
            whole.add(one(number))
    else:
        with ProcessPoolExecutor(given.processes) as pool:
            for found in pool.map(one, numbers, chunksize=CHUNK):
                whole.add(found)
    head = [f"{given.game}, {given.seats} seats, {given.games:,} games: all passed"]
    if given.processes == 1:
        head.append(f"CPU time: {time.process_time() - began:.0f} s")
    sys.stdout.write("\n".join([*head, *whole.lines()]) + "\n")


if __name__ == "__main__":
    main()
