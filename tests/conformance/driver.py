"""Random play: the one driver behind the conformance suite, the golden records and the replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from app.games.chance import Chance
from app.games.contract import Event, Game, Json, Move, Option, Step
from app.games.registry import GAMES
from app.play.barrier import is_barrier
from tests.tiny.games import TINY

AnyGame = Game[Any, Any]

ALL: Mapping[str, AnyGame] = {**TINY, **GAMES}
"""The games of the suite: all registered ones and the tiny ones."""

USUAL_MOVES = 100

MOST_MOVES = 5000
"""A random game that is longer than this counts as endless."""


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game: the state after `number` moves, and the move that led here.

    `draws` is the number of entries so far that used chance. `seat`, `move` and `before` are None
    after the set-up; `events`, `barrier` and `drew` are those of the set-up or of the last move.
    `rules` is the version of the rules.
    """

    game: AnyGame
    seats: int
    options: Mapping[str, Json]
    seed: bytes
    rules: int
    number: int
    draws: int
    state: Any
    events: tuple[Event, ...]
    barrier: bool
    drew: bool
    seat: int | None = None
    move: Move | None = None
    before: Position | None = None

    @property
    def viewers(self) -> tuple[int | None, ...]:
        """All seats and a spectator."""
        return (*range(self.seats), None)

    def chance(self) -> Chance:
        """Returns the chance of the next move."""
        return Chance(self.seed, self.draws)

    def stages(self) -> dict[int, str]:
        """Returns the stage that each actor is asked."""
        prompts = {
            seat: self.game.prompt(self.state, seat) for seat in self.game.actors(self.state)
        }
        return {seat: prompt.stage for seat, prompt in prompts.items() if prompt is not None}


def start(
    game: AnyGame,
    seats: int,
    options: Mapping[str, Json],
    seed: bytes,
    rules: int | None = None,
) -> Position:
    """Sets a game up, by the newest rules or by those of the version `rules`."""
    chance = Chance(seed, 0)
    version = game.meta.rules_version if rules is None else rules
    step = game.setup_by(version, seats, options, chance)
    return Position(
        game=game,
        seats=seats,
        options=options,
        seed=seed,
        rules=version,
        number=0,
        draws=int(chance.used),
        state=step.state,
        events=step.events,
        barrier=step.barrier,
        drew=chance.used,
    )


def advance(position: Position, seat: int, move: Move) -> Position:
    """Plays one move. Raises `IllegalMove`."""
    chance = position.chance()
    step = position.game.apply(position.state, seat, move, chance)
    return Position(
        game=position.game,
        seats=position.seats,
        options=position.options,
        seed=position.seed,
        rules=position.rules,
        number=position.number + 1,
        draws=position.draws + chance.used,
        state=step.state,
        events=step.events,
        barrier=step.barrier,
        drew=chance.used,
        seat=seat,
        move=move,
        before=position,
    )


def play_on(position: Position, random: Random) -> Iterator[Position]:
    """Yields `position` and every later one of a random game, to its end."""
    yield position
    while actors := position.game.actors(position.state):
        assert position.number < MOST_MOVES, f"no end after {MOST_MOVES} moves"
        seat = random.choice(actors)
        prompt = position.game.prompt(position.state, seat)
        assert prompt is not None, f"actor {seat} has no prompt"
        position = advance(position, seat, random.choice(prompt.legal))
        # A chain of all earlier positions would keep whole games in memory.
        yield position
        position = replace(position, before=None)


def barrier(before: Position, after: Position) -> bool:
    """Tells by the rule of the house whether the move between two positions is a barrier."""
    assert after.seat is not None
    step = Step(after.state, after.events, after.barrier)
    stages = {"before": before.stages(), "after": after.stages()}
    return is_barrier(after.seat, step, drew=after.drew, **stages)


def random_game(game: AnyGame, number: int) -> Iterator[Position]:
    """Yields every position of random game `number`.

    The first games go through every setting of `every_setting`, later ones mix options at random.
    """
    random = Random(number)
    settings = every_setting(game)
    if number < len(settings):
        seats, options = settings[number]
    else:
        seats = random.randint(*game.meta.seats)
        options = {option.key: random.choice(values(option)) for option in game.meta.options}
    seed = f"{game.meta.key} {number}".encode()
    return play_on(start(game, seats, options, seed), random)


def sampled(game: AnyGame, games: int, share: int) -> Iterator[tuple[Position, Random]]:
    """Yields about one of `share` positions of each of some random games, first and last always.

    Of a game longer than `USUAL_MOVES` it yields no more than of one of that length: a test costs
    about the same for every game. Comes with a source of random numbers for what the test does
    there.
    """
    for number in range(games):
        random = Random(f"sampled {number}")
        positions = list(random_game(game, number))
        one_of = max(share, share * len(positions) // USUAL_MOVES)
        for position in positions:
            ends = position.number < 2 or position is positions[-1]
            if ends or random.randrange(one_of) == 0:
                yield position, random


def default_options(game: AnyGame) -> dict[str, Json]:
    """Returns the options that a host who chooses nothing gets."""
    return {option.key: option.default for option in game.meta.options}


def values(option: Option) -> tuple[Json, ...]:
    """Returns the values of an option."""
    if option.kind == "switch":
        return (False, True)
    if option.kind == "choice":
        return tuple(value for value, _ in option.choices)
    return tuple(range(option.least, option.most + 1))


def telling_values(option: Option) -> tuple[Json, ...]:
    """Returns the values of an option worth a game: of a number the least, usual and most."""
    if option.kind == "number":
        return tuple(sorted({option.least, int(option.default), option.most}))
    return values(option)


def every_setting(
    game: AnyGame, of: Callable[[Option], tuple[Json, ...]] = telling_values
) -> list[tuple[int, dict[str, Json]]]:
    """Returns each number of seats with the usual options, and with each value of one option."""
    usual = default_options(game)
    changed = [
        {**usual, option.key: value}
        for option in game.meta.options
        for value in of(option)
        if value != option.default
    ]
    least, most = game.meta.seats
    return [(seats, options) for options in (usual, *changed) for seats in range(least, most + 1)]
