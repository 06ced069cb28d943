"""Nothing that was sent in a whole game tells anybody what they may not know."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson
import pytest

from app.games.lost_cities.cards import RANK
from tests.faults.houses import UNLIMITED
from tests.secrets.cards import in_json, in_text, numbers_in_order, pieces, without_faces
from tests.secrets.recording import (
    SEATED,
    SERVER_SEED,
    WATCHING,
    Evening,
    Heard,
    R,
    Recording,
    addresses,
    between,
)
from tests.secrets.spellings import spellings, text_spellings
from tests.servers import Server

pytestmark = pytest.mark.xdist_group("recorded_game")

BOARD = ("prompt", "deck", "undo", "turn", "players", "column-")
"""Regions that show the round as it is; the others also tell what was."""


@pytest.fixture(scope="module")
def server(shared_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house that logs everything it can."""
    folder = tmp_path_factory.mktemp("secrets")
    serving = Server(shared_database_url, folder, port=None, **UNLIMITED, LOG_LEVEL="DEBUG")
    with serving:
        yield serving


@pytest.fixture(scope="module")
async def recording(server: Server, shared_database_url: str) -> Recording:
    """Everything that was sent in the seeded game."""
    return await Evening(server.url, shared_database_url).record()


class Knowledge:
    """What a viewer may have seen by an entry: cards of this round, of any, and its own hand."""

    def __init__(self, recording: Recording, seat: int | None, v: int) -> None:
        self.now: set[str] = set()
        self.ever: set[str] = set()
        self.hand: list[str] = []
        self.board: Counter[str] = Counter()
        round_number = 0
        for position in recording.positions[: max(v, -1) + 1]:
            state = position.state
            if state.round != round_number:
                self.now, round_number = set(), state.round
            lying = [card for own in state.expeditions for cards in own for card in cards]
            lying += [card for pile in state.piles for card in pile]
            self.hand = list(state.hands[seat]) if seat is not None else []
            self.now |= {*lying, *self.hand}
            self.ever |= self.now
            for event in recording.told[position.v].events:
                # A card that was laid down as a round ended lies nowhere after its entry.
                open_facts = event.facts if event.kind in {"played", "discarded"} else {}
                secret = {} if seat is None else event.secrets.get(seat, {})
                self.ever |= in_json([open_facts.get("card"), secret])
            tops = [pile[-1] for pile in state.piles if pile]
            self.board = Counter(c for own in state.expeditions for cards in own for c in cards)
            self.board.update(tops)


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
    for viewer in (*SEATED, *WATCHING):
        for path in addresses():
            assert (viewer, f"GET {path.split('?')[0]}") in wheres, (viewer, path)
        assert {where for who, where in wheres if who == viewer} >= {
            "socket motherlode.json.v1",
            "socket motherlode.html.v1",
        }
    kinds = Counter(told.kind for told in recording.told)
    assert recording.positions[-1].over
    assert recording.positions[-1].state.round == 3
    assert kinds["undo"] > 3
    assert kinds["move"] > 100
    before = [heard for heard in recording.heard if heard.v == -1]
    after = [heard for heard in recording.heard if heard.v == recording.last]
    assert len(before) > 100
    assert len(after) > 50


SECRETS = {
    "server seed": spellings(SERVER_SEED),
    "Ann's part": spellings(R[0]),
    "Bo's part": spellings(R[1]),
}


def test_no_seed_is_sent_before_the_end(recording: Recording) -> None:
    searched = {**SECRETS, "game seed": spellings(recording.game_seed)}
    for heard in between(recording.heard, recording.last):
        for name, words in searched.items():
            for part in (heard.head, heard.body):
                assert not any(word in part for word in words), (name, heard.viewer, heard.where)


def test_the_end_reveals_what_was_kept(recording: Recording) -> None:
    """The search would have found it: the same words are there once they are public."""
    told = [heard.body for heard in recording.heard if heard.v == recording.last]
    for name, words in SECRETS.items():
        assert any(word in body for word in words for body in told), name


def test_a_token_is_sent_to_its_owner_once_and_to_nobody_else(recording: Recording) -> None:
    for owner, token in recording.tokens.items():
        digest = hashlib.sha256(token.encode()).digest()
        given = 0
        for heard in recording.heard:
            for part in (heard.head, heard.body):
                assert not any(word in part for word in spellings(digest)), (owner, heard.where)
                if any(word in part for word in text_spellings(token)):
                    given += 1
                    assert heard.where.startswith("POST"), (owner, heard.viewer, heard.where)
                    assert heard.v == -1
        assert given == 1, owner


def test_json_names_only_cards_that_the_viewer_has_seen(recording: Recording) -> None:
    for heard in between(recording.heard, recording.last):
        if heard.v < 0 or not is_json(heard) or "openapi" in heard.where:
            continue
        known, data = knowledge(recording, heard), orjson.loads(heard.body)
        where = (heard.viewer, heard.where, heard.v)
        assert in_json(data) <= known.ever | in_text(heard.asked.decode()), where
        shown = data.get("d") or data
        if shown.get("view"):
            assert in_json([shown["view"], shown["prompt"]]) <= known.now, where
            assert shown["view"]["hand"] == known.hand, where
        deck = [RANK[card] for card in recording.positions[heard.v].state.deck[:4]]
        for numbers in numbers_in_order(data):
            assert deck != numbers[: len(deck)] or len(deck) < 4, where


def test_events_tell_a_card_from_the_deck_to_its_owner_only(recording: Recording) -> None:
    told = 0
    for heard in between(recording.heard, recording.last):
        if heard.v < 0 or not is_json(heard):
            continue
        for event in events(orjson.loads(heard.body)):
            if event["kind"] == "drew" and event["from"] == "deck":
                told += 1
                assert ("card" in event) == (event["seat"] == heard.seat), heard.where
    assert told > 500


def events(data: Any) -> Iterator[dict[str, Any]]:
    """Returns all events anywhere in JSON data."""
    if isinstance(data, dict):
        if "kind" in data and "from" in data and "left" in data:
            yield data
        for value in data.values():
            yield from events(value)
    elif isinstance(data, list):
        for value in data:
            yield from events(value)


def test_html_names_only_cards_that_the_viewer_has_seen(recording: Recording) -> None:
    seen = 0
    for heard in between(recording.heard, recording.last):
        if heard.v < 0:
            continue
        where = (heard.viewer, heard.where, heard.v)
        known = knowledge(recording, heard)
        if "html" in heard.where:
            for name, html in regions(orjson.loads(heard.body)).items():
                seen += 1
                allowed = known.now if name.startswith(BOARD) else known.ever
                assert in_text(html) <= allowed, (*where, name)
        elif heard.where.startswith("GET /r/") and b"text/html" in heard.head:
            seen += 1
            assert in_text(without_faces(heard.body.decode())) <= known.ever, where
    assert seen > 1000


def test_exactly_the_open_cards_and_the_own_hand_lie_on_a_page(recording: Recording) -> None:
    """No card more and none less, not even one that is hidden by style."""
    pages = 0
    for heard in between(recording.heard, recording.last):
        page = heard.where.startswith("GET /r/") and heard.where.count("/") == 2
        if heard.v >= 0 and page and b"text/html" in heard.head:
            pages += 1
            known = knowledge(recording, heard)
            assert pieces(heard.body.decode()) == known.board + Counter(known.hand), heard
    assert pages > 10


def test_rules_and_descriptions_are_the_same_for_everybody_all_the_time(
    recording: Recording,
) -> None:
    for path in ("/openapi.json", "/healthz", "/readyz", "/robots.txt"):
        bodies = {heard.body for heard in recording.heard if heard.where == f"GET {path}"}
        assert len(bodies) == 1, path
    for path in ("/rules/lost_cities", "/", "/new/lost_cities"):
        for viewer in (*SEATED, *WATCHING):
            mine = [h for h in recording.heard if h.where == f"GET {path}" and h.viewer == viewer]
            # A form that makes something has a random key, so that pressing twice makes it once.
            bodies = {re.sub(rb'name="once" value="[^"]+"', b"", heard.body) for heard in mine}
            assert len(bodies) == 1, (path, viewer)


async def test_the_log_of_the_server_tells_no_secret(server: Server, recording: Recording) -> None:
    said = server.output()
    assert "debug" in said.lower() or "info" in said.lower()
    data = said.encode()
    for secret in (SERVER_SEED, recording.game_seed, *R):
        assert not any(word in data for word in spellings(secret))
    for token in recording.tokens.values():
        assert not any(word in data for word in text_spellings(token))
        digest = hashlib.sha256(token.encode()).digest()
        assert not any(word in data for word in spellings(digest))
    assert in_text(said) == set()
