"""The first entry of a journal: everything a game starts from, but its secret seed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from app.games.canonical import canonical_json
from app.games.contract import Json
from app.games.registry import AnyGame, Registry
from app.play.journal import Entry
from app.play.position import Advance, Position, opened_with_events

START = "start"


@dataclass(frozen=True, slots=True)
class Deal:
    """What the cards are dealt from.

    `code` is the room's invite code, `options` the checked options, `r` by seat the hex of the
    32 bytes that a seat's browser added to the shuffle, or None. `seed` is the game's secret
    seed (32 bytes), the one part that the journal does not hold. `rules_version` is the version of
    the rules that the game goes by, None for the newest one.
    """

    room_id: UUID
    code: str
    game: AnyGame
    seats: int
    options: Mapping[str, Json]
    r: tuple[str | None, ...]
    seed: bytes
    rules_version: int | None = None

    @property
    def version(self) -> int:
        """The version of the rules that the game goes by."""
        newest = self.game.meta.rules_version
        return newest if self.rules_version is None else self.rules_version

    def advance(self) -> Advance:
        """Deals: returns the game's first position with the events of the set-up.

        Raises `UnknownRules`.
        """
        return opened_with_events(self.game, self.seats, self.options, self.seed, self.version)

    def open(self) -> Position:
        """Deals: returns the game's first position. Raises `UnknownRules`."""
        return self.advance().position


def opening(deal: Deal, at: datetime, clock: int | None = None) -> Entry:
    """Returns the `start` entry (seq 0) of a game that begins now.

    `clock` is the time for a move in seconds: the first ones are due after it, and tables take it
    from there.
    """
    position = deal.open()
    body = canonical_json(
        {
            "room": deal.code,
            "game": deal.game.meta.key,
            "rules_version": deal.version,
            "seats": deal.seats,
            "options": dict(deal.options),
            "r": list(deal.r),
        }
    )
    return Entry(
        room_id=deal.room_id,
        seq=0,
        seat=None,
        kind=START,
        move_id=START,
        body=body,
        draws=position.draws > 0,
        actors=position.actors,
        due=None if clock is None else at + timedelta(seconds=clock),
        at=at,
    )


def read_opening(entry: Entry, seed: bytes, games: Registry) -> Deal:
    """Reads a `start` entry back. Raises KeyError for a game that the registry does not know."""
    body = json.loads(entry.body)
    return Deal(
        room_id=entry.room_id,
        code=body["room"],
        game=games[body["game"]],
        seats=body["seats"],
        options=body["options"],
        r=tuple(body["r"]),
        seed=seed,
        rules_version=body["rules_version"],
    )
