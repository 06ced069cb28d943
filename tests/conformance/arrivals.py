"""Moments at which several seats choose, and their answers in every order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any
from uuid import UUID

from app.games.contract import Json, Move
from app.play.entry import Entry
from app.play.history import MOVE, UNDO, Told, follow, move_body, start
from app.play.opening import Deal, opening
from app.play.position import Advance, Position, played, undone
from tests.conformance.driver import AnyGame, every_setting
from tests.play.recorded_games import BEGAN, CODE

ROOM = UUID(int=11)
MOST_ORDERS = 24
MOST_ENTRIES = 12
"""Entries with which one seat answers; a longer chain is cut off."""

Answer = tuple[Move, ...]
"""What a seat answers, one entry for each move, as the rules ask for more and more."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position in which several seats are asked, after its journal, and what each answers.

    `second` is what each seat answers before it thinks better of it.
    """

    deal: Deal
    journal: tuple[Entry, ...]
    position: Position
    first: dict[int, Answer]
    second: dict[int, Answer]


class Play:
    """A table without a house: a position and the journal that leads to it."""

    def __init__(self, deal: Deal, journal: Sequence[Entry], position: Position) -> None:
        self.deal = deal
        self.journal = [*journal]
        self.position = position

    def move(self, seat: int, move: Move) -> None:
        """Plays one move as one entry."""
        self._write(seat, MOVE, played(self.position, seat, [move]), move_body([move]))

    def undo(self, seat: int) -> None:
        """Takes the seat's last entry back."""
        advance = undone(self.position, seat)
        self._write(seat, UNDO, advance, json.dumps({"seq": advance.events[0].facts["seq"]}))

    def _write(self, seat: int, kind: str, advance: Advance, body: str) -> None:
        self.position = advance.position
        v = self.position.v
        draws, actors = advance.drew, self.position.actors
        entry = Entry(ROOM, v, seat, kind, f"m{v}", body, draws, actors, None, BEGAN)
        self.journal.append(entry)

    def replayed(self) -> tuple[Position, list[Told]]:
        """Returns where the journal alone leads, and what it tells."""
        position, first = start(self.deal)
        told = [first]
        for entry in self.journal[1:]:
            position, said = follow(position, entry)
            told.append(said)
        return position, told


_found: dict[tuple[type[AnyGame], int, int], tuple[Moment, ...]] = {}


def moments(game: AnyGame, number: int, most: int) -> tuple[Moment, ...]:
    """Returns up to `most` moments of random game `number` at which several seats choose."""
    key = (type(game), number, most)
    if key not in _found:
        _found[key] = tuple(_moments(game, number, most))
    return _found[key]


def _moments(game: AnyGame, number: int, most: int) -> Iterator[Moment]:
    random = Random(f"arrivals {number}")
    settings = [one for one in every_setting(game) if one[0] > 1]
    seats, options = settings[number % len(settings)]
    seed = f"{game.meta.key} {number}".encode()
    deal = Deal(ROOM, CODE, game, seats, options, (None,) * seats, seed)
    play = Play(deal, [opening(deal, BEGAN)], deal.open())
    found = 0
    while not play.position.over and found < most:
        position = play.position
        if len(position.actors) > 1 and (found == 0 or random.randrange(4) == 0):
            found += 1
            first, second = (
                {seat: alone(position, seat, random) for seat in position.actors} for _ in range(2)
            )
            yield Moment(deal, tuple(play.journal), position, first, second)
        seat = random.choice(position.actors)
        play.move(seat, random.choice(position.asked[seat].prompt.legal))


def alone(position: Position, seat: int, random: Random) -> Answer:
    """Returns what a seat might answer while all the others still think."""
    moves: list[Move] = []
    while seat in position.asked and len(position.asked) > 1 and len(moves) < MOST_ENTRIES:
        move = random.choice(position.asked[seat].prompt.legal)
        position = played(position, seat, [move]).position
        moves.append(move)
    return tuple(moves)


def orders(seats: Sequence[int], random: Random) -> list[tuple[int, ...]]:
    """Returns the orders in which seats may answer, at most `MOST_ORDERS`."""
    every = list(permutations(seats))
    return every if len(every) <= MOST_ORDERS else random.sample(every, MOST_ORDERS)


def straight(moment: Moment, order: Sequence[int]) -> Play:
    """Has the seats answer one after the other."""
    play = Play(moment.deal, moment.journal, moment.position)
    for seat in order:
        for move in moment.first[seat]:
            play.move(seat, move)
    return play


def thinking_again(moment: Moment, order: Sequence[int]) -> Play:
    """Has all but the last seat answer otherwise, then all of these take back and answer anew.

    A seat takes back after the next one has answered: what that one did is applied again.
    """
    play = Play(moment.deal, moment.journal, moment.position)
    *earlier, last = order
    for at, seat in enumerate(earlier):
        for move in moment.second[seat]:
            play.move(seat, move)
        if at:
            _again(play, moment, earlier[at - 1])
    _again(play, moment, earlier[-1])
    for move in moment.first[last]:
        play.move(last, move)
    return play


def _again(play: Play, moment: Moment, seat: int) -> None:
    for _ in moment.second[seat]:
        play.undo(seat)
    for move in moment.first[seat]:
        play.move(seat, move)


def looks(position: Position) -> Json:
    """Returns all that a position is to its players, without the numbers of its entries."""
    game = position.game
    viewers: list[Any] = [*range(position.seats), None]
    return {
        "state": game.dump(position.state),
        "views": [game.view(position.state, viewer) for viewer in viewers],
        "asked": {
            seat: [asked.stage, asked.open, asked.legal] for seat, asked in position.asked.items()
        },
        "done": sorted(position.done),
        "draws": position.draws,
        "outcome": position.outcome and position.outcome.wire(),
    }
