"""Frames of every shape, most of them nearly right, at a table of each game."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.games.registry import GAMES
from app.realtime.protocol import DEEDS
from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, started

pytestmark = [
    pytest.mark.servers,
    # The house beside the test may draw from Python's own chance meanwhile.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module"),
]

KINDS = ("move", "form", "do", "reveal", "chat", "react", "lines", "seat", "seen", "ping", "sync")
WORDS = ["", "deck", "play", "draw", "<script>", "\u202e", "\x00", "9" * 30, "x" * 400, *DEEDS]
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 99),
    st.sampled_from([2**31, -(2**31), 2**63, -(2**63), 2**64, 10**40, 1e300, -0.0, 0.5]),
    st.sampled_from(WORDS),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
ANY = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(WORDS), inner),
    max_leaves=8,
)


@st.composite
def spoilt(draw: st.DrawFn, value: Any) -> Any:
    """A value with something in it exchanged, left out, doubled or added; or as it is."""
    if draw(st.integers(0, 3)) == 0:
        return draw(ANY)
    match value:
        case dict():
            kept = {key: draw(spoilt(part)) for key, part in value.items() if draw(st.booleans())}
            return kept | draw(st.dictionaries(st.sampled_from(WORDS), ANY, max_size=1))
        case list():
            parts = [draw(spoilt(part)) for part in value]
            return parts * draw(st.sampled_from([1, 1, 0, 2, 9]))
    return value


@st.composite
def frames(draw: st.DrawFn, prompt: int, moves: list[Any]) -> dict[str, Any]:
    """A frame: each of its fields is right, nearly right or anything."""
    fields = {
        "t": st.sampled_from(KINDS),
        "id": st.sampled_from(["a", "b-1"]),
        "prompt": st.just(prompt),
        "moves": st.lists(st.sampled_from(moves).flatmap(spoilt), max_size=2),
        "fields": st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), max_size=4),
        "what": st.sampled_from(WORDS),
        "text": st.sampled_from(WORDS),
        "seat": st.none() | st.integers(-2, 5),
        "of": st.none() | st.integers(-2, 5),
        "after": ODD,
        "r": st.sampled_from(["00" * 32, *WORDS]),
    }
    made = {}
    for name, right in fields.items():
        how = draw(st.integers(0, 9))
        if how < 9:
            made[name] = draw(right if how < 8 else ANY)
    return made


def written(frame: dict[str, Any]) -> str:
    """A frame as JSON; numbers may be longer than orjson writes them."""
    return json.dumps(frame)


async def unharmed(line: Line, frame: dict[str, Any]) -> None:
    """Sends a frame, then a ping: what comes until the pong is no fault of ours."""
    await line.socket.send(written(frame))
    await line.say({"t": "ping"})
    while True:
        heard = await line.hear(lambda _: True)
        assert heard.get("code") not in {"failed", "not_drawn"}, frame
        if heard["t"] == "pong":
            break
    if frame.get("t") == "ping":
        await line.hear_of("pong")


@pytest.mark.parametrize("examples", [40, pytest.param(3_000, marks=pytest.mark.faults)])
@pytest.mark.parametrize("game", list(GAMES))
async def test_no_frame_is_our_fault(
    arrive: Arrive, caplog: pytest.LogCaptureFixture, game: str, examples: int
) -> None:
    ann, bo, eve = [await arrive(name) for name in ("Ann", "Bo", "Eve")]
    code = await started([ann, bo], game)
    loop = asyncio.get_running_loop()
    async with ann.line(code) as one, bo.line(code) as two, eve.line(code) as watcher:
        lines = {"one": one, "two": two, "watcher": watcher}
        asked = next(line for line in (one, two) if line.state["d"]["prompt"])
        legal = orjson.loads(orjson.dumps(asked.prompt["legal"]))[:50]

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=examples < 100,
            suppress_health_check=list(HealthCheck),
        )
        @given(who=st.sampled_from(list(lines)), frame=frames(asked.prompt["n"], legal))
        def press(who: str, frame: dict[str, Any]) -> None:
            asyncio.run_coroutine_threadsafe(unharmed(lines[who], frame), loop).result(30)

        with caplog.at_level(logging.WARNING):
            await asyncio.to_thread(press)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    shown = [(await person.get(f"/rooms/{code}/view")).json() for person in (ann, bo, eve)]
    assert len({view["v"] for view in shown}) == 1
