"""One live game in memory: a cache of its journal that takes one decision at a time.

A decision is computed on the side, appended to the journal, and only then shown. The table knows
no socket: it calls its listener, and drawing and sending happen elsewhere.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID

import structlog

from app.games.contract import Json, View
from app.games.registry import AnyGame
from app.play.answers import Accepted, Answer, Answers, Refusal
from app.play.clock import Times, earliest
from app.play.decisions import (
    Away,
    Check,
    Decide,
    agreeing,
    conceding,
    handing,
    playing,
    undoing,
    waiting,
)
from app.play.history import MOVE, Broken, Told, follow
from app.play.journal import Appended, Entry, Journal, Unavailable
from app.play.opening import Deal
from app.play.others import Others
from app.play.position import Asked, Done, Position, Refused, undoable
from app.play.seating import Plays, sender
from app.play.standing import Standing, first_standing

__all__ = ["Accepted", "Answer", "Refusal", "Table"]

log = structlog.get_logger()

MOST_MOVES = 8
"""How many moves one entry may hold."""
TOLD_KEPT = 160
"""How many entries' events a table keeps at hand; older ones come from the journal."""
MOST_TRIES = 8
"""How often a decision is computed again because other processes were faster."""
LATE_SECONDS = 5.0
"""How long after a write whose outcome was unknown the journal is looked at once more."""
RELOAD_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds between tries to reach the database again; the last one repeats."""


class Table:
    """A game's position, its last events, and the answers it lately gave.

    `starts` is the seat that began, None where the game does not tell, `times` since when each seat
    that owes a decision has owed it, `snapshot_v` the entry that its newest snapshot stands
    after.
    """

    def __init__(
        self,
        deal: Deal,
        journal: Journal,
        changed: Callable[[Table], None],
        opening: Entry | None = None,
        *,
        others: Others | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Goes on from where the game stood, or deals.

        The entries after that, or after `opening`, the first one, are then handed to `follow`.
        """
        self.room_id: UUID = deal.room_id
        self.used = time.monotonic()
        self.broken: int | None = None
        self._deal = deal
        self._journal = journal
        self._changed = changed
        self._others = others
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._recovery: asyncio.Task[None] | None = None
        self._answers = Answers()
        self._views: dict[int | None, View] = {}
        at = first_standing(deal, opening) if standing is None else standing
        self._position = at.position
        self._told: deque[Told] = deque(at.told, maxlen=TOLD_KEPT)
        for seat, move_id, v in at.accepted:
            self._answers.keep(seat, move_id, Accepted(v))
        self.starts: int | None = at.starts
        self.times: Times = at.times
        self.snapshot_v = at.position.v

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
    def standing(self) -> Standing:
        """All that is known here of the game."""
        told, taken = tuple(self._told), self._answers.taken()
        return Standing(self._position, told, taken, self.starts, self.times)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._position.over

    @property
    def busy(self) -> bool:
        """Whether a decision or a recovery is under way."""
        return bool(self._tasks) or self._recovery is not None

    @property
    def deciding(self) -> Collection[asyncio.Task[None]]:
        """The decisions that are under way."""
        return self._tasks

    def asked(self, seat: int | None) -> Asked | None:
        """Returns the open question to a seat's player, if there is one; a bot is asked instead."""
        if seat is None or self.broken is not None or seat in self._position.bots:
            return None
        return self._position.asked.get(seat)

    def undoable(self, seat: int | None) -> Done | None:
        """Returns the entry that the seat could take back now."""
        if seat is None or self.over or self.broken is not None or seat in self._position.bots:
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
        return self._answers.accepted(seat, move_id)

    # Decisions

    async def play(
        self, seat: int, data: Sequence[Json], *, move_id: str, prompt: int, bot: bool = False
    ) -> Answer:
        """Plays 1 to 8 moves of one seat as one entry, all or none.

        `prompt` is the number of the question answered, `move_id` the sender's own name for this
        message: the same id again gets the same answer. `bot`: it is a bot that plays the seat. A
        caller that goes away loses only the answer.
        """
        if not 1 <= len(data) <= MOST_MOVES:
            return Refusal("malformed", {"detail": f"expected 1 to {MOST_MOVES} moves"})
        return await self._take(seat, move_id, playing(seat, data, prompt, bot=bot))

    async def undo(self, seat: int, *, move_id: str) -> Answer:
        """Takes back the seat's last entry, where nothing forbids it."""
        return await self._take(seat, move_id, undoing(seat))

    async def concede(self, seat: int, *, move_id: str) -> Answer:
        """Gives the game up for a seat."""
        return await self._take(seat, move_id, conceding(seat))

    async def end(
        self, seat: int, *, agrees: bool, move_id: str, away: Away | None = None
    ) -> Answer:
        """Agrees, for a seat, to end the game without a winner, or takes that back.

        `away` answers, for the position that it is decided on, which others need not agree.
        """
        return await self._take(seat, move_id, agreeing(seat, agrees=agrees, away=away))

    async def hand(
        self, seat: int, plays: Plays, *, by: int | None, move_id: str, check: Check | None = None
    ) -> Answer:
        """Hands a seat over to a bot, to its player, or opens it to whoever has its link.

        `by` is the seat that decides it and sent `move_id`, None where that is the seat itself.
        `check` is called with the position that it is decided on.
        """
        sender = seat if by is None else by
        return await self._take(sender, move_id, handing(seat, plays, by, check))

    async def wait(self, seat: int, *, by: int, move_id: str, check: Check | None = None) -> Answer:
        """Gives a seat that owes a decision more time; as for `hand`."""
        return await self._take(by, move_id, waiting(seat, by, check))

    async def _take(self, sender: int, move_id: str, decide: Decide) -> Answer:
        self.used = time.monotonic()
        if self._recovery is not None:
            return Refusal("try_again")
        if self.broken is not None:
            return Refusal("broken")
        # The task is the table's: a caller that is cancelled takes only its answer with it.
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._settle(answer, sender, move_id, decide))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await answer

    async def _settle(
        self, answer: asyncio.Future[Answer], sender: int, move_id: str, decide: Decide
    ) -> None:
        try:
            settled = await self._decide(sender, move_id, decide)
            if not answer.done():
                answer.set_result(settled)
        except Exception as error:
            if answer.done():
                raise
            answer.set_exception(error)
        finally:
            answer.cancel()

    async def _decide(self, sender: int, move_id: str, decide: Decide) -> Answer:
        async with self._lock:
            asked = self._others is None
            for _ in range(MOST_TRIES):
                earlier = self._answers.get(sender, move_id)
                if earlier is not None:
                    return earlier
                if self._recovery is not None:
                    break
                if self.broken is not None:
                    return Refusal("broken")
                try:
                    advance, seat, kind, body = decide(self._position)
                except Refused as refused:
                    if not asked:
                        # Another process may have told the sender what is not known here yet.
                        asked = True
                        if await self._followed() or self._recovery is not None:
                            continue
                    refusal = Refusal(refused.code, refused.facts, refused.index)
                    self._answers.keep(sender, move_id, refusal)
                    return refusal
                position = advance.position
                at = datetime.now(UTC)
                times = self.times.after(position, kind, seat, at)
                entry = Entry(
                    room_id=self.room_id,
                    seq=position.v,
                    seat=seat,
                    kind=kind,
                    move_id=move_id,
                    body=body,
                    draws=advance.drew,
                    actors=position.actors,
                    due=earliest(times, position),
                    at=at,
                )
                appended = await self._journal.append(entry)
                if appended is Appended.WRITTEN:
                    self._journal.written[self.game.meta.key, kind] += 1
                    bot = kind == MOVE and seat in position.bots
                    told = Told(entry.seq, seat, kind, advance.events, bot)
                    self._swap(position, told, times)
                    answer = Accepted(entry.seq)
                    self._answers.keep(sender, move_id, answer)
                    self._changed(self)
                    return answer
                if appended is Appended.BAD:
                    return Refusal("bad_row")
                if appended is Appended.UNKNOWN:
                    self._recovery = asyncio.create_task(self._recover())
                    break
                asked = True
                if not await self._followed():
                    break
        return Refusal("try_again")

    # Following the journal

    def _swap(self, position: Position, told: Told, times: Times) -> None:
        self._position = position
        self.times = times
        self._views = {}
        self._told.append(told)

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
            self._swap(position, told, self.times.after(position, entry.kind, entry.seat, entry.at))
            author = sender(entry)
            if author is not None:
                self._answers.keep(author, entry.move_id, Accepted(entry.seq))
        return bool(entries)

    async def catch_up(self) -> None:
        """Follows what other processes wrote. Raises `Unavailable`."""
        async with self._lock:
            if self._recovery is None and await self._catch_up():
                self._tell_followed()

    async def _catch_up(self) -> bool:
        if self._others is None:
            return self.follow(await self._journal.read(self.room_id, after=self.v))
        entries, r = await self._journal.read_beside(self.room_id, after=self.v)
        if entries:
            await self._others.before(self.room_id, r)
        return self.follow(entries)

    async def _followed(self) -> bool:
        """Catches up for a decision; returns whether there was anything that it did not know."""
        try:
            news = await self._catch_up()
        except Unavailable:
            self._recovery = asyncio.create_task(self._recover())
            return False
        if news:
            self._tell_followed()
        return news

    def _tell_followed(self) -> None:
        (self._changed if self._others is None else self._others.followed)(self)

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
        # What was given up may be written yet, by a database that was only slow.
        await asyncio.sleep(LATE_SECONDS)
        with suppress(Unavailable):
            await self.catch_up()
