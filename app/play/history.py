"""Replaying a journal: from stored entries back to a position and what was told on the way."""

from __future__ import annotations

import json
from collections.abc import Sequence

import orjson

from app.games.canonical import canonical_json
from app.games.chance import Draw
from app.games.contract import Event, Json, Malformed, Move, UnknownRules
from app.games.registry import AnyGame
from app.games.value import value
from app.play.ending import agreed
from app.play.journal import Entry
from app.play.opening import Deal
from app.play.position import (
    Advance,
    Position,
    conceded,
    parsed,
    played,
    undone,
)
from app.play.seating import SEAT, WAIT, seating

MOVE = "move"
UNDO = "undo"
CONCEDE = "concede"
END = "end"


@value
class Told:
    """What one entry told: the raw material of log lines, marks and speech.

    `bot`: it is a move that a bot made for its seat.
    """

    seq: int
    seat: int | None
    kind: str
    events: tuple[Event, ...]
    bot: bool = False

    def seen_by(self, viewer: int | None, *, now: bool = False) -> list[dict[str, Json]]:
        """Returns the events that a seat, or a spectator (`None`), is told, as wire data.

        Fleeting events are among them only `now`, while the entry happens.
        """
        return [
            event.seen_by(viewer)
            for event in self.events
            if event.tells(viewer) and (now or not event.fleeting)
        ]


class Broken(Exception):
    """A stored entry that no longer applies."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"entry {seq} no longer applies: {why}")
        self.seq = seq


def move_body(moves: Sequence[Move]) -> str:
    """Returns the canonical text of a `move` entry."""
    return canonical_json({"moves": [move.wire() for move in moves]})


@value
class Replayed:
    """One entry of a game that was played again: what came of it, what it told, what chance gave.

    All of it but `told` is secret while the game runs.
    """

    position: Position
    told: Told
    drawn: tuple[Draw, ...]


def dealt(deal: Deal) -> Replayed:
    """Deals. Raises `Broken` for rules that are unknown here."""
    try:
        advance = deal.advance()
    except UnknownRules as unknown:
        raise Broken(0, str(unknown)) from unknown
    return Replayed(advance.position, Told(0, None, "start", advance.events), advance.drawn)


def applied(position: Position, entry: Entry) -> Replayed:
    """Applies one stored entry. Raises `Broken` if it no longer applies."""
    try:
        advance = _advance(position, position.game, entry)
    except Exception as wrong:
        # Stored text may be anything: no room may fail for ever because of one entry.
        raise Broken(entry.seq, str(wrong)) from wrong
    if advance.position.v != entry.seq or advance.drew != entry.draws:
        raise Broken(entry.seq, "its seq or its draws differ from what was stored")
    bot = entry.kind == MOVE and entry.seat in position.bots
    told = Told(entry.seq, entry.seat, entry.kind, advance.events, bot)
    return Replayed(advance.position, told, advance.drawn)


def start(deal: Deal) -> tuple[Position, Told]:
    """Deals, and tells what the set-up told. Raises `Broken` for rules that are unknown here."""
    first = dealt(deal)
    return first.position, first.told


def follow(position: Position, entry: Entry) -> tuple[Position, Told]:
    """Applies one stored entry. Raises `Broken` if it no longer applies."""
    following = applied(position, entry)
    return following.position, following.told


def _advance(position: Position, game: AnyGame, entry: Entry) -> Advance:
    if entry.seat is None:
        raise Malformed(f"expected a seat in a {entry.kind} entry")
    if entry.kind == MOVE:
        return played(position, entry.seat, parsed(game, orjson.loads(entry.body)["moves"]))
    if entry.kind == UNDO:
        return undone(position, entry.seat)
    if entry.kind == CONCEDE:
        return conceded(position, entry.seat)
    if entry.kind == END:
        body = json.loads(entry.body)
        without = body.get("without", ())
        return agreed(position, entry.seat, agrees=body["agrees"] is True, without=without)
    if entry.kind in (SEAT, WAIT):
        return seating(position, entry.kind, entry.seat, json.loads(entry.body))[0]
    raise Malformed(f"expected an entry of a known kind, got {entry.kind}")
