"""Games between bots: they end, add up, repeat from a seed and show a bot its seat only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from app.bots import simulate as simulating
from app.bots.bot import Question, Sample
from app.bots.random_bot import RandomBot
from app.bots.report import report
from app.bots.simulate import EndlessGameError, Statistics, simulate
from app.games.chance import Chance
from app.games.contract import IllegalMove, Malformed, Outcome, View
from app.games.registry import GAMES

LOST_CITIES = GAMES["lost_cities"]


@pytest.mark.parametrize("key", GAMES)
def test_random_bots_finish_every_game(key: str) -> None:
    statistics = simulate(GAMES[key], 5, seed=b"every game")
    assert len(statistics.lengths) == 5
    assert sum(statistics.wins) + statistics.draws == 5
    assert sum(statistics.reasons.values()) == 5


@pytest.mark.parametrize(
    "options", [{"colours": 6}, {"rounds": 3}, {"colours": 6, "rounds": 3, "first": 1}]
)
def test_with_every_option_of_lost_cities(options: Mapping[str, Any]) -> None:
    statistics = simulate(LOST_CITIES, 3, 2, options, b"options")
    assert statistics.reasons == {"deck": 3}
    assert [len(totals) for totals in statistics.totals] == [3, 3]
    # Every turn is two moves, and each card left in the deck is drawn.
    cards = 56 if options.get("colours") == 6 else 44
    assert min(statistics.lengths) >= 2 * cards * options.get("rounds", 1)
    assert all(length % 2 == 0 for length in statistics.lengths)


def test_an_equal_seed_gives_equal_games_and_another_seed_others() -> None:
    first, again, other = (simulate(LOST_CITIES, 3, seed=seed) for seed in (b"one", b"one", b"two"))
    assert first == again
    assert first.lengths != other.lengths


def test_the_games_of_one_run_differ() -> None:
    assert len(set(simulate(LOST_CITIES, 10, seed=b"differ").lengths)) > 1


class Watcher:
    """Plays like the random bot and keeps what it was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.stages: set[str] = set()

    def choose(
        self, view: View, prompt: Question, chance: Chance, sample: Sample
    ) -> list[dict[str, Any]]:
        self.views.append(view)
        self.stages.add(prompt.stage)
        assert not prompt.open
        return RandomBot().choose(view, prompt, chance, sample)


def test_a_bot_gets_the_view_and_the_prompt_of_its_seat() -> None:
    watchers = Watcher(), Watcher()
    simulate(LOST_CITIES, 1, seed=b"watch", bots=watchers)
    for seat, watcher in enumerate(watchers):
        assert {view["seat"] for view in watcher.views} == {seat}
        assert {view["turn"] for view in watcher.views} == {seat}
        assert watcher.stages == {"play", "draw"}


class WholeTurn:
    """Answers the first half of a turn with both: discards, then draws from the deck."""

    def choose(
        self, view: View, prompt: Question, chance: Chance, sample: Sample
    ) -> list[dict[str, Any]]:
        discard = next(move for move in prompt.legal if move["kind"] == "discard")
        return [discard, {"kind": "draw", "from": "deck"}]


def test_a_bot_may_answer_with_several_moves() -> None:
    statistics = simulate(LOST_CITIES, 2, seed=b"turns", bots=(WholeTurn(),))
    assert statistics.lengths == [88, 88]
    assert statistics.totals == [[0, 0], [0, 0]]
    assert statistics.draws == 2


class Cheat:
    def __init__(self, move: dict[str, Any]) -> None:
        self.move = move

    def choose(
        self, view: View, prompt: Question, chance: Chance, sample: Sample
    ) -> list[dict[str, Any]]:
        return [self.move]


def test_a_bot_cannot_break_the_rules() -> None:
    with pytest.raises(IllegalMove, match="play_first"):
        simulate(LOST_CITIES, 1, bots=(Cheat({"kind": "draw", "from": "deck"}),))
    with pytest.raises(Malformed):
        simulate(LOST_CITIES, 1, bots=(Cheat({"kind": "win"}),))


class Idler:
    """Swaps cards with the piles whenever it can, so that the deck hardly moves."""

    def choose(
        self, view: View, prompt: Question, chance: Chance, sample: Sample
    ) -> list[dict[str, Any]]:
        draws = [move for move in prompt.legal if move.get("from", "deck") != "deck"]
        discards = [move for move in prompt.legal if move["kind"] == "discard"]
        return [(draws or discards or list(prompt.legal))[0]]


def test_a_game_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "MOST_MOVES", 2000)
    with pytest.raises(EndlessGameError, match="lost_cities: no end after 2000 moves"):
        simulate(LOST_CITIES, 1, bots=(Idler(),))


def test_the_random_bot_makes_each_legal_move_equally_often() -> None:
    legal = tuple({"kind": "draw", "from": source} for source in "YBWG")
    question = simulating.Asked("draw", legal, open=False)
    chance = Chance(b"bot", 0)
    counts = dict.fromkeys("YBWG", 0)
    for _ in range(4000):
        (move,) = RandomBot().choose({}, question, chance, dict)
        counts[move["from"]] += 1
    assert all(880 < count < 1120 for count in counts.values())


def test_the_report_in_full() -> None:
    statistics = Statistics("lost_cities", 2, totals=[[], []], wins=[0, 0])
    for length, totals, ranking in [
        (200, (10, -3), (1, 2)),
        (100, (4, 4), (1, 1)),
        (240, (-20, 0), (2, 1)),
        (280, (30, 1), (1, 2)),
    ]:
        statistics.add(length, Outcome(ranking, totals, ({}, {}), "deck"))
    statistics.add(20, Outcome((2, 1), (None, None), ({}, {}), "conceded"))
    assert report(statistics).splitlines() == [
        "lost_cities: 5 games, 2 seats",
        "moves in a game: 20 to 280, mean 168.0, median 200",
        "ended by: deck 4, conceded 1",
        "shared first places: 1",
        "seat 0: won 2 (40%), points -20 to 30, mean 6.0, median 7",
        "seat 1: won 2 (40%), points -3 to 4, mean 0.5, median 0.5",
    ]


def test_the_report_of_no_games() -> None:
    assert report(simulate(LOST_CITIES, 0)) == "lost_cities: no games played"
