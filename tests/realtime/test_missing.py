"""Who is away or out of time: what the others are offered, what bots do, and coming back."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg
import pytest
from sqlalchemy.engine import make_url

from app.config import Settings
from app.realtime.protocol import HTML_PROTOCOL
from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, Message, Person

AWAY, SILENT = 0.4, 1.2
FIRST = {"first": 0}


@pytest.fixture
def house_settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"away_seconds": AWAY, "silent_seconds": SILENT})


@pytest.fixture
async def pair(arrive: Arrive) -> tuple[Person, Person]:
    """Ann, who begins, and Bo."""
    return await arrive("Ann"), await arrive("Bo")


async def begun(people: tuple[Person, ...], settings: Settings, clock: float | None = None) -> str:
    """Returns the code of a game of Lost Cities; `clock` in seconds, as no host can choose it."""
    host, *guests = people
    opened = {"game": "lost_cities", "seats": len(people), "options": FIRST}
    made = await host.post("/rooms", opened | ({"clock": 60} if clock else {}))
    code: str = made.raise_for_status().json()["code"]
    if clock:
        url = make_url(str(settings.database_url)).set(drivername="postgresql")
        link = await asyncpg.connect(url.render_as_string(hide_password=False))
        await link.execute("update rooms set clock_seconds = $1 where code = $2", clock, code)
        await link.close()
    for guest in guests:
        (await guest.post(f"/rooms/{code}/seats")).raise_for_status()
    (await host.post(f"/rooms/{code}/start")).raise_for_status()
    return code


def room_of(message: Message) -> Any:
    return message["d"]["room"]


def missing(*seats: tuple[int, bool]) -> Any:
    """Tells whether a state says that these seats, and whether late, are missing."""
    wanted = [{"seat": seat, "late": late} for seat, late in seats]
    return lambda message: message["t"] == "state" and room_of(message)["missing"] == wanted


def bots(*seats: int) -> Any:
    def told(message: Message) -> bool:
        people = room_of(message)["people"] if message["t"] == "state" else []
        return bool(people) and [one["seat"] for one in people if one["bot"]] == [*seats]

    return told


async def does(line: Line, what: str, **more: Any) -> str:
    """Sends a deed and returns `ok`, or the code of the refusal."""
    move_id = f"{what}-{len(line.heard)}"
    await line.say({"t": "do", "id": move_id, "what": what, **more})
    message = await line.hear(
        lambda one: one["t"] == "refused" or (one["t"] == "state" and one["ack"] == move_id)
    )
    return str(message.get("code", "ok"))


async def test_a_bot_plays_for_who_is_away_until_they_are_back(
    pair: tuple[Person, Person], house_settings: Settings
) -> None:
    ann, bo = pair
    code = await begun(pair, house_settings)
    async with bo.line(code) as line:
        assert await does(line, "bot", of=0) == "not_away"
        for what in ("bot", "wait"):
            assert await does(line, what, of=99) == "no_such_seat"
        assert await does(line, "bot", of=1) == "not_away"
        await line.hear(missing((0, False)))
        assert await does(line, "bot", of=0) == "ok"
        assert bots(0)(line.state)
        assert room_of(line.state)["missing"] == []
        moved = await line.hear_state(v=line.state["v"] + 1)
        assert [entry["entry"] for entry in moved["d"]["events"]] == ["move"]
        async with ann.line(code) as mine:
            await line.hear(bots())
            await mine.hear(bots())
            told = [e["events"] for m in line.heard if m["t"] == "state" for e in m["d"]["events"]]
            handed = [
                event for events in told for event in events if event["kind"] == "seat_handed"
            ]
            assert handed == [
                {"kind": "seat_handed", "seat": 0, "plays": "bot", "by": 1},
                {"kind": "seat_handed", "seat": 0, "plays": "player"},
            ]
            v = line.state["v"]
            await asyncio.sleep(1.2)
            await line.say({"t": "sync"})
            assert (await line.hear_state())["v"] == v, "the bot plays no longer"


async def test_nobody_is_missed_while_they_are_not_asked(
    pair: tuple[Person, Person], house_settings: Settings
) -> None:
    """The others' time is not counted against who is away, and being back ends it."""
    ann, bo = pair
    code = await begun(pair, house_settings)
    async with ann.line(code) as line:
        await asyncio.sleep(AWAY * 2)
        await line.say({"t": "sync"})
        assert room_of(await line.hear_state())["missing"] == []
        legal = line.prompt["legal"]
        await line.move(next(move for move in legal if move["kind"] == "discard"))
        await line.hear_state(v=1)
        await line.move({"kind": "draw", "from": "deck"})
        began = asyncio.get_running_loop().time()
        await line.hear(missing((1, False)))
        assert asyncio.get_running_loop().time() - began > AWAY * 0.8
        async with bo.line(code):
            await line.hear(missing())
            assert await does(line, "bot", of=1) == "not_away"


async def test_claim_and_return_at_the_same_moment_have_one_result(
    pair: tuple[Person, Person], house_settings: Settings
) -> None:
    ann, bo = pair
    code = await begun(pair, house_settings)
    results = set()
    async with bo.line(code) as line:
        for _ in range(6):
            await line.hear(missing((0, False)))

            async def comes_and_goes() -> None:
                async with ann.line(code) as mine:
                    await mine.quiet(0.15)
                    await mine.say({"t": "sync"})
                    await mine.hear(bots())

            answer, _ = await asyncio.gather(does(line, "bot", of=0), comes_and_goes())
            results.add(answer)
            await line.say({"t": "sync"})
            await line.hear(bots())
    assert results <= {"ok", "not_away"}


async def test_the_clock_is_the_servers_and_waiting_gives_the_whole_time_again(
    pair: tuple[Person, Person], house_settings: Settings
) -> None:
    ann, bo = pair
    code = await begun(pair, house_settings, clock=1)
    async with ann.line(code), bo.line(code) as line:
        due, other = line.state["d"]["due"]
        assert other is None
        assert 0 < due - line.state["now"] <= 1000
        assert room_of(line.state)["clock"] == 1
        assert await does(line, "wait", of=0) == "not_away"
        late = await line.hear(missing((0, True)))
        assert 0 <= late["now"] - due < 700
        assert await does(line, "wait", of=0) == "ok"
        assert room_of(line.state)["missing"] == []
        again = line.state["d"]["due"][0]
        assert 500 < again - line.state["now"] <= 1000
        await line.hear(missing((0, True)))


async def test_who_is_late_can_be_played_for_at_once_and_takes_the_seat_back(
    pair: tuple[Person, Person], house_settings: Settings
) -> None:
    ann, bo = pair
    code = await begun(pair, house_settings, clock=1)
    async with ann.line(code) as mine, bo.line(code) as line:
        await line.hear(missing((0, True)))
        prompt = mine.prompt
        assert await does(line, "bot", of=0) == "ok"
        await mine.hear(bots(0))
        assert mine.state["d"]["prompt"] is None
        move = {"id": "m", "prompt": prompt["n"], "moves": prompt["legal"][:1]}
        assert (await ann.post(f"/rooms/{code}/moves", move)).json()["code"] == "bot_plays"
        assert await does(mine, "back") == "ok"
        assert await does(mine, "back") == "already_handed"


async def test_silence_without_a_clock_is_enough(
    pair: tuple[Person, Person], house_settings: Settings
) -> None:
    ann, bo = pair
    code = await begun(pair, house_settings)
    async with ann.line(code), bo.line(code) as line:
        await line.hear(missing((0, True)))
        assert await does(line, "end") == "ok"
        assert room_of(line.state)["outcome"]["reason"] == "agreed"
        assert room_of(line.state)["outcome"]["ranking"] == [1, 1]


async def test_bots_are_idle_until_somebody_is_back(
    pair: tuple[Person, Person], house_settings: Settings
) -> None:
    _, bo = pair
    code = await begun(pair, house_settings)
    async with bo.line(code) as line:
        await line.hear(missing((0, False)))
        assert await does(line, "bot", of=0) == "ok"
        v = line.state["v"]
    await asyncio.sleep(1.5)
    spectator = Person(bo.url, None, bo.http)
    async with spectator.line(code, protocol=HTML_PROTOCOL) as seen:
        assert seen.state["v"] == v
        assert "A bot plays for" in seen.state["d"]["regions"]["notice"]
    async with bo.line(code) as line:
        await line.hear_state(v=v + 1)


async def test_only_the_times_on_offer_can_be_chosen_and_only_before_the_start(
    pair: tuple[Person, Person],
) -> None:
    ann, bo = pair
    code = (await ann.post("/rooms", {"game": "lost_cities", "clock": 300})).json()["code"]
    clock = f"/rooms/{code}/clock"
    assert (await ann.post("/rooms", {"game": "lost_cities", "clock": 5})).status_code == 422
    assert (await ann.post(clock, {"seconds": 61})).json()["code"] == "bad_clock"
    assert (await bo.post(clock, {"seconds": 60})).json()["code"] == "not_host"
    assert (await ann.get(f"/rooms/{code}")).json()["clock"] == 300
    assert (await ann.post(clock, {"seconds": None})).json()["clock"] is None
    await bo.post(f"/rooms/{code}/seats")
    await ann.post(f"/rooms/{code}/start")
    assert (await ann.post(clock, {"seconds": 60})).json()["code"] == "started"
