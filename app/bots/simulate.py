"""Whole games between bots, in memory: to try rules, balance and speed."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice

from app.bots.bot import Bot
from app.bots.random_bot import RandomBot
from app.games.chance import Chance
from app.games.contract import Json, Outcome
from app.games.registry import AnyGame

MOST_MOVES = 1_000_000
"""Moves after which a game counts as one that does not end."""


class EndlessGameError(RuntimeError):
    """A game that went on for more than the greatest number of moves."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt as the bots get it."""

    stage: str
    legal: tuple[dict[str, Json], ...]
    open: bool


@dataclass(slots=True)
class Statistics:
    """What came out of several games of one kind.

    `lengths` holds the moves of each game, `totals` by seat the points of each game that counts
    any, `wins` by seat how often it alone came first, `draws` how often several seats did.
    """

    game: str
    seats: int
    lengths: list[int] = field(default_factory=list)
    totals: list[list[int]] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)
    draws: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, length: int, outcome: Outcome) -> None:
        """Counts one finished game."""
        self.lengths.append(length)
        for seat, total in enumerate(outcome.totals):
            if total is not None:
                self.totals[seat].append(total)
        if outcome.ranking.count(1) == 1:
            self.wins[outcome.ranking.index(1)] += 1
        else:
            self.draws += 1
        self.reasons[outcome.reason] += 1


def simulate(
    game: AnyGame,
    games: int,
    seats: int | None = None,
    options: Mapping[str, Json] | None = None,
    seed: bytes = b"",
    *,
    bots: Sequence[Bot] = (RandomBot(),),
) -> Statistics:
    """Plays `games` whole games and returns what came out; an equal seed gives equal games.

    `seats` is the least number the game allows unless given; options left out keep their default.
    The bots sit down in their order, over again if there are more seats. Raises
    `EndlessGameError` if a game does not end, `IllegalMove` or `Malformed` if a bot breaks the
    rules.
    """
    count = game.meta.seats[0] if seats is None else seats
    chosen = {option.key: option.default for option in game.meta.options} | dict(options or {})
    seated = tuple(islice(cycle(bots), count))
    statistics = Statistics(
        game.meta.key, count, totals=[[] for _ in range(count)], wins=[0] * count
    )
    for number in range(games):
        length, outcome = play(game, seated, chosen, _derived(seed, "game", number))
        statistics.add(length, outcome)
    return statistics


def play(
    game: AnyGame, bots: Sequence[Bot], options: Mapping[str, Json], seed: bytes
) -> tuple[int, Outcome]:
    """Plays one game, a bot to each seat; returns the number of moves and the outcome."""
    chances = [Chance(_derived(seed, "bot", seat), 0) for seat in range(len(bots))]
    order = Chance(_derived(seed, "order", 0), 0)
    chance = Chance(seed, 0)
    state = game.setup(len(bots), options, chance).state
    draws = int(chance.used)
    length = 0
    while (outcome := game.outcome(state)) is None:
        seat = order.pick(game.actors(state))
        prompt = game.prompt(state, seat)
        if prompt is None:
            raise AssertionError(f"{game.meta.key}: actor {seat} has no prompt")
        legal = tuple(move.wire() for move in prompt.legal)
        asked = Asked(prompt.stage, legal, prompt.open)
        chance = Chance(seed, draws)
        sample = partial(game.guess, state, seat, chances[seat])
        for data in bots[seat].choose(game.view(state, seat), asked, chances[seat], sample):
            state = game.apply(state, seat, game.parse(data), chance).state
            length += 1
        draws += chance.used
        if length > MOST_MOVES:
            raise EndlessGameError(f"{game.meta.key}: no end after {MOST_MOVES} moves")
    return length, outcome


def _derived(seed: bytes, purpose: str, number: int) -> bytes:
    """Returns a seed of its own for each purpose, so that no stream tells of another."""
    return hmac.digest(seed, f"{purpose} {number}".encode(), hashlib.sha256)
