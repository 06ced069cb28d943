"""Where a game stands after some entries: the pure heart of a table, of replay and of proofs.

A position is derived from the options, the seed and the entries alone and is never changed:
each function here returns the next one. Nothing in this file waits, reads a clock or stores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.games.chance import Chance, Draw
from app.games.contract import Event, IllegalMove, Json, Move, Outcome, Prompt, Step
from app.games.registry import AnyGame
from app.games.value import value
from app.play.barrier import asks_others, is_barrier

MOST_UNDOS = 32
"""Take-backs of a seat between two barriers: a journal must not grow for ever in one turn."""
SEATS_THAT_CONCEDE = 2
"""Conceding names a winner only between two; larger tables agree to end instead."""


class Refused(Exception):
    """A decision that changes nothing. `index` is the place of the refused move in its list."""

    def __init__(self, code: str, index: int | None = None, **facts: Json) -> None:
        super().__init__(code)
        self.code = code
        self.index = index
        self.facts = facts


@value
class Asked:
    """A question to a seat: `n` is the seq of the entry after which it was asked."""

    n: int
    prompt: Prompt[Any]

    @property
    def stage(self) -> str:
        """The stage of the seat's turn."""
        return self.prompt.stage

    @property
    def open(self) -> bool:
        """Whether more moves are accepted than `legal` lists."""
        return self.prompt.open

    @property
    def legal(self) -> list[dict[str, Json]]:
        """The legal moves as wire data."""
        return [move.wire() for move in self.prompt.legal]


@value
class Done:
    """A move entry that could still be taken back, with the state it was made in."""

    seq: int
    seat: int
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    before: Any


@value
class Position:
    """The state after entry `v`, and what follows from it.

    `draws` is the number of entries so far that used chance, `asked` the open questions by seat,
    `done` the seats that have answered while others who were asked with them still choose. `loose`
    are the entries since the last barrier, oldest first, and `undos` the seats that took back since
    then, as often as they did. `agreed` are the seats that would end the game without a winner:
    whoever moves plays on. `changes` are the seats that agreed or took that back since the last
    barrier, as often as they did. `conceded` is the seat that gave up. `bots` are the seats that a
    bot plays while their player is away, `opened` those that can be taken over by their link.
    """

    game: AnyGame
    seats: int
    seed: bytes
    state: Any
    v: int
    draws: int
    asked: Mapping[int, Asked]
    done: frozenset[int] = frozenset()
    loose: tuple[Done, ...] = ()
    undos: tuple[int, ...] = ()
    agreed: frozenset[int] = frozenset()
    changes: tuple[int, ...] = ()
    conceded: int | None = None
    bots: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()
    outcome: Outcome | None = None

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that owe a decision, ascending."""
        return tuple(self.asked)

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.outcome is not None


@value
class Advance:
    """One entry as applied: the next position, what is told, and whether chance was used.

    `drawn` is what chance was asked and gave. It is as secret as the seed until the game is over.
    """

    position: Position
    events: tuple[Event, ...]
    drew: bool
    drawn: tuple[Draw, ...] = ()


def opened(game: AnyGame, seats: int, options: Mapping[str, Json], seed: bytes) -> Position:
    """Sets the game up by its newest rules and returns its first position (`v` 0)."""
    return opened_with_events(game, seats, options, seed).position


def opened_with_events(
    game: AnyGame,
    seats: int,
    options: Mapping[str, Json],
    seed: bytes,
    rules_version: int | None = None,
) -> Advance:
    """Sets the game up by a version of its rules (None: the newest), with the set-up's events.

    Raises `UnknownRules`.
    """
    chance = Chance(seed, 0)
    version = game.meta.rules_version if rules_version is None else rules_version
    step = game.setup_by(version, seats, options, chance)
    position = Position(
        game=game,
        seats=seats,
        seed=seed,
        state=step.state,
        v=0,
        draws=int(chance.used),
        asked=_asked(game, step.state, {}, seq=0, seat=None),
        outcome=game.outcome(step.state),
    )
    return Advance(position, step.events, chance.used, tuple(chance.drawn))


def parsed(game: AnyGame, data: Sequence[Json]) -> tuple[Move, ...]:
    """Reads the moves of one entry. Raises `Malformed`."""
    return tuple(game.parse(move) for move in data)


def played(position: Position, seat: int, moves: Sequence[Move]) -> Advance:
    """Applies the moves of one entry in order, all or none.

    Raises `Refused` with the code of the rules, or `not_asked` if the seat owes no decision
    (any more, for a later move of the list).
    """
    game = position.game
    state = position.state
    chance = Chance(position.seed, position.draws)
    events: tuple[Event, ...] = ()
    barrier = False
    for index, move in enumerate(moves):
        if seat not in (position.asked if index == 0 else game.actors(state)):
            raise Refused("not_asked", index)
        try:
            step = game.apply(state, seat, move, chance)
        except IllegalMove as illegal:
            raise Refused(illegal.code, index, **illegal.facts) from None
        state = step.state
        events += step.events
        barrier = barrier or step.barrier
    seq = position.v + 1
    asked = _asked(game, state, position.asked, seq=seq, seat=seat)
    before, after = _stages(position.asked), _stages(asked)
    barrier = is_barrier(
        seat, Step(state, events, barrier), drew=chance.used, before=before, after=after
    )
    done = Done(seq, seat, tuple(moves), events, position.state)
    # Spelled out: `replace` takes twice as long, and every move passes here, also when replayed.
    following = Position(
        game=game,
        seats=position.seats,
        seed=position.seed,
        state=state,
        v=seq,
        draws=position.draws + chance.used,
        asked=asked,
        done=_done(position.done, seat, before, after, barrier=barrier),
        loose=() if barrier else (*position.loose, done),
        undos=() if barrier else position.undos,
        agreed=position.agreed - {seat},
        changes=() if barrier else position.changes,
        conceded=position.conceded,
        bots=position.bots,
        opened=position.opened,
        outcome=None if asked else game.outcome(state),
    )
    return Advance(following, events, chance.used, tuple(chance.drawn))


def undoable(position: Position, seat: int) -> Done | None:
    """Returns the entry that the seat would take back now, if it may."""
    if position.over or position.undos.count(seat) >= MOST_UNDOS:
        return None
    for done in reversed(position.loose):
        if done.seat == seat:
            return done
    return None


def undone(position: Position, seat: int) -> Advance:
    """Takes back the seat's last entry and re-applies the later entries of others.

    Raises `Refused("nothing_to_undo")` behind a barrier, `Refused("too_many_undos")` after
    `MOST_UNDOS` take-backs, `Refused("undo_blocked")` where a later entry no longer applies
    without it, and `Refused("game_over")`.
    """
    if position.over:
        raise Refused("game_over")
    if position.undos.count(seat) >= MOST_UNDOS:
        raise Refused("too_many_undos", most=MOST_UNDOS)
    mine = undoable(position, seat)
    if mine is None:
        raise Refused("nothing_to_undo")
    game = position.game
    state = game.taken_back(mine.before, seat, mine.moves)
    chance = Chance(position.seed, position.draws)
    # Earlier entries may be taken back too, and what was seen then stays seen.
    kept = [
        replace(done, before=game.taken_back(done.before, seat, mine.moves))
        for done in position.loose
        if done.seq < mine.seq
    ]
    for later in position.loose:
        if later.seq <= mine.seq:
            continue
        before = state
        try:
            for move in later.moves:
                state = game.apply(state, later.seat, move, chance).state
        except IllegalMove:
            raise Refused("undo_blocked") from None
        kept.append(replace(later, before=before))
    if chance.used:
        raise Refused("undo_blocked")
    seq = position.v + 1
    following = replace(
        position,
        state=state,
        v=seq,
        asked=_asked(game, state, position.asked, seq=seq, seat=seat),
        done=position.done - {seat},
        loose=tuple(kept),
        undos=(*position.undos, seat),
    )
    return Advance(following, (_told_undone(mine),), drew=False)


def _told_undone(mine: Done) -> Event:
    """Tells of a take-back whoever was told of the entry, and for as long as that."""
    told: set[int] = {mine.seat}
    everybody = False
    for event in mine.events:
        told.update(event.to or ())
        everybody = everybody or event.to is None
    return Event(
        "undone",
        {"seat": mine.seat, "seq": mine.seq},
        fleeting=bool(mine.events) and all(event.fleeting for event in mine.events),
        to=None if everybody else tuple(sorted(told)),
    )


def conceded(position: Position, seat: int) -> Advance:
    """Ends the game: the seat gives up and the other one wins.

    Raises `Refused("concede_two_only")` at a table of more than two.
    """
    if position.over:
        raise Refused("game_over")
    if position.seats != SEATS_THAT_CONCEDE:
        raise Refused("concede_two_only")
    outcome = Outcome(
        ranking=tuple(2 if other == seat else 1 for other in range(position.seats)),
        totals=(None,) * position.seats,
        scores=({},) * position.seats,
        reason="conceded",
    )
    following = replace(
        position,
        state=position.game.stopped(position.state),
        v=position.v + 1,
        asked={},
        done=frozenset(),
        loose=(),
        conceded=seat,
        outcome=outcome,
    )
    return Advance(following, (Event("conceded", {"seat": seat}),), drew=False)


def _stages(asked: Mapping[int, Asked]) -> dict[int, str]:
    return {seat: question.stage for seat, question in asked.items()}


def _done(
    done: frozenset[int],
    seat: int,
    before: Mapping[int, str],
    after: Mapping[int, str],
    *,
    barrier: bool,
) -> frozenset[int]:
    """Returns who has answered beside the seats that were asked together and still choose.

    All have, where somebody else is asked something new, or the mover alone behind a barrier.
    """
    if not after or asks_others(seat, before, after) or (barrier and set(after) == {seat}):
        return frozenset()
    return done - {seat} if seat in after else done | {seat}


def _asked(
    game: AnyGame, state: Any, before: Mapping[int, Asked], *, seq: int, seat: int | None
) -> dict[int, Asked]:
    """Asks everyone who owes a decision.

    A question keeps its number unless its seat has just acted, was not asked, or is in another
    stage: other seats' simultaneous moves never make an answer stale.
    """
    asked: dict[int, Asked] = {}
    for actor in game.actors(state):
        prompt = game.prompt(state, actor)
        if prompt is None:
            raise AssertionError(f"{game.meta.key}: actor {actor} has no prompt")
        old = before.get(actor)
        keeps = old is not None and actor != seat and old.stage == prompt.stage
        asked[actor] = Asked(old.n if old is not None and keeps else seq, prompt)
    return asked
