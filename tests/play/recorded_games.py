"""Whole recorded games for tests of records: played by choosing at random, with take-backs."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.games.canonical import canonical_json
from app.games.contract import Json
from app.games.registry import AnyGame
from app.play.ending import agreed, end_body
from app.play.entry import Entry
from app.play.history import (
    CONCEDE,
    END,
    MOVE,
    UNDO,
    Told,
    applied,
    dealt,
    follow,
    move_body,
    start,
)
from app.play.opening import Deal, opening
from app.play.position import Position, conceded, played, undoable, undone
from app.play.record import Cast, digest_of, full_record
from app.play.seating import SEAT, WAIT, Plays, handed, seat_body, wait_body, waited
from app.play.shuffle import commitment, digest, game_seed

ROOM_ID = UUID(int=7)
CODE = "bado-keli-mofu-tasi"
SERVER_SEED = bytes(range(100, 132))
BEGAN = datetime(2026, 3, 1, 19, tzinfo=UTC)


def shown(seat: int) -> str:
    """The `r` of a seat."""
    return bytes([seat + 1] * 32).hex()


def cast_of(r: tuple[str | None, ...]) -> Cast:
    """Names and promises of seats that show `r`; a seat without one promised nothing."""
    return Cast(
        names=tuple(f"Seat {seat}" for seat in range(len(r))),
        hashes=tuple(None if one is None else digest(bytes.fromhex(one)).hex() for one in r),
        commitment=commitment(SERVER_SEED),
    )


def deal_of(game: AnyGame, r: tuple[str | None, ...], rules_version: int | None = None) -> Deal:
    """A deal with default options, by the newest rules or older ones."""
    options = {option.key: option.default for option in game.meta.options}
    seed = game_seed(
        SERVER_SEED,
        room=CODE,
        game=game.meta.key,
        rules_version=rules_version or game.meta.rules_version,
        options=options,
        r=r,
    )
    return Deal(ROOM_ID, CODE, game, len(r), options, r, seed, rules_version)


def journal_of(deal: Deal, choices: int, *, concede_at: int = -1, away_at: int = -1) -> list[Entry]:
    """The entries of a random game; `choices` seeds the players' choices, never the deal.

    Where something can be taken back it is now and then. With `concede_at` the seat to act gives
    up after that many entries; with `away_at` it is waited for then, a bot plays for it, it comes
    back, and the others end the game without it.
    """
    choose = random.Random(choices)
    entries = [opening(deal, BEGAN)]
    position = deal.open()
    while not position.over:
        seat = choose.choice(position.actors)
        absent = len(entries) - away_at if away_at > 0 else -1
        by = (seat + 1) % position.seats
        if absent == 0:
            advance, kind, body = waited(position, seat, by), WAIT, wait_body(by)
        elif absent in (1, 2):
            plays: Plays = "bot" if absent == 1 else "open"
            advance, kind, body = handed(position, 0, plays, 1), SEAT, seat_body(plays, 1)
            seat = 0
        elif absent == 3:
            advance, kind, body = handed(position, 0, "player"), SEAT, seat_body("player", None)
            seat = 0
        elif absent == 4:
            without = tuple(range(1, position.seats))
            advance, kind = agreed(position, 0, agrees=True, without=without), END
            body, seat = end_body(agrees=True, without=without), 0
        elif len(entries) == concede_at:
            advance, kind, body = conceded(position, seat), CONCEDE, canonical_json({})
        elif undoable(position, seat) and choose.random() < 0.3:
            advance, kind = undone(position, seat), UNDO
            body = canonical_json({"seq": advance.events[0].facts["seq"]})
        else:
            move = choose.choice(position.asked[seat].prompt.legal)
            advance, kind, body = played(position, seat, [move]), MOVE, move_body([move])
        position = advance.position
        entries.append(
            Entry(
                room_id=ROOM_ID,
                seq=position.v,
                seat=seat,
                kind=kind,
                move_id=f"m{position.v}",
                body=body,
                draws=advance.drew,
                actors=position.actors,
                due=None,
                at=BEGAN + timedelta(seconds=position.v),
            )
        )
    return entries


def replayed(deal: Deal, entries: list[Entry]) -> tuple[Position, list[Told]]:
    """Where the entries lead, and what each told."""
    position, told = start(deal)
    all_told = [told]
    for entry in entries[1:]:
        position, told = follow(position, entry)
        all_told.append(told)
    return position, all_told


def record_of(
    game: AnyGame,
    r: tuple[str | None, ...],
    choices: int = 1,
    *,
    concede_at: int = -1,
    away_at: int = -1,
    rules_version: int | None = None,
) -> dict[str, Json]:
    """The complete record of a random game."""
    deal = deal_of(game, r, rules_version)
    entries = journal_of(deal, choices, concede_at=concede_at, away_at=away_at)
    played_again = [dealt(deal)]
    for entry in entries[1:]:
        played_again.append(applied(played_again[-1].position, entry))
    outcome = played_again[-1].position.outcome
    assert outcome is not None
    drawn = [each.drawn for each in played_again]
    return full_record(cast_of(r), entries, drawn, SERVER_SEED, outcome)


def forged(record: dict[str, Json], *path: str | int, to: Json) -> dict[str, Json]:
    """A copy with one value changed and the digest made to fit again."""
    copy: dict[str, Json] = json.loads(canonical_json(record))
    place: Json = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return {**copy, "digest": digest_of(copy)}
