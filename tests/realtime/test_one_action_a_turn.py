"""Splendor over real sockets: one whole action a turn, and a refused one hands over nothing."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, Person, started

OPTIONS = {"first": 0}
ACTIONS: list[dict[str, Any]] = [
    {"kind": "take", "gems": ["white", "blue", "green"]},
    {"kind": "take", "gems": ["red", "red"]},
    {"kind": "reserve", "deck": 1},
]
TOO_LITTLE: list[dict[str, Any]] = [
    {"kind": "take", "gems": ["white"]},
    {"kind": "take", "gems": ["white", "blue"]},
]
NO_CARD: list[tuple[dict[str, Any], str]] = [
    ({"kind": "reserve", "card": 90}, "malformed"),
    ({"kind": "reserve", "card": -1}, "malformed"),
    ({"kind": "reserve", "deck": 4}, "malformed"),
    ({"kind": "reserve", "card": "7"}, "malformed"),
]


@pytest.fixture
async def both(arrive: Arrive) -> list[Person]:
    return [await arrive("Ann"), await arrive("Bo")]


async def test_two_actions_in_one_message_are_none(both: list[Person]) -> None:
    code = await started(both, "splendor", OPTIONS)
    async with both[0].line(code) as line:
        before = line.state["d"]["view"]
        for first, second in product(ACTIONS, repeat=2):
            await line.move(first, second)
            refused = await line.hear_of("refused")
            assert (refused["code"], refused["index"]) == ("not_asked", 1)
            assert await shown(line) == before


async def test_a_second_action_and_parts_of_one_are_refused(both: list[Person]) -> None:
    code = await started(both, "splendor", OPTIONS)
    async with both[0].line(code) as line:
        before = line.state["d"]["view"]
        for part in TOO_LITTLE:
            await line.move(part)
            assert (await line.hear_of("refused"))["code"] == "take_how_many"
        assert await shown(line) == before
        asked = line.prompt["n"]
        await line.move(ACTIONS[0])
        after = (await line.hear_state(v=1))["d"]["view"]
        for second in ACTIONS:
            message = {"t": "move", "id": f"again{ACTIONS.index(second)}", "moves": [second]}
            await line.say(message | {"prompt": asked})
            assert (await line.hear_of("refused"))["code"] in {"not_asked", "stale"}
        assert await shown(line) == after


async def test_a_refused_reserve_hands_over_no_gold(both: list[Person]) -> None:
    code = await started(both, "splendor", OPTIONS)
    async with both[0].line(code) as mine, both[1].line(code) as theirs:
        before = mine.state["d"]["view"]
        hidden = next(n for n in range(40) if n not in before["market"]["1"])
        for move, why in (*NO_CARD, ({"kind": "reserve", "card": hidden}, "card_not_there")):
            await mine.move(move)
            assert (await mine.hear_of("refused"))["code"] == why
        await theirs.say({"t": "move", "id": "mine", "prompt": 0, "moves": [ACTIONS[2]]})
        assert (await theirs.hear_of("refused"))["code"] == "not_asked"
        assert await shown(mine) == before
        assert before["bank"]["gold"] == 5


async def shown(line: Line) -> Any:
    """Asks for the state anew and returns what it shows of the game."""
    await line.say({"t": "sync"})
    return (await line.hear_state())["d"]["view"]
