"""The commands of a host: their arguments, and what each returns to be printed."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, TextIO, TypeAlias, cast

from app.config import Settings
from app.database import Database
from app.rooms.codes import parse_code
from app.rooms.keeping import Keeping
from app.rooms.removal import Removal, why_removed
from app.tending import admin
from app.tending.announcements import Announcements
from app.tending.backup import PIECE, backup
from app.tending.failed import Failed, in_words
from app.tending.output import STREAM, written
from app.tending.restoring import restore
from app.tending.sweep import Sweep

MOST = 50
MOST_EVER = 1_000_000

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Tend: TypeAlias = Callable[[Settings, Database, argparse.Namespace], Awaitable[str]]
"""Carries a command out and returns what to print. Raises `Failed`."""


def add_commands(commands: Parsers, tend: Callable[[argparse.Namespace], int]) -> Parsers:
    """Adds backup, restore and admin, to be run by `tend`; returns the commands of admin.

    `tend` finds the command's `Tend` as `arguments.tend`.
    """

    def add(parsers: Parsers, name: str, done: Tend, about: str) -> argparse.ArgumentParser:
        parser = parsers.add_parser(name, help=about, description=f"{about.capitalize()}.")
        parser.set_defaults(run=tend, tend=done)
        return parser

    saving = add(commands, "backup", _backup, "write all rooms, games and players to a file")
    saving.add_argument("file", type=Path, help="the file to write; - for standard output")
    putting = add(commands, "restore", _restore, "put a backup into the database")
    putting.add_argument("file", type=Path, help="the backup; - for standard input")
    putting.add_argument(
        "--replace", action="store_true", help="in the place of what is there: that is lost"
    )
    about = "look after the house: rooms, players, announcements"
    host = commands.add_parser("admin", help=about, description=f"{about.capitalize()}.")
    tasks: Parsers = host.add_subparsers(title="commands", required=True, metavar="COMMAND")

    listing = add(tasks, "rooms", _rooms, "list rooms; never what is hidden in them")
    listing.add_argument(
        "--status", choices=["open", "starting", "running", "finished"], default=""
    )
    listing.add_argument("--most", type=_number, default=MOST, help=f"how many (default: {MOST})")
    people = add(tasks, "players", _players, "list players")
    people.add_argument("--most", type=_number, default=MOST, help=f"how many (default: {MOST})")
    add(tasks, "sockets", _sockets, "list the processes that serve, and their open sockets")
    deleting = add(tasks, "delete", _delete, "remove a room with its game and chat, for good")
    deleting.add_argument("code", help="the room's code, as in its link")
    deleting.add_argument("--yes", action="store_true", help="do it, do not only say it")
    saying = add(tasks, "announce", _announce, "say something on every open page")
    saying.add_argument("text", nargs="?", help="what to say, as one argument")
    saying.add_argument("--minutes", type=float, default=60, help="for how long (default: 60)")
    saying.add_argument("--end", action="store_true", help="take it back")
    add(tasks, "sweep", _sweep, "clear away now what is no longer kept; done by itself every hour")
    return tasks


def _number(text: str) -> int:
    """Reads how many to list. Raises argparse's own error."""
    digits = text if text.isascii() and text.isdigit() and len(text) < 10 else "0"
    number = int(digits)
    if not 1 <= number <= MOST_EVER:
        raise argparse.ArgumentTypeError(f"should be a number from 1 to {MOST_EVER}")
    return number


async def run(settings: Settings, arguments: argparse.Namespace) -> str:
    """Carries out a command that `add_commands` added; returns what to print. Raises `Failed`."""
    done: Tend = arguments.tend
    async with await Database.open(settings) as database:
        with in_words():
            return await done(settings, database, arguments)


async def _backup(_: Settings, database: Database, arguments: argparse.Namespace) -> str:
    file: Path = arguments.file
    with written(file) as opened:
        summary = await backup(database, opened)
        opened.flush()
    return "" if file == STREAM else f"Saved to {file}: {summary}."


async def _restore(_: Settings, database: Database, arguments: argparse.Namespace) -> str:
    with _opened(arguments.file) as opened:
        summary = await restore(database, opened, replace=arguments.replace)
    return f"Restored as of {summary.at}: {summary}. Now start the house."


def _opened(file: Path) -> IO[bytes]:
    """Opens a backup; that of standard input is kept in a file, to be read twice. May fail."""
    try:
        if file != STREAM:
            return file.open("rb")
        if cast("TextIO | None", sys.stdin) is None:
            raise Failed("There is no standard input to read a backup from.")
        opened = tempfile.TemporaryFile()  # noqa: SIM115 - its caller closes it
        while piece := sys.stdin.buffer.read(PIECE):
            opened.write(piece)
    except OSError as error:
        raise Failed(f"{file} cannot be read: {error.strerror}.") from error
    return opened


async def _rooms(settings: Settings, database: Database, arguments: argparse.Namespace) -> str:
    return await admin.rooms(database, keeping_of(settings), arguments.status, arguments.most)


async def _players(_: Settings, database: Database, arguments: argparse.Namespace) -> str:
    return await admin.players(database, arguments.most)


async def _sockets(_: Settings, database: Database, _arguments: argparse.Namespace) -> str:
    return await admin.sockets(database)


async def _delete(settings: Settings, database: Database, arguments: argparse.Namespace) -> str:
    code = parse_code(arguments.code)
    async with database.engine.connect() as link:
        room = await admin.describe(link, code) if code else None
    if code is None or room is None:
        removed = await why_removed(database, code) if code else None
        if removed is not None:
            raise Failed(f"The room with this code was cleared away on {removed.at:%Y-%m-%d}.")
        raise Failed("There is no room with this code.")
    if not arguments.yes:
        return f"This would remove {room} with its game and chat, for good. Add --yes to do it."
    removal = Removal(database, keeping_of(settings))
    if await removal.one(code, datetime.now(UTC)) is None:
        raise Failed(f"{room} has changed at this moment. Look at it, and try again.")
    return f"Removed {room}."


async def _announce(_: Settings, database: Database, arguments: argparse.Namespace) -> str:
    announcements = Announcements(database)
    if arguments.end:
        return "Taken back." if await announcements.end() else "Nothing was announced."
    if arguments.text is None:
        current = await announcements.current()
        return admin.plain(current.text) if current else "Nothing is announced."
    if not 0 < arguments.minutes <= 7 * 24 * 60:
        raise Failed("--minutes should be more than 0 and at most a week.")
    made = await announcements.make(arguments.text, timedelta(minutes=arguments.minutes))
    until = f"{made.until.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return f"Announced until {until}; open pages show it within seconds."


async def _sweep(settings: Settings, database: Database, _arguments: argparse.Namespace) -> str:
    rooms, players = await Sweep(database, Removal(database, keeping_of(settings))).once()
    return f"Removed {admin.counted(rooms, 'room')} and {admin.counted(players, 'player')}."


def keeping_of(settings: Settings) -> Keeping:
    """Returns the rule of clearing away that a host has set."""
    return Keeping(settings.room_days, settings.idle_days)
