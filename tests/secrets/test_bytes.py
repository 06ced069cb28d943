"""Nothing that was sent in a whole game tells anybody what they may not know."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson
import pytest

from app.games.registry import GAMES
from app.play.position import undoable
from tests.faults.houses import UNLIMITED
from tests.secrets.evening import Evening
from tests.secrets.hooks import secrets_of
from tests.secrets.reading import without_faces
from tests.secrets.recording import WATCHING, Heard, Recording, between
from tests.secrets.spellings import spellings, text_spellings
from tests.servers import Server

pytestmark = pytest.mark.servers

HISTORY = ("log", "speech", "notice", "result", "attack")
"""Regions that also tell what was; the others show what is."""


TWO_IN_A_ROW = "gold_hunting"
"""The game of which a second one, with the same people, is searched in the quick form too."""
SEARCHED = (
    *((key, 2 if key == TWO_IN_A_ROW else 1, 0) for key in GAMES),
    (TWO_IN_A_ROW, 2, 1),
    *(pytest.param((key, 2, 1), marks=pytest.mark.faults) for key in GAMES if key != TWO_IN_A_ROW),
)
"""Which games are searched: the key, how many are played in a row, which one of them it is."""


@pytest.fixture(scope="module", params=SEARCHED, ids=lambda one: f"{one[0]} {one[2] + 1}")
def searched(request: pytest.FixtureRequest) -> tuple[str, int, int]:
    """The game that is searched."""
    asked: tuple[str, int, int] = request.param
    return asked


@pytest.fixture(scope="module")
def server(shared_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house that logs everything it can."""
    folder = tmp_path_factory.mktemp("secrets")
    serving = Server(shared_database_url, folder, port=None, **UNLIMITED, LOG_LEVEL="DEBUG")
    with serving:
        yield serving


@pytest.fixture(scope="module")
def evenings() -> dict[tuple[str, int], list[Recording]]:
    """What was recorded so far."""
    return {}


@pytest.fixture(scope="module")
async def recordings(
    searched: tuple[str, int, int],
    evenings: dict[tuple[str, int], list[Recording]],
    server: Server,
    shared_database_url: str,
) -> list[Recording]:
    """Everything that was sent in games of the same people, one after the other."""
    key, games, _ = searched
    if (key, games) not in evenings:
        evening = Evening(key, games, server.url, shared_database_url)
        evenings[key, games] = await evening.record()
    return evenings[key, games]


@pytest.fixture
def recording(recordings: list[Recording], searched: tuple[str, int, int]) -> Recording:
    """Everything that was sent in one of them."""
    return recordings[searched[2]]


class Knowledge:
    """What a viewer may be told of by an entry: `now`, `ever`, and what is nobody else's."""

    def __init__(self, recording: Recording, seat: int | None, v: int) -> None:
        secrets = secrets_of(recording.where.game)
        self.ever: set[str] = set()
        for position in recording.positions[: max(v, -1) + 1]:
            self.now = secrets.known(position.state, seat)
            self.own = self.now - secrets.known(position.state, None)
            self.ever |= self.now
            for event in recording.told[position.v].events:
                # What lay open for a moment only, and what this seat alone was told.
                self.ever |= secrets.in_json(event.facts if event.kind in secrets.OPEN else {})
                self.ever |= secrets.in_json({} if seat is None else event.secrets.get(seat, {}))


@cache
def _knowledge(recording: Recording, seat: int | None, v: int) -> Knowledge:
    return Knowledge(recording, seat, v)


def knowledge(recording: Recording, heard: Heard) -> Knowledge:
    """Returns what may have been known to the one who heard something."""
    return _knowledge(recording, heard.seat, heard.v)


def is_json(heard: Heard) -> bool:
    return heard.where.startswith("socket") or b"content-type: application/json" in heard.head


def regions(data: dict[str, Any]) -> dict[str, str]:
    """Returns the HTML regions of a socket's message."""
    content = data.get("d") or {}
    found: dict[str, str] = content.get("regions", {})
    return found


def test_the_recording_is_of_a_whole_game_and_of_everybody(recording: Recording) -> None:
    wheres = {(heard.viewer, heard.where.split("?")[0]) for heard in recording.heard}
    for viewer in (*recording.seated, *WATCHING):
        for path in recording.where.addresses():
            assert (viewer, f"GET {path.split('?')[0]}") in wheres, (viewer, path)
        assert {where for who, where in wheres if who == viewer} >= {
            "socket motherlode.json.v1",
            "socket motherlode.html.v1",
        }
    assert recording.positions[-1].over
    before = [heard for heard in recording.heard if heard.v == -1]
    after = [heard for heard in recording.heard if heard.v == recording.last]
    assert len(before) > 100
    assert len(after) > 50


def test_moves_were_taken_back_where_that_was_possible(recording: Recording) -> None:
    could = [
        told.seq
        for position, told in zip(recording.positions, recording.told, strict=True)
        if told.seat is not None and told.seat in position.asked and undoable(position, told.seat)
    ]
    assert any(told.kind == "undo" for told in recording.told) == bool(could)


def test_no_seed_is_sent_before_the_end(recording: Recording) -> None:
    searched = {**recording.secrets, "game seed": recording.game_seed}
    words = {name: spellings(secret) for name, secret in searched.items()}
    for heard in between(recording.heard, recording.last):
        for name in searched:
            for part in (heard.head, heard.body):
                assert not any(word in part for word in words[name]), (name, heard.where)


def test_the_end_reveals_what_was_kept(recording: Recording) -> None:
    """The search would have found it: the same words are there once they are public."""
    told = [heard.body for heard in recording.heard if heard.v == recording.last]
    for name, secret in recording.secrets.items():
        assert any(word in body for word in spellings(secret) for body in told), name


def test_a_token_is_sent_to_its_owner_once_and_to_nobody_else(recordings: list[Recording]) -> None:
    everything = [heard for recording in recordings for heard in recording.heard]
    for owner, token in recordings[0].tokens.items():
        digest, given = spellings(hashlib.sha256(token.encode()).digest()), 0
        for heard in everything:
            for part in (heard.head, heard.body):
                assert not any(word in part for word in digest), (owner, heard.where)
                if any(word in part for word in text_spellings(token)):
                    given += 1
                    assert heard.where.startswith("POST"), (owner, heard.viewer, heard.where)
                    assert heard.v == -1
        assert given == 1, owner


def test_json_names_only_what_the_viewer_may_know(recording: Recording) -> None:
    secrets = secrets_of(recording.where.game)
    for heard in between(recording.heard, recording.last):
        if heard.v < 0 or not is_json(heard) or "openapi" in heard.where:
            continue
        known, data = knowledge(recording, heard), orjson.loads(heard.body)
        where = (heard.viewer, heard.where, heard.v)
        named_first = secrets.in_text(heard.asked.decode())
        if heard.asked.startswith(b"{"):
            named_first |= secrets.in_json(orjson.loads(heard.asked))
        assert secrets.in_json(data) <= known.ever | named_first, where
        shown = data.get("d") or data
        if shown.get("view"):
            assert secrets.in_json([shown["view"], shown["prompt"]]) <= known.now, where


def test_html_names_only_what_the_viewer_may_know(recording: Recording) -> None:
    secrets, seen = secrets_of(recording.where.game), 0
    for heard in between(recording.heard, recording.last):
        if heard.v < 0:
            continue
        where = (heard.viewer, heard.where, heard.v)
        known = knowledge(recording, heard)
        if "html" in heard.where:
            for name, html in regions(orjson.loads(heard.body)).items():
                seen += 1
                allowed = known.ever if name.startswith(HISTORY) else known.now
                assert secrets.in_text(html) <= allowed, (*where, name)
        elif heard.where.startswith("GET /r/") and b"text/html" in heard.head:
            seen += 1
            named = secrets.in_text(without_faces(heard.body.decode()))
            assert named <= known.ever, (where, named - known.ever)
    assert seen > 500


def test_what_only_i_may_know_is_on_my_page(recording: Recording) -> None:
    """The search would have found others' secrets: it finds one's own."""
    secrets, found = secrets_of(recording.where.game), 0
    for heard in between(recording.heard, recording.last):
        page = heard.where.startswith("GET /r/") and heard.where.count("/") == 2
        if heard.v >= 0 and heard.seat is not None and page and b"text/html" in heard.head:
            own = knowledge(recording, heard).own
            named = own & secrets.in_text(without_faces(heard.body.decode()))
            assert bool(named) == bool(own), heard.where
            found += len(named)
    assert found


def test_rules_and_descriptions_are_the_same_for_everybody_all_the_time(
    recording: Recording,
) -> None:
    for path in ("/openapi.json", "/healthz", "/readyz", "/robots.txt"):
        bodies = {heard.body for heard in recording.heard if heard.where == f"GET {path}"}
        assert len(bodies) == 1, path
    key = recording.where.game
    for path in (f"/rules/{key}", "/", f"/new/{key}"):
        for viewer in (*recording.seated, *WATCHING):
            mine = [h for h in recording.heard if h.where == f"GET {path}" and h.viewer == viewer]
            # A form that makes something has a random key, so that pressing twice makes it once.
            bodies = {re.sub(rb'name="once" value="[^"]+"', b"", heard.body) for heard in mine}
            assert len(bodies) == 1, (path, viewer)


async def test_the_log_of_the_server_tells_no_secret(server: Server, recording: Recording) -> None:
    said = server.output()
    assert "debug" in said.lower() or "info" in said.lower()
    data = said.encode()
    for secret in (recording.game_seed, *recording.secrets.values()):
        assert not any(word in data for word in spellings(secret))
    for token in recording.tokens.values():
        assert not any(word in data for word in text_spellings(token))
        digest = hashlib.sha256(token.encode()).digest()
        assert not any(word in data for word in spellings(digest))
    assert secrets_of(recording.where.game).in_text(said) == set()
