"""What a viewer is sent does not change when everything hidden from them is dealt again.

This finds a secret however it is hidden: as an order, a class, a length, a number. The house's
own table, scenes, JSON and pages are made of the true state and of guessed ones, and compared
byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from app.games.registry import registry
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

CODE = "bado-keli-mofu-tasi"
NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
PEOPLE = (Player(new_id(), "Ann"), Player(new_id(), "Bo"))
VIEWERS = (0, 1, None)
GUESSES = 3
EVENTS_TOLD = 12


class Dealt(LostCities):
    """Lost Cities that begins with a given state, after given events."""

    def __init__(self, state: State, events: Sequence[Event]) -> None:
        self._step = Step(state, tuple(events))

    def setup(self, seats: int, options: Mapping[str, Json], chance: Chance) -> Step[State]:
        return self._step


class Leaking(Dealt):
    """The same with a fault: the number of cards left depends on the top card of the deck."""

    def view(self, state: State, viewer: int | None) -> View:
        return {**super().view(state, viewer), "deck": 10 + RANK[state.deck[0]]}


@dataclass(frozen=True)
class Moment:
    """A state of a game and what was told lately on the way to it."""

    state: State
    events: tuple[Event, ...]


def moments(seed: int, options: dict[str, Json], every: int) -> Iterator[Moment]:
    """Plays a game by chance and stops now and then."""
    random = Random(seed)
    game = LostCities()
    advance = opened_with_events(game, 2, options, bytes([seed]) * 32)
    position: Position = advance.position
    events = [*advance.events]
    while not position.over:
        if position.v % every == 0:
            yield Moment(position.state, tuple(events[-EVENTS_TOLD:]))
        (seat,) = position.actors
        legal = position.asked[seat].prompt.legal
        move = random.choice(legal) if random.random() < 0.6 else legal[0]
        advance = played(position, seat, [move])
        position = advance.position
        events += advance.events


def told_otherwise(event: Event, viewer: int | None, state: State) -> Event:
    """Returns the event with others' secrets replaced by other ones."""
    other = {
        seat: facts if seat == viewer else dict.fromkeys(facts, state.deck[0])
        for seat, facts in event.secrets.items()
    }
    return replace(event, secrets=other)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(registry(LostCities()))


class Screen:
    """Everything the house makes for one viewer of a dealt game."""

    def __init__(self, renderer: Renderer, options: dict[str, Json]) -> None:
        self._renderer = renderer
        self._options = options
        # Never connected to: what is drawn here is not written.
        self._journal = Journal(Database(make_url("postgresql+asyncpg://nobody@nowhere/none")))

    def show(self, game: Dealt, viewer: int | None) -> dict[str, bytes]:
        """Returns all bytes, by where they would be sent."""
        deal = Deal(new_id(), CODE, game, 2, self._options, (None, None), bytes(32))
        table = Table(deal, self._journal, lambda _: None)
        # Another id each time, so that nothing drawn before is used again.
        room = Room(
            id=deal.room_id,
            code=CODE,
            game=game.meta.key,
            seats=2,
            options=self._options,
            host_id=PEOPLE[0].id,
            status="running",
            commitment="0" * 64,
            r=3,
            people=tuple(Seated(seat, who.id, who.name) for seat, who in enumerate(PEOPLE)),
            starting_until=None,
            created_at=NOW,
        )
        live = Live(room, table, Visits(lambda _: None))
        player = None if viewer is None else PEOPLE[viewer]
        scene = live.scene(viewer, player.id if player else None)
        page = self._renderer.room_page(scene, "en", url=f"https://h.test/r/{CODE}", player=player)
        lines = [line(told, viewer) for told in table.told()]
        log = self._renderer.log_page(scene, "en", lines=lines, more=False, player=player)
        cast = Cast(("Ann", "Bo"), (None, None), "0" * 64)
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
    renderer: Renderer, seed: int, options: dict[str, Json], kind: type[Dealt], every: int
) -> Iterator[tuple[str, bool, bool]]:
    """Returns, for each place, whether a guess differs from the truth at all, and on the wire."""
    screen = Screen(renderer, options)
    for number, moment in enumerate(moments(seed, options, every)):
        for viewer in VIEWERS:
            true = screen.show(kind(moment.state, moment.events), viewer)
            for k in range(GUESSES):
                chance = Chance(bytes([k]) * 32, number)
                state = LostCities().guess(moment.state, viewer, chance)
                events = [told_otherwise(event, viewer, state) for event in moment.events]
                guessed = screen.show(kind(state, events), viewer)
                assert guessed.keys() == true.keys()
                for where, sent in true.items():
                    yield where, state != moment.state, guessed[where] != sent


@pytest.mark.parametrize(
    "options",
    [
        {"colours": 5, "rounds": 1, "first": 0},
        {"colours": 6, "rounds": 3, "first": -1},
    ],
    ids=["one round", "three rounds"],
)
def test_nothing_that_is_sent_depends_on_what_is_hidden(
    renderer: Renderer, options: dict[str, Any]
) -> None:
    varied = 0
    for where, differs, shows in compare(renderer, 3, options, Dealt, every=29):
        varied += differs
        assert not shows, where
    assert varied > 100


def test_a_leak_would_be_found(renderer: Renderer) -> None:
    options = {"colours": 5, "rounds": 1, "first": 0}
    found = {where for where, _, shows in compare(renderer, 3, options, Leaking, 40) if shows}
    assert found >= {"json", "page", "region deck"}


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(8))
def test_nothing_that_is_sent_depends_on_what_is_hidden_in_more_games(
    renderer: Renderer, seed: int
) -> None:
    options = {"colours": 5 + seed % 2, "rounds": 1 + 2 * (seed % 2), "first": -1}
    for where, _, shows in compare(renderer, seed, options, Dealt, every=5):
        assert not shows, where
