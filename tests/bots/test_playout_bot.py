"""The bot that tries moves out: better than chance, within its time, from what its seat knows."""

from __future__ import annotations

import time
from functools import partial
from itertools import count

import pytest

from app.bots.playout_bot import CPU_SECONDS, PlayoutBot, worth_of
from app.bots.random_bot import RandomBot
from app.bots.simulate import Asked, simulate
from app.games.chance import Chance
from app.games.contract import Outcome
from app.games.registry import GAMES, AnyGame

SPLENDOR = GAMES["splendor"]
GOLD_HUNTING = GAMES["gold_hunting"]


def first_question(game: AnyGame) -> tuple[object, int, Asked]:
    options = {option.key: option.default for option in game.meta.options}
    state = game.setup(game.meta.seats[0], options, Chance(b"deal", 0)).state
    seat = game.actors(state)[0]
    prompt = game.prompt(state, seat)
    assert prompt is not None
    legal = tuple(move.wire() for move in prompt.legal)
    return state, seat, Asked(prompt.stage, legal, prompt.open)


def test_it_beats_the_bot_that_moves_by_chance() -> None:
    clock = partial(next, count())  # counted moves instead of seconds: equal on every machine
    bot = PlayoutBot(GOLD_HUNTING, seconds=1000, clock=clock)
    statistics = simulate(GOLD_HUNTING, 8, 2, seed=b"better", bots=(bot, RandomBot()))
    assert statistics.wins[0] >= 6


@pytest.mark.parametrize("key", GAMES)
def test_it_answers_every_game_within_its_time(key: str) -> None:
    game = GAMES[key]
    state, seat, question = first_question(game)
    chance = Chance(b"bot", 0)
    before = time.thread_time()
    (move,) = PlayoutBot(game).choose(
        game.view(state, seat), question, chance, partial(game.guess, state, seat, chance)
    )
    # Seven times what it takes: a thread is also charged for what it was interrupted by.
    assert time.thread_time() - before < 7 * CPU_SECONDS
    assert move in question.legal


def test_it_does_not_depend_on_what_its_seat_cannot_know() -> None:
    """Another state that the seat cannot tell from this one leads to the same choice."""
    game = GAMES["lost_cities"]
    state, seat, question = first_question(game)
    other = game.guess(state, seat, Chance(b"other", 0))
    assert game.dump(other) != game.dump(state)
    chosen = []
    for one in (state, other):
        chance = Chance(b"bot", 0)
        bot = PlayoutBot(game, seconds=3000, clock=partial(next, count()))
        sample = partial(game.guess, one, seat, chance)
        chosen.append(bot.choose(game.view(one, seat), question, chance, sample))
    assert chosen[0] == chosen[1]


def test_without_any_time_it_still_makes_a_legal_move() -> None:
    state, seat, question = first_question(SPLENDOR)
    chance = Chance(b"bot", 0)
    sample = partial(SPLENDOR.guess, state, seat, chance)
    bot = PlayoutBot(SPLENDOR, seconds=0)
    (move,) = bot.choose(SPLENDOR.view(state, seat), question, chance, sample)
    assert move in question.legal


def test_a_place_is_worth_more_than_points() -> None:
    def end(ranking: tuple[int, ...], totals: tuple[int | None, ...]) -> float:
        return worth_of(Outcome(ranking, totals, ({},) * len(ranking), "end"), 0)

    assert (
        end((1, 2), (10, 9)) > end((1, 1), (10, 10)) > end((2, 1), (9, 10)) > end((2, 1), (0, 90))
    )
    assert end((1, 2), (None, None)) == 1
    assert end((2, 1, 3), (5, 6, 4)) > end((3, 1, 2), (4, 6, 5))
