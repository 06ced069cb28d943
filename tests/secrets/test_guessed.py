"""What a viewer is sent does not change when everything hidden from them is dealt again.

This finds a secret however it is hidden: as an order, a class, a length, a number. The house's
own table, scenes, JSON and pages are made of the true state and of guessed ones, and compared
byte by byte. Every registered game is tried, with each number of seats and each option.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import orjson
import pytest
from sqlalchemy.engine import make_url

from app.database import Database, new_id
from app.games.chance import Chance
from app.games.contract import Event, Json, Step, View
from app.games.lost_cities.cards import RANK
from app.games.lost_cities.rules import LostCities
from app.games.lost_cities.state import State
from app.games.registry import GAMES, AnyGame
from app.play.journal import Journal
from app.play.opening import Deal, opening
from app.play.position import Position, opened_with_events, played
from app.play.record import Cast, partial_record
from app.play.table import Table
from app.players.service import Player
from app.realtime.live import Live
from app.realtime.scene import line
from app.realtime.visits import Visits
from app.rooms.room import Room, Seated
from app.web.render import Renderer
from tests.conformance.driver import every_setting

CODE = "bado-keli-mofu-tasi"
NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
PEOPLE = tuple(Player(new_id(), name) for name in NAMES)
EVENTS_TOLD = 12
MOST_ENTRIES = 400

Setting = tuple[int, dict[str, Json]]
"""A number of seats, and options."""


def dealt(game: AnyGame, state: Any, events: Sequence[Event]) -> AnyGame:
    """Returns the game, but such that it begins with a given state, after given events."""
    step = Step(state, tuple(events))
    same: AnyGame = type("Dealt", (type(game),), {"setup": lambda *_: step})()
    return same


class Leaking(LostCities):
    """Lost Cities with a fault: the number of cards left depends on the top card of the deck."""

    def view(self, state: State, viewer: int | None) -> View:
        return {**super().view(state, viewer), "deck": 10 + RANK[state.deck[0]]}


@dataclass(frozen=True)
class Moment:
    """A state of a game and what was told lately on the way to it."""

    state: Any
    events: tuple[Event, ...]


def moments(game: AnyGame, setting: Setting, seed: int, every: int) -> Iterator[Moment]:
    """Plays a game by chance and stops now and then."""
    random = Random(seed)
    advance = opened_with_events(game, *setting, bytes([seed]) * 32)
    position: Position = advance.position
    events = [*advance.events]
    while not position.over and position.v < MOST_ENTRIES:
        if position.v % every == 0:
            yield Moment(position.state, tuple(events[-EVENTS_TOLD:]))
        seat = random.choice(position.actors)
        legal = position.asked[seat].prompt.legal
        move = random.choice(legal) if random.random() < 0.6 else legal[0]
        advance = played(position, seat, [move])
        position = advance.position
        events += advance.events


def told_otherwise(event: Event, viewer: int | None) -> Event:
    """Returns the event with others' secrets replaced by other ones."""
    other = {
        seat: facts if seat == viewer else dict.fromkeys(facts, "another")
        for seat, facts in event.secrets.items()
    }
    return replace(event, secrets=other)


class Screen:
    """Everything the house makes for one viewer of a dealt game.

    `shared`: all play on one device, and the page without a seat is that device, covered.
    """

    def __init__(self, renderer: Renderer, setting: Setting, *, shared: bool = False) -> None:
        self._renderer = renderer
        self._seats, self._options = setting
        self._shared = shared
        # Never connected to: what is drawn here is not written.
        self._journal = Journal(Database(make_url("postgresql+asyncpg://nobody@nowhere/none")))

    def show(self, game: AnyGame, viewer: int | None) -> dict[str, bytes]:
        """Returns all bytes, by where they would be sent."""
        deal = Deal(
            new_id(), CODE, game, self._seats, self._options, (None,) * self._seats, bytes(32)
        )
        people = PEOPLE[: self._seats]
        table = Table(deal, self._journal, lambda _: None)
        # Another id each time, so that nothing drawn before is used again.
        room = Room(
            id=deal.room_id,
            code=CODE,
            game=game.meta.key,
            seats=self._seats,
            options=self._options,
            host_id=PEOPLE[0].id,
            status="running",
            commitment="0" * 64,
            r=3,
            people=tuple(
                Seated(seat, (PEOPLE[0] if self._shared else who).id, who.name)
                for seat, who in enumerate(people)
            ),
            starting_until=None,
            created_at=NOW,
        )
        live = Live(room, table, Visits(lambda _: None))
        player = PEOPLE[0] if self._shared else None if viewer is None else PEOPLE[viewer]
        scene = live.scene(viewer, player.id if player else None)
        page = self._renderer.room_page(scene, "en", url=f"https://h.test/r/{CODE}", player=player)
        lines = [line(told, viewer) for told in table.told()]
        log = self._renderer.log_page(scene, "en", lines=lines, more=False, player=player)
        cast = Cast(NAMES[: self._seats], deal.r, "0" * 64)
        record = partial_record(cast, [opening(deal, NOW)], table.told(), viewer)
        return {
            "json": orjson.dumps(live.content(viewer, -1, -1)),
            "page": page.encode(),
            "log": log.encode(),
            "record": orjson.dumps(record),
            **{
                f"region {name}": html.encode()
                for name, html in self._renderer.regions(scene, "en").items()
            },
        }


def compare(
    renderer: Renderer,
    game: AnyGame,
    setting: Setting,
    seed: int,
    every: int,
    *,
    guesses: int = 1,
    shared: bool = False,
) -> Iterator[tuple[str, bool, bool]]:
    """Returns, for each place, whether a guess differs from the truth at all, and on the wire."""
    screen = Screen(renderer, setting, shared=shared)
    viewers = (None,) if shared else (*range(setting[0]), None)
    for number, moment in enumerate(moments(game, setting, seed, every)):
        for viewer in viewers:
            true = screen.show(dealt(game, moment.state, moment.events), viewer)
            for k in range(guesses):
                chance = Chance(bytes([k]) * 32, number)
                state = game.guess(moment.state, viewer, chance)
                events = [told_otherwise(event, viewer) for event in moment.events]
                guessed = screen.show(dealt(game, state, events), viewer)
                assert guessed.keys() == true.keys()
                for where, sent in true.items():
                    yield where, state != moment.state, guessed[where] != sent


@pytest.mark.parametrize("key", list(GAMES))
def test_nothing_that_is_sent_depends_on_what_is_hidden(renderer: Renderer, key: str) -> None:
    varied = 0
    for setting in every_setting(GAMES[key]):
        for where, differs, shows in compare(renderer, GAMES[key], setting, 3, every=110):
            varied += differs
            assert not shows, (setting, where)
    assert varied > 100


@pytest.mark.parametrize("key", list(GAMES))
def test_a_covered_device_shows_nothing_that_is_hidden(renderer: Renderer, key: str) -> None:
    """Between two turns nothing depends on what the people at it hold."""
    varied = 0
    for setting in every_setting(GAMES[key]):
        for where, differs, shows in compare(
            renderer, GAMES[key], setting, 4, every=110, shared=True
        ):
            varied += differs and where == "page"
            assert not shows, (setting, where)
    assert varied


def test_a_leak_would_be_found(renderer: Renderer) -> None:
    setting = (2, {"colours": 5, "rounds": 1, "first": 0})
    found = {where for where, _, shows in compare(renderer, Leaking(), setting, 3, 40) if shows}
    assert found >= {"json", "page", "region deck"}


@pytest.mark.faults
@pytest.mark.parametrize("key", list(GAMES))
@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_is_sent_depends_on_what_is_hidden_in_more_games(
    renderer: Renderer, key: str, seed: int
) -> None:
    # A quarter of the settings for each seed: all of them are tried.
    for setting in every_setting(GAMES[key])[seed::4]:
        for where, _, shows in compare(renderer, GAMES[key], setting, seed, 11, guesses=2):
            assert not shows, (setting, where)
