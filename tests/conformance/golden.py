"""Golden records: whole games as readable text, replayed and compared exactly.

    python -m tests.conformance.golden add <game> <name> --seats 3 --seed hello
        [--option rounds=1] [--script file] [--ending ruined/token]
    python -m tests.conformance.golden regenerate

`add` writes tests/golden/<game>/<name>.txt: the moves of the script (one a line, as
`<seat> <move as JSON>`), then random ones to the end. With `--ending` it tries seeds
(hello-0, hello-1, ...) until a game ends so. `regenerate` plays the moves of all records again,
each by its own version of the rules, and writes what they give now: read the difference before you
commit it. New records are of the newest version; those of older ones stay: old games must replay.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from app.games.contract import Json
from tests.conformance.driver import (
    ALL,
    AnyGame,
    Position,
    advance,
    default_options,
    play_on,
    start,
)
from tests.conformance.hooks import Ending
from tests.conformance.record_text import MOVE, OUTCOME, record_text

FOLDER = Path(__file__).parent.parent / "golden"
MOST_SEEDS = 20_000
Script = list[tuple[int, Json]]


@dataclass(frozen=True, slots=True)
class Record:
    """What a golden record is replayed from: settings, seed, and (seat, move) in order.

    `rules` is the version of the rules, None for the newest.
    """

    game: str
    seats: int
    options: dict[str, Json]
    seed: str
    script: Script = field(default_factory=list)
    rules: int | None = None

    def positions(self, *, to_the_end: bool = False) -> Iterator[Position]:
        """Yields all positions, and after the script those of random play if asked."""
        game = ALL[self.game]
        position = start(game, self.seats, self.options, self.seed.encode(), self.rules)
        yield position
        for seat, wire in self.script:
            position = advance(position, seat, game.parse(wire))
            yield position
        if to_the_end:
            rest = play_on(position, Random(self.seed))
            next(rest)
            yield from rest


def read(text: str) -> Record:
    """Reads the settings and the moves of a golden record."""
    head = dict(line.split(" ", 1) for line in text.split("\n\n", 1)[0].splitlines())
    script: Script = []
    for line in text.splitlines():
        if line.startswith(MOVE):
            _, _, _, seat, rest = line.split(" ", 4)
            wire, _ = json.JSONDecoder().raw_decode(rest)
            script.append((int(seat), wire))
    options = json.loads(head["options"])
    rules = int(head["rules"])
    return Record(head["game"], int(head["seats"]), options, head["seed"], script, rules)


def ending(text: str) -> Ending:
    """Returns how the game of a golden record ended."""
    (line,) = [line for line in text.splitlines() if line.startswith(OUTCOME)]
    outcome = json.loads(line.removeprefix(OUTCOME))
    return outcome["reason"], outcome["tie_break"]


def paths() -> list[Path]:
    """Returns the files of all golden records."""
    return sorted(FOLDER.glob("*/*.txt"))


def text_of(path: Path) -> str:
    """Reads a golden record's file."""
    return path.read_text(encoding="utf-8")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _regenerate() -> None:
    for path in paths():
        _write(path, record_text(read(text_of(path)).positions()))


def _add(arguments: argparse.Namespace) -> None:
    game: AnyGame = ALL[arguments.game]
    options = default_options(game) | dict(map(_option, arguments.option))
    script = _script(arguments.script) if arguments.script else []
    seeds = [arguments.seed]
    if arguments.ending:
        seeds = [f"{arguments.seed}-{number}" for number in range(MOST_SEEDS)]
    for seed in seeds:
        record = Record(game.meta.key, arguments.seats, options, seed, script)
        *_, last = record.positions(to_the_end=True)
        if not arguments.ending or _ended(last) == _ending(arguments.ending):
            text = record_text(record.positions(to_the_end=True))
            _write(FOLDER / game.meta.key / f"{arguments.name}.txt", text)
            return
    raise SystemExit(f"no game of {MOST_SEEDS} ended in {arguments.ending}: write a script for it")


def _option(text: str) -> tuple[str, Json]:
    key, _, value = text.partition("=")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _script(path: Path) -> Script:
    lines = [line.split(" ", 1) for line in text_of(path).splitlines() if line.strip()]
    return [(int(seat), json.loads(wire)) for seat, wire in lines]


def _ending(text: str) -> Ending:
    reason, _, tie_break = text.partition("/")
    return reason, tie_break or None


def _ended(last: Position) -> Ending:
    outcome = last.game.outcome(last.state)
    assert outcome is not None
    return outcome.reason, outcome.tie_break


def main(words: Sequence[str] | None = None) -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Golden records.")
    commands = parser.add_subparsers(required=True)
    add = commands.add_parser("add", help="write a new record")
    add.add_argument("game", choices=list(ALL))
    add.add_argument("name")
    add.add_argument("--seats", type=int, required=True)
    add.add_argument("--seed", required=True)
    add.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    add.add_argument("--script", type=Path)
    add.add_argument("--ending", metavar="REASON[/TIE_BREAK]")
    add.set_defaults(run=_add)
    regenerate = commands.add_parser("regenerate", help="write all records anew")
    regenerate.set_defaults(run=lambda _: _regenerate())
    arguments = parser.parse_args(words)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
