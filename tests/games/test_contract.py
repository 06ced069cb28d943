"""What the types of the contract do by themselves, and what a game inherits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.games.contract import Event, IllegalMove, Malformed, Outcome
from app.games.registry import GAMES, registry
from tests.tiny.games import TEMPLATE, TINY, TORTURE


def test_an_event_tells_each_viewer_his_own_secrets() -> None:
    event = Event("drew", {"seat": 1, "left": 4}, {1: {"card": "R7"}})
    public = {"kind": "drew", "seat": 1, "left": 4}
    assert event.seen_by(1) == {**public, "card": "R7"}
    assert event.seen_by(0) == event.seen_by(None) == public


def test_what_a_viewer_sees_is_his_own_copy() -> None:
    event = Event("drew", {"seat": 1})
    event.seen_by(0)["card"] = "R7"
    assert event.seen_by(0) == {"kind": "drew", "seat": 1}


def test_values_of_the_contract_are_compared_by_what_is_in_them() -> None:
    assert Event("drew", {"seat": 1}) == Event("drew", {"seat": 1})
    assert Event("drew", {"seat": 1}) != Event("drew", {"seat": 0})


if TYPE_CHECKING:
    # Nobody assigns to their fields: mypy refuses it here, and would refuse a vain "ignore".
    Event("drew").kind = "played"  # type: ignore[misc]


def test_events_without_facts_share_nothing() -> None:
    assert Event("a").facts == {}
    assert Event("a").secrets is not Event("a").secrets


def test_an_outcome_on_the_wire() -> None:
    outcome = Outcome((2, 1), (3, None), ({"loot": 3}, {}), "rich", "token")
    assert outcome.wire() == {
        "ranking": [2, 1],
        "totals": [3, None],
        "scores": [{"loot": 3}, {}],
        "reason": "rich",
        "tie_break": "token",
    }


def test_an_illegal_move_carries_its_code_and_facts() -> None:
    refused = IllegalMove("wrong_sum", expected=6, got=7)
    assert (str(refused), refused.code) == ("wrong_sum", "wrong_sum")
    assert refused.facts == {"expected": 6, "got": 7}
    assert not issubclass(IllegalMove, ValueError)
    assert issubclass(Malformed, ValueError)


def test_the_registry_has_each_game_by_its_key() -> None:
    assert all(key == game.meta.key for key, game in GAMES.items())
    games = registry(TEMPLATE, TORTURE)
    assert list(games) == ["template", "torture"]
    assert dict(games) == dict(TINY)


def test_two_games_cannot_share_a_key() -> None:
    with pytest.raises(ValueError, match="different keys"):
        registry(TEMPLATE, TEMPLATE)


def test_a_game_has_nothing_to_keep_or_to_preview_unless_it_says_so() -> None:
    state = object()
    assert TEMPLATE.taken_back(state, 0, []) is state
    assert TEMPLATE.preview({}, {"kind": "keep"}) == {}
