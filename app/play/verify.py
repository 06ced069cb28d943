"""Checks a record: whether promises were kept, and whether its deal leads to its end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from app.games.canonical import canonical_json
from app.games.contract import Json, Malformed, UnknownRules
from app.games.options import wrong_option
from app.games.registry import GAMES, AnyGame, Registry
from app.play.ending import agreed, end_body
from app.play.history import CONCEDE, END, MOVE, UNDO, move_body
from app.play.opening import START
from app.play.position import (
    Advance,
    Position,
    Refused,
    conceded,
    opened_with_events,
    parsed,
    played,
    undone,
)
from app.play.record import digest_of
from app.play.recorded import Opening, Record, RecordedEntry, Unreadable, read_json, read_record
from app.play.seating import SEAT, WAIT, seating
from app.play.shuffle import commitment, game_seed


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check found. `problems` and `notes` are sentences in English.

    A note is no fault, but something to know: a seat that did not add to the shuffle.
    """

    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    entries: int = 0
    draws: int = 0

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return not self.problems


class _Differs(Exception):
    """The game does not go as the record says; the message says where."""


def verify_text(text: str | bytes, games: Registry = GAMES) -> Verdict:
    """Checks the text of a record, for example of a file. Never raises."""
    try:
        return verify(read_json(text), games)
    except Unreadable as wrong:
        return Verdict(wrong.problems)


def verify(record: Json, games: Registry = GAMES) -> Verdict:
    """Checks a record: its digest, the promises, the seed, every draw and move, the outcome.

    Takes any JSON data and never raises; all problems with the promises are named, and the first
    one of the game.
    """
    try:
        read = read_record(record)
        opening = read.opening()
    except Unreadable as wrong:
        return Verdict(wrong.problems)
    problems = [*_promises(read, opening)]
    if read.digest != _digest(record):
        problems.insert(0, "The record was changed: its digest does not fit its content.")
    draws = 0
    try:
        draws = _replay(read, opening, games).draws
    except _Differs as differs:
        problems.append(str(differs))
    return Verdict(tuple(problems), tuple(_notes(read, opening)), len(read.entries), draws)


def _digest(record: Json) -> str | None:
    try:
        return digest_of(record)
    except (TypeError, ValueError, RecursionError):
        return None


def _promises(record: Record, opening: Opening) -> Iterator[str]:
    if commitment(bytes.fromhex(record.server_seed)) != record.commitment:
        yield "The server's secret is not the one it promised: its hash is not the commitment."
    if not len(record.names) == len(record.hashes) == len(opening.r) == opening.seats:
        yield "Names, hashes, r and seats do not agree in number."
    for seat, (promised, r) in enumerate(zip(record.hashes, opening.r, strict=False)):
        if r is not None and promised != hashlib.sha256(bytes.fromhex(r)).hexdigest():
            yield f"Seat {seat + 1} did not add what it promised: r does not fit its hash."


def _notes(record: Record, opening: Opening) -> Iterator[str]:
    for seat, (promised, r) in enumerate(zip(record.hashes, opening.r, strict=False)):
        if r is None:
            why = (
                "promised nothing" if promised is None else "did not show in time what it promised"
            )
            yield f"Seat {seat + 1} added nothing to the shuffle: its browser {why}."


def _replay(record: Record, opening: Opening, games: Registry) -> Position:
    """Deals and plays the game again; returns where it ends. Raises `_Differs`."""
    game = games.get(opening.game)
    if game is None:
        raise _Differs(f"The game {opening.game!r} is unknown here.")
    start = _dealt(record, opening, game)
    _compare(record.entries[0], 0, start)
    position = start.position
    for seq, entry in enumerate(record.entries[1:], start=1):
        advance = _advance(position, entry)
        position = advance.position
        _compare(entry, seq, advance)
    if position.outcome is None:
        raise _Differs("The record ends before the game does.")
    # As texts, because in Python true equals 1.
    if canonical_json(record.outcome) != canonical_json(position.outcome.wire()):
        raise _Differs("The outcome is not the one that these moves lead to.")
    return position


def _dealt(record: Record, opening: Opening, game: AnyGame) -> Advance:
    seed = game_seed(
        bytes.fromhex(record.server_seed),
        room=opening.room,
        game=opening.game,
        rules_version=opening.rules_version,
        options=opening.options,
        r=opening.r,
    )
    start = record.entries[0]
    if start.kind != START or start.seat is not None:
        raise _Differs("Entry 0 is not the start of a game.")
    least, most = game.meta.seats
    if not least <= opening.seats <= most:
        raise _Differs(f"The game cannot be dealt to {opening.seats} seats.")
    missing = {option.key for option in game.meta.options} - opening.options.keys()
    wrong = wrong_option(game.meta, opening.options) or next(iter(sorted(missing)), None)
    if wrong is not None:
        raise _Differs(f"The game cannot be dealt: its option {wrong!r} is wrong.")
    try:
        return opened_with_events(game, opening.seats, opening.options, seed, opening.rules_version)
    except UnknownRules:
        raise _Differs(
            f"The game was played by version {opening.rules_version} of the rules, which this "
            "program does not know. Check it with the program it was played on."
        ) from None


def _advance(position: Position, entry: RecordedEntry) -> Advance:
    seq = position.v + 1
    try:
        advance, body = _applied(position, entry)
    except Refused as refused:
        raise _Differs(f"Entry {seq} is not allowed by the rules ({refused.code}).") from refused
    except (Malformed, KeyError, TypeError, AttributeError) as wrong:
        raise _Differs(f"Entry {seq} cannot be read ({wrong}).") from wrong
    if body != canonical_json(entry.body):
        raise _Differs(f"Entry {seq} is not spelled as the house spells it.")
    return advance


def _applied(position: Position, entry: RecordedEntry) -> tuple[Advance, str]:
    """Returns the advance, and the body that the house would have written."""
    if entry.seat is None:
        raise Malformed("it has no seat")
    if entry.kind == MOVE:
        moves = parsed(position.game, entry.body["moves"])
        return played(position, entry.seat, moves), move_body(moves)
    if entry.kind == UNDO:
        advance = undone(position, entry.seat)
        return advance, canonical_json({"seq": advance.events[0].facts["seq"]})
    if entry.kind == CONCEDE:
        return conceded(position, entry.seat), canonical_json({})
    if entry.kind == END:
        agrees = entry.body["agrees"] is True
        without = entry.body.get("without", [])
        advance = agreed(position, entry.seat, agrees=agrees, without=without)
        return advance, end_body(agrees=agrees, without=without)
    if entry.kind in (SEAT, WAIT):
        return seating(position, entry.kind, entry.seat, entry.body)
    raise Malformed(f"its kind {entry.kind!r} is unknown")


def _compare(entry: RecordedEntry, seq: int, advance: Advance) -> None:
    if entry.seq != seq:
        raise _Differs(f"Entry {seq} is missing: the next one is numbered {entry.seq}.")
    if entry.draws != advance.drew:
        raise _Differs(f"Entry {seq} and the replay do not agree on whether chance was used.")
    gave = list(advance.drawn) if advance.drew else []
    if entry.drawn is not None and canonical_json(entry.drawn) != canonical_json(gave):
        raise _Differs(f"Entry {seq}: chance gave something else than the record says.")
    if tuple(entry.actors) != advance.position.actors:
        raise _Differs(f"After entry {seq} other seats must act than the record says.")
