"""The command line: `python -m app <command>`; `--help` tells about each."""

from __future__ import annotations

import signal

if __name__ == "__main__":
    # Until there is something to end in good order, Ctrl+C ends the process, and at once: loading
    # everything takes a second, in which Python's own way ends in a trace, or is lost in an import.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import asyncio
import json
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import structlog

from app.config import Settings, SettingsError
from app.database import Database, DatabaseError
from app.games.registry import GAMES
from app.logs import start_logs
from app.server import StartError
from app.tending.commands import add_commands
from app.tending.commands import run as run_command
from app.tending.failed import Failed, in_words
from app.tending.output import STREAM, say, written

T = TypeVar("T")
log = structlog.get_logger()


def main(given: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit code: 0 done, 1 not, 2 wrong use."""
    arguments = _parser().parse_args(given)
    try:
        return int(arguments.run(arguments))
    except SettingsError as wrong:
        _say_why_not(arguments, wrong)
        return 2
    except (StartError, DatabaseError, Failed) as trouble:
        _say_why_not(arguments, trouble)
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass
    return 1


def _say_why_not(arguments: argparse.Namespace, trouble: Exception) -> None:
    """Tells why a command was not done: a person, or the log of a house that did not open."""
    if arguments.run is not _serve or sys.stderr.isatty():
        print(trouble, file=sys.stderr)
        return
    start_logs("INFO")  # the settings may be what is wrong
    log.critical("house_not_opened", why=str(trouble))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m app",
        description="Motherlode: gold games, played by friends in a browser.",
        epilog="Settings are environment variables; docs/hosting.md lists them.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="serve the house until stopped")
    serve.set_defaults(run=_serve)

    migrate = commands.add_parser("migrate", help="bring the database's tables to this version")
    migrate.set_defaults(run=_migrate)

    simulate = commands.add_parser("simulate", help="let bots play whole games against each other")
    simulate.add_argument("game", choices=list(GAMES), help="key of the game")
    simulate.add_argument("--games", type=int, default=100, help="how many (default: 100)")
    simulate.add_argument("--seats", type=int, help="players in each (default: the fewest)")
    simulate.add_argument("--seed", default="", help="any text; the same text, the same games")
    simulate.set_defaults(run=_simulate)

    verify = commands.add_parser("verify", help="deal the game of a record again and compare")
    verify.add_argument("record", type=Path, help="the record's JSON file")
    verify.set_defaults(run=_verify)

    tasks = add_commands(commands, _tend)
    for parsers in (commands, tasks):
        export = parsers.add_parser("export", help="write the record of a room to a file")
        export.add_argument("code", help="the room's code, as in its link")
        export.add_argument("file", type=Path, help="the file to write; - for standard output")
        export.set_defaults(run=_export)
    return parser


def _serve(_arguments: argparse.Namespace) -> int:
    from app.serving import addresses, run  # noqa: PLC0415 the other commands need no web server

    settings = Settings.load()
    start_logs(settings.log_level)
    run(settings, lambda: say_open(addresses(settings)))
    return 0


def say_open(addresses: Sequence[str]) -> None:
    """Tells where the house can be found: a person at a terminal, else the log."""
    if not sys.stdout.isatty():
        log.info("house_listening", addresses=list(addresses))
        return
    with suppress(Failed):  # whoever started it may not listen any more
        say("\n  ".join(["Motherlode is open. Ctrl+C closes it.", *addresses]))


def _migrate(_arguments: argparse.Namespace) -> int:
    settings = Settings.load()
    start_logs(settings.log_level)

    async def migrate() -> None:
        async with await Database.open(settings) as database:
            await database.migrate()

    with in_words():
        _done(migrate())
    say("The database is up to date.")
    return 0


def _simulate(arguments: argparse.Namespace) -> int:
    from app.bots.report import report  # noqa: PLC0415 only this command needs bots
    from app.bots.simulate import simulate  # noqa: PLC0415 only this command needs bots

    game = GAMES[arguments.game]
    least, most = game.meta.seats
    if arguments.games < 1:
        print("--games should be at least 1.", file=sys.stderr)
        return 2
    if arguments.seats is not None and not least <= arguments.seats <= most:
        print(f"--seats should be from {least} to {most}.", file=sys.stderr)
        return 2
    say(report(simulate(game, arguments.games, arguments.seats, seed=arguments.seed.encode())))
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    from app.play.verify import verify_text  # noqa: PLC0415 only this command verifies

    try:
        text = arguments.record.read_bytes()
    except OSError as error:
        print(f"{arguments.record} cannot be read: {error.strerror}.", file=sys.stderr)
        return 2
    verdict = verify_text(text)
    for note in verdict.notes:
        say(f"Note: {note}")
    for problem in verdict.problems:
        say(f"Problem: {problem}")
    if not verdict.ok:
        say("The record is not consistent.")
        return 1
    say(f"The record is consistent: {verdict.entries} entries, {verdict.draws} of them by chance.")
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from app.server import exported  # noqa: PLC0415 only this command exports

    settings = Settings.load()
    start_logs(settings.log_level)
    file: Path = arguments.file

    async def export() -> None:
        with in_words():
            record = await exported(settings, arguments.code)
        with written(file) as opened:
            opened.write(json.dumps(record, indent=1).encode() + b"\n")
            opened.flush()

    _done(export())
    if file != STREAM:
        say(f"Written to {file}.")
    return 0


def _tend(arguments: argparse.Namespace) -> int:
    settings = Settings.load()
    start_logs(settings.log_level)
    said = _done(run_command(settings, arguments))
    if said:
        say(said)
    return 0


def _done(work: Coroutine[Any, Any, T]) -> T:
    """Waits for work, and ends it in good order when the process is asked to end."""

    async def ended() -> T:
        task = asyncio.ensure_future(work)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        return await task

    return asyncio.run(ended())


if __name__ == "__main__":
    sys.exit(main())
