"""Who plays a seat: its player, a bot for a player who is away, or whoever takes it by its link.

Handing a seat over and waiting for it are entries of the journal that ask nobody anything: the
game's state, its questions and their numbers, take-backs and chance stay as they are. Whether a
player is away is for the caller to check: a position knows no clock and no connections.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, get_args

from app.games.canonical import canonical_json
from app.games.contract import Event, Json, Malformed
from app.play.entry import Entry
from app.play.position import Advance, Position, Refused

SEAT: Final = "seat"
WAIT: Final = "wait"

Plays = Literal["bot", "player", "open"]
"""`bot`: a bot makes its moves until its player is back. `player`: its player plays. `open`: it can
be taken over by its link until then; whoever plays it goes on meanwhile."""
_PLAYS: Final[tuple[Plays, ...]] = get_args(Plays)


def seat_body(plays: Plays, by: int | None) -> str:
    """Returns the canonical text of a `seat` entry; `by` is the seat that did it, None: its own."""
    return canonical_json({"plays": plays, **_by(by)})


def wait_body(by: int | None) -> str:
    """Returns the canonical text of a `wait` entry, with the seat that decided to wait."""
    return canonical_json(_by(by))


def handed(position: Position, seat: int, plays: Plays, by: int | None = None) -> Advance:
    """Hands a seat over, decided by the seat `by` (None: by itself, or by the house for it).

    Whoever hands a seat to a bot wants to play on, and so an agreement of theirs to end the game
    is gone with it, as is that of the seat. Raises `Refused`: `game_over`, `no_such_seat`, and
    `already_handed` with the fact `plays` where that changes nothing.
    """
    _check(position, seat, by)
    bots, opened = position.bots, position.opened
    agreed = position.agreed
    if plays == "bot":
        bots, agreed = bots | {seat}, agreed - {seat, by}
    elif plays == "open":
        opened = opened | {seat}
    else:
        bots, opened = bots - {seat}, opened - {seat}
    if (bots, opened) == (position.bots, position.opened):
        raise Refused("already_handed", plays=plays)
    following = replace(position, v=position.v + 1, bots=bots, opened=opened, agreed=agreed)
    told = Event("seat_handed", {"seat": seat, "plays": plays, **_by(by)})
    return Advance(following, (told,), drew=False)


def waited(position: Position, seat: int, by: int | None = None) -> Advance:
    """Gives a seat that owes a decision more time, decided by the seat `by`.

    Raises `Refused`: `game_over`, `no_such_seat`, `not_awaited` where it owes none or a bot plays.
    """
    _check(position, seat, by)
    if seat not in position.asked or seat in position.bots:
        raise Refused("not_awaited")
    told = Event("waited", {"seat": seat, **_by(by)})
    return Advance(replace(position, v=position.v + 1), (told,), drew=False)


def seating(position: Position, entry_kind: str, seat: int, body: Json) -> tuple[Advance, str]:
    """Applies a stored `seat` or `wait` entry; returns also the body that the house would write.

    Raises `Refused`, and `Malformed` for a body that is none.
    """
    if not isinstance(body, Mapping):
        raise Malformed("expected an object")
    by = body.get("by")
    if by is not None and type(by) is not int:
        raise Malformed("expected by to be a seat")
    if entry_kind == WAIT:
        return waited(position, seat, by), wait_body(by)
    plays = body.get("plays")
    for known in _PLAYS:
        if plays == known:
            return handed(position, seat, known, by), seat_body(known, by)
    raise Malformed(f"expected plays to be one of {', '.join(_PLAYS)}")


def sender(entry: Entry) -> int | None:
    """Returns the seat whose message an entry is: of `seat` and `wait` entries, who did it."""
    if entry.kind in (SEAT, WAIT):
        body = json.loads(entry.body)
        if isinstance(body, Mapping) and isinstance(body.get("by"), int):
            return int(body["by"])
    return entry.seat


def _by(by: int | None) -> dict[str, Json]:
    return {} if by is None else {"by": by}


def _check(position: Position, seat: int, by: int | None) -> None:
    if position.over:
        raise Refused("game_over")
    if not all(0 <= one < position.seats for one in (seat, by) if one is not None):
        raise Refused("no_such_seat")
