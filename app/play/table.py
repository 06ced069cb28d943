"""One live game in memory: a cache of its journal that takes one decision at a time.

A decision is computed on the side, appended to the journal, and only then shown. The table knows
no socket: it calls its listener, and drawing and sending happen elsewhere.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

import structlog

from app.games.canonical import canonical_json
from app.games.contract import Json, Malformed, View
from app.games.registry import AnyGame
from app.play.ending import agreed, end_body
from app.play.history import CONCEDE, END, MOVE, UNDO, Broken, Told, follow, move_body, start
from app.play.journal import Appended, Entry, Journal, Unavailable
from app.play.opening import Deal
from app.play.position import (
    Advance,
    Asked,
    Done,
    Position,
    Refused,
    conceded,
    parsed,
    played,
    undoable,
    undone,
)

log = structlog.get_logger()

MOST_MOVES = 8
"""How many moves one entry may hold."""
IDS_KEPT = 8
"""How many accepted and how many refused move ids of each seat a table remembers."""
TOLD_KEPT = 160
"""How many entries' events a table keeps at hand; older ones come from the journal."""
MOST_TRIES = 8
"""How often a decision is computed again because other processes were faster."""
RELOAD_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds between tries to reach the database again; the last one repeats."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The decision is entry `v` of the journal."""

    v: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """The decision changed nothing. `code` is stable, `facts` say more, `index` which move."""

    code: str
    facts: dict[str, Json] = field(default_factory=dict)
    index: int | None = None


Answer = Accepted | Refusal
A = TypeVar("A", Accepted, Refusal)
Decide = Callable[[Position], tuple[Advance, str, str]]
"""Computes a decision on a position: the advance, the entry's kind and its body."""


class Table:
    """A game's position, its last events, and the answers it lately gave.

    `starts` is the seat that began, None where the game does not tell.
    """

    def __init__(self, deal: Deal, journal: Journal, changed: Callable[[Table], None]) -> None:
        """Deals. The entries after the first are then handed to `follow`."""
        self.room_id: UUID = deal.room_id
        self.used = time.monotonic()
        self.broken: int | None = None
        self._deal = deal
        self._journal = journal
        self._changed = changed
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._recovery: asyncio.Task[None] | None = None
        self._accepted: dict[int, OrderedDict[str, Accepted]] = {}
        self._refused: dict[int, OrderedDict[str, Refusal]] = {}
        self._told: deque[Told] = deque(maxlen=TOLD_KEPT)
        self._views: dict[int | None, View] = {}
        self._position, told = start(deal)
        self._told.append(told)
        self.starts = _starter(told)

    # What it is

    @property
    def game(self) -> AnyGame:
        """The game played here."""
        return self._deal.game

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._deal.seats

    @property
    def v(self) -> int:
        """The seq of the last entry."""
        return self._position.v

    @property
    def position(self) -> Position:
        """The position after entry `v`."""
        return self._position

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._position.over

    @property
    def busy(self) -> bool:
        """Whether a decision or a recovery is under way."""
        return bool(self._tasks) or self._recovery is not None

    def asked(self, seat: int | None) -> Asked | None:
        """Returns the open question to a seat, if there is one."""
        if seat is None or self.broken is not None:
            return None
        return self._position.asked.get(seat)

    def undoable(self, seat: int | None) -> Done | None:
        """Returns the entry that the seat could take back now."""
        if seat is None or self.over or self.broken is not None:
            return None
        return undoable(self._position, seat)

    def view(self, viewer: int | None) -> View:
        """Returns what a seat, or a spectator (`None`), may know; one object while `v` stays."""
        view = self._views.get(viewer)
        if view is None:
            view = self._views[viewer] = self.game.view(self._position.state, viewer)
        return view

    def told(self, after: int = -1) -> list[Told]:
        """Returns what was told since entry `after`, as far as it is still at hand."""
        newer: list[Told] = []
        for told in reversed(self._told):
            if told.seq <= after:
                break
            newer.append(told)
        newer.reverse()
        return newer

    def accepted(self, seat: int, move_id: str) -> bool:
        """Tells whether the seat's message of that id is in the journal."""
        return move_id in self._accepted.get(seat, ())

    # Decisions

    async def play(self, seat: int, data: Sequence[Json], *, move_id: str, prompt: int) -> Answer:
        """Plays 1 to 8 moves of one seat as one entry, all or none.

        `prompt` is the number of the question answered, `move_id` the sender's own name for this
        message: the same id again gets the same answer. A caller that goes away loses only the
        answer.
        """

        def decide(position: Position) -> tuple[Advance, str, str]:
            asked = position.asked.get(seat)
            if asked is None:
                raise Refused("game_over" if position.over else "not_asked")
            if asked.n != prompt:
                raise Refused("stale")
            try:
                moves = parsed(position.game, data)
            except Malformed as malformed:
                raise Refused("malformed", detail=str(malformed)) from None
            return played(position, seat, moves), MOVE, move_body(moves)

        if not 1 <= len(data) <= MOST_MOVES:
            return Refusal("malformed", {"detail": f"expected 1 to {MOST_MOVES} moves"})
        return await self._take(seat, move_id, decide)

    async def undo(self, seat: int, *, move_id: str) -> Answer:
        """Takes back the seat's last entry, where nothing forbids it."""

        def decide(position: Position) -> tuple[Advance, str, str]:
            advance = undone(position, seat)
            return advance, UNDO, canonical_json({"seq": advance.events[0].facts["seq"]})

        return await self._take(seat, move_id, decide)

    async def concede(self, seat: int, *, move_id: str) -> Answer:
        """Gives the game up for a seat."""

        def decide(position: Position) -> tuple[Advance, str, str]:
            return conceded(position, seat), CONCEDE, canonical_json({})

        return await self._take(seat, move_id, decide)

    async def end(self, seat: int, *, agrees: bool, move_id: str) -> Answer:
        """Agrees, for a seat, to end the game without a winner, or takes that back."""

        def decide(position: Position) -> tuple[Advance, str, str]:
            return agreed(position, seat, agrees=agrees), END, end_body(agrees=agrees)

        return await self._take(seat, move_id, decide)

    async def _take(self, seat: int, move_id: str, decide: Decide) -> Answer:
        self.used = time.monotonic()
        if self._recovery is not None:
            return Refusal("try_again")
        if self.broken is not None:
            return Refusal("broken")
        # The task is the table's: a caller that is cancelled takes only its answer with it.
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._settle(answer, seat, move_id, decide))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await answer

    async def _settle(
        self, answer: asyncio.Future[Answer], seat: int, move_id: str, decide: Decide
    ) -> None:
        try:
            settled = await self._decide(seat, move_id, decide)
            if not answer.done():
                answer.set_result(settled)
        except Exception as error:
            if answer.done():
                raise
            answer.set_exception(error)
        finally:
            answer.cancel()

    async def _decide(self, seat: int, move_id: str, decide: Decide) -> Answer:
        async with self._lock:
            for _ in range(MOST_TRIES):
                earlier = self._earlier(seat, move_id)
                if earlier is not None:
                    return earlier
                if self._recovery is not None:
                    break
                if self.broken is not None:
                    return Refusal("broken")
                try:
                    advance, kind, body = decide(self._position)
                except Refused as refused:
                    refusal = Refusal(refused.code, refused.facts, refused.index)
                    _remember(self._refused, seat, move_id, refusal)
                    return refusal
                position = advance.position
                entry = Entry(
                    room_id=self.room_id,
                    seq=position.v,
                    seat=seat,
                    kind=kind,
                    move_id=move_id,
                    body=body,
                    draws=advance.drew,
                    actors=position.actors,
                    due=None,
                    at=datetime.now(UTC),
                )
                appended = await self._journal.append(entry)
                if appended is Appended.WRITTEN:
                    self._swap(position, Told(entry.seq, seat, kind, advance.events))
                    answer = Accepted(entry.seq)
                    _remember(self._accepted, seat, move_id, answer)
                    self._changed(self)
                    return answer
                if appended is Appended.BAD:
                    return Refusal("bad_row")
                if appended is Appended.UNKNOWN:
                    self._recovery = asyncio.create_task(self._recover())
                    break
                try:
                    await self._catch_up()
                except Unavailable:
                    self._recovery = asyncio.create_task(self._recover())
                    break
                self._changed(self)
        return Refusal("try_again")

    # Following the journal

    def _swap(self, position: Position, told: Told) -> None:
        self._position = position
        self._views = {}
        self._told.append(told)

    def _earlier(self, seat: int, move_id: str) -> Answer | None:
        for answers in (self._accepted.get(seat), self._refused.get(seat)):
            if answers is not None and move_id in answers:
                return answers[move_id]
        return None

    def follow(self, entries: Sequence[Entry]) -> bool:
        """Replays entries that the journal holds after `v`; returns whether there were any.

        An entry that no longer applies stops the replay for good and is kept in `broken`.
        """
        for entry in entries:
            if self.broken is not None:
                break
            try:
                position, told = follow(self._position, entry)
            except Broken as broken:
                log.error("entry_no_longer_applies", room=str(self.room_id), seq=entry.seq)
                self.broken = broken.seq
                break
            self._swap(position, told)
            if entry.seat is not None:
                _remember(self._accepted, entry.seat, entry.move_id, Accepted(entry.seq))
        return bool(entries)

    async def _catch_up(self) -> bool:
        return self.follow(await self._journal.read(self.room_id, after=self.v))

    async def _recover(self) -> None:
        """Reads the journal until the database answers, then shows what it finds.

        Until then the table takes no decision: whether the last entry was written is unknown.
        """
        tries = 0
        async with self._lock:
            while True:
                try:
                    await self._catch_up()
                    break
                except Unavailable:
                    await asyncio.sleep(RELOAD_PAUSES[min(tries, len(RELOAD_PAUSES) - 1)])
                    tries += 1
            self._recovery = None
        self._changed(self)


def _starter(told: Told) -> int | None:
    """Returns the seat that begins, as the fact `starts` of the deal's events names it."""
    named = [event.facts.get("starts") for event in told.events]
    return next((seat for seat in named if isinstance(seat, int)), None)


def _remember(answers: dict[int, OrderedDict[str, A]], seat: int, move_id: str, answer: A) -> None:
    """Keeps the newest answers to a seat; refusals must not push out what was accepted."""
    mine = answers.setdefault(seat, OrderedDict())
    mine[move_id] = answer
    if len(mine) > IDS_KEPT:
        mine.popitem(last=False)
