"""Odd frames and clients that do not read: nobody else notices."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from typing import Any

import orjson
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.config import Settings
from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, Person, started

pytestmark = pytest.mark.servers

FIRST = {"first": 0}
DECK = {"kind": "draw", "from": "deck"}
DEEP = "[" * 100_000
BIG = 10_000_000

ODD: list[Any] = [
    "null",
    "1",
    "[]",
    '""',
    "{}",
    "{",
    "NaN",
    '{"t":1}',
    '{"t":"move"}',
    '{"t":"move","id":"a","prompt":NaN,"moves":[{}]}',
    '{"t":"move","id":"a","prompt":1e400,"moves":[{}]}',
    '{"t":"move","id":"a","prompt":99999999999999999999,"moves":[{}]}',
    '{"t":"move","id":"a","prompt":true,"moves":[{}]}',
    '{"t":"move","id":"a","prompt":0,"moves":{}}',
    '{"t":"move","id":"a","prompt":0,"moves":[]}',
    '{"t":"move","id":"a","prompt":0,"moves":[null]}',
    '{"t":"move","id":"a","prompt":0,"moves":[{"kind":"play","card":"\\u0000"}]}',
    '{"t":"move","id":"a","prompt":0,"moves":[{"kind":"play","card":"\\ud800"}]}',
    '{"t":"move","id":"a","prompt":0,"moves":[{"kind":"play","card":"R7","cost":0}]}',
    '{"t":"move","id":"a","prompt":0,"moves":[{"kind":"play","card":123456789012345678}]}',
    '{"t":"move","id":"","prompt":0,"moves":[{}]}',
    '{"t":"move","id":"\\u0000","prompt":0,"moves":[{}]}',
    '{"t":"move","id":"' + "a" * 65 + '","prompt":0,"moves":[{}]}',
    '{"t":"move","id":"a","seat":"0","prompt":0,"moves":[{}]}',
    '{"t":"move","id":"a","seat":9999999999,"prompt":0,"moves":[{}]}',
    '{"t":"form","id":"a","prompt":0,"fields":[["card"]]}',
    '{"t":"form","id":"a","prompt":0,"fields":[["card",7]]}',
    '{"t":"form","id":"a","prompt":0,"fields":' + "[" + ",".join(['["a","b"]'] * 300) + "]}",
    '{"t":"do","id":"a","what":"win"}',
    '{"t":"reveal","r":"zz"}',
    '{"t":"reveal","r":{}}',
    DEEP,
    "x" * BIG,
    b"\x00\xff",
    b"{}",
]


async def answer_to(line: Line, frame: str | bytes) -> str | int | None:
    """Sends a frame; returns "refused", or the code with which the socket was closed."""
    try:
        await line.socket.send(frame)
        refused = await line.hear_of("refused")
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code
    return "refused" if refused["message"] else None


@pytest.mark.parametrize("frame", ODD, ids=lambda frame: repr(frame[:40]))
async def test_an_odd_frame_is_refused_or_ends_that_socket_only(
    arrive: Arrive, frame: str | bytes
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities", FIRST)
    async with ann.line(code) as odd, ann.line(code) as other:
        assert await answer_to(odd, frame) in {"refused", 1007, 1008, 1009}
        assert (await ann.get(f"/rooms/{code}/view")).json()["v"] == 0
        await other.move(other.prompt["legal"][-1], DECK)
        await other.hear_state(v=1)


async def test_bytes_that_are_no_text_end_that_socket(arrive: Arrive) -> None:
    ann = await arrive("Ann")
    code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    async with ann.line(code) as line:
        await line.socket.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed):
            await line.hear_of("refused")


class TestTooFast:
    @pytest.fixture
    def house_settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"moves_per_second": 5})

    async def test_who_sends_too_fast_is_closed_and_told(self, arrive: Arrive) -> None:
        ann = await arrive("Ann")
        code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
        async with ann.line(code) as line:
            for _ in range(30):
                await line.say({"t": "ping"})
            with pytest.raises(ConnectionClosed) as closed:
                await line.hear(lambda _: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008

    async def test_more_sockets_do_not_make_anybody_faster(self, arrive: Arrive) -> None:
        ann, bo = await arrive("Ann"), await arrive("Bo")
        code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
        async with bo.line(code) as theirs, AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(ann.line(code)) for _ in range(5)]
            for line in lines:
                for _ in range(4):
                    await line.say({"t": "ping"})
            closed = 0
            for line in lines:
                with suppress(TimeoutError, ConnectionClosed):
                    async with asyncio.timeout(0.5):
                        await line.socket.wait_closed()
                closed += line.socket.close_code == 1008
            assert closed >= 2
            await theirs.say({"t": "ping"})
            assert await theirs.hear_of("pong")


class TestACrowd:
    @pytest.fixture
    def house_settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"sockets_per_address": 2})

    async def test_one_address_opens_only_so_many_sockets(self, arrive: Arrive) -> None:
        ann = await arrive("Ann")
        code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
        async with ann.line(code), ann.line(code):
            with pytest.raises(InvalidStatus) as refused:
                async with ann.line(code):
                    pass
            assert refused.value.response.status_code == 429
            assert refused.value.response.headers["Retry-After"] == "60"
        async with ann.line(code) as line:
            assert line.state


class TestAnAddress:
    @pytest.fixture
    def house_settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"messages_per_second": 20, "requests_per_minute": 60})

    async def test_one_address_sends_only_so_many_messages(self, arrive: Arrive) -> None:
        """More players of one address do not make it faster, nor do people without a name."""
        ann = await arrive("Ann")
        code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
        stranger = Person(ann.url, None, ann.http)
        async with ann.line(code) as one, stranger.line(code) as two:
            for line in (one, two):
                with suppress(ConnectionClosed):
                    for _ in range(30):
                        await line.say({"t": "ping"})
            for line in (one, two):
                with pytest.raises(ConnectionClosed) as closed:
                    await line.hear(lambda _: False)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1013

    async def test_handshakes_are_requests_too(self, arrive: Arrive) -> None:
        ann = await arrive("Ann")
        answers = []
        for _ in range(5):
            with pytest.raises(InvalidStatus) as refused:
                async with ann.line("bado-bado-bado-bado"):
                    pass
            answers.append(refused.value.response)
        assert [answer.status_code for answer in answers[:2]] == [404, 404]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["Retry-After"]) > 0
        assert orjson.loads(answers[-1].body or b"")["code"] == "too_fast"


async def test_every_message_of_a_burst_is_answered(arrive: Arrive) -> None:
    ann = await arrive("Ann")
    code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    async with ann.line(code) as line:
        for _ in range(90):
            await line.say({"t": "ping"})
        for number in range(90):
            message = {"t": "move", "id": f"m{number}", "prompt": 0, "moves": [{}]}
            await line.say(message)
        for _ in range(90):
            await line.hear_of("pong")
        heard = [(await line.hear_of("refused"))["id"] for _ in range(90)]
        assert heard == [f"m{number}" for number in range(90)]


async def play_turns(lines: list[Line], turns: int) -> None:
    """Plays whole turns, discarding and drawing from the deck."""
    for turn in range(turns):
        mover = lines[turn % 2]
        v = mover.state["v"] + 1
        await mover.move(mover.prompt["legal"][-1], DECK)
        for line in lines:
            await line.hear_state(v=v)


async def test_a_client_that_never_reads_delays_nobody(arrive: Arrive) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities", FIRST)
    async with (
        ann.line(code) as one,
        bo.line(code) as two,
        bo.line(code, max_queue=1) as deaf,
    ):
        deaf.socket.transport.pause_reading()
        await asyncio.wait_for(play_turns([one, two], 30), timeout=20)
        deaf.socket.transport.abort()


async def test_a_slow_reader_gets_the_newest_state(arrive: Arrive) -> None:
    """States that could not be sent are replaced, so that the queue cannot grow."""
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities", FIRST)
    async with ann.line(code) as one, bo.line(code) as two, bo.line(code, max_queue=1) as slow:
        await play_turns([one, two], 30)
        state = await slow.hear_state(v=30)
        assert state["d"]["view"] == two.state["d"]["view"]


async def test_what_one_person_loses_is_looked_up_at_every_send(
    arrive: Arrive,
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = (await ann.post("/rooms", {"game": "lost_cities", "seats": 2})).json()["code"]
    await bo.post(f"/rooms/{code}/seats")
    async with bo.line(code) as line:
        assert line.state["d"]["room"]["you"] == 1
        removed = await ann.http.post(
            f"{ann.url}/r/{code}/remove", data={"seat": "1"}, headers=ann.headers
        )
        assert removed.status_code == 303
        state = await line.hear(lambda message: message["t"] == "state" and message["r"] > 1)
        assert state["d"]["room"]["you"] is None


async def test_no_batch_fails_with_a_strangers_move(arrive: Arrive) -> None:
    """Moves of other rooms in the same moment are written, whatever one socket sends."""
    ann, bo = await arrive("Ann"), await arrive("Bo")
    rooms = [await started([ann, bo], "lost_cities", FIRST) for _ in range(4)]

    async def good(code: str) -> None:
        async with ann.line(code) as one, bo.line(code) as two:
            await play_turns([one, two], 10)

    async def odd(code: str) -> None:
        async with ann.line(code) as line:
            for frame in ODD[:-4]:
                await line.socket.send(frame)
                await line.hear_of("refused")

    await asyncio.gather(*(good(code) for code in rooms[:-1]), odd(rooms[-1]))
