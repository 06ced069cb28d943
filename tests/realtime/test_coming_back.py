"""A seat that was opened, and its player comes back first, or somebody takes it before."""

from __future__ import annotations

import asyncio

import pytest

from app.config import Settings
from tests.realtime.conftest import Arrive
from tests.realtime.people import Line, Message, Person, started

AWAY = 0.2


@pytest.fixture
def house_settings(settings: Settings) -> Settings:
    """A house in which somebody is away for long after a moment."""
    return settings.model_copy(update={"away_seconds": AWAY})


async def opened_by(host: Person, code: str) -> str:
    """Has the host open the seat of the guest, who is away; returns the secret."""
    await host.get(f"/rooms/{code}/view")
    await asyncio.sleep(AWAY * 1.2)
    made = await host.post(f"/rooms/{code}/reopen", {"seat": 1})
    assert made.status_code == 200, made.text
    secret: str = made.json()["secret"]
    return secret


def tells(plays: str) -> object:
    """Returns what recognises a state that tells of a seat handed over like that."""

    def told(message: Message) -> bool:
        if message["t"] != "state":
            return False
        events = [event for entry in message["d"]["events"] for event in entry["events"]]
        return any(one.get("plays") == plays for one in events)

    return told


async def hear(line: Line, plays: str) -> Message:
    """Returns the state that tells everybody who plays the seat now."""
    return await line.hear(tells(plays))  # type: ignore[arg-type]


async def test_who_comes_back_first_keeps_the_seat(arrive: Arrive) -> None:
    ann, bo, cy = [await arrive(name) for name in ("Ann", "Bo", "Cy")]
    code = await started([ann, bo], "lost_cities", {"first": 1})
    async with ann.line(code) as host:
        secret = await opened_by(ann, code)
        await hear(host, "open")
        async with bo.line(code) as back:
            await hear(host, "player")
            assert back.state["d"]["room"]["you"] == 1
            while back.state["d"]["room"]["people"][1]["open"]:
                await back.hear_state()
            late = await cy.post(f"/rooms/{code}/take", {"secret": secret})
            assert late.json()["code"] == "bad_seat_link"
            await back.move(back.prompt["legal"][0], {"kind": "draw", "from": "deck"})
            await host.hear_state(v=3)


async def test_the_old_browser_watches_once_the_seat_is_taken(arrive: Arrive) -> None:
    ann, bo, cy = [await arrive(name) for name in ("Ann", "Bo", "Cy")]
    code = await started([ann, bo], "lost_cities", {"first": 1})
    async with ann.line(code) as host:
        secret = await opened_by(ann, code)
        await hear(host, "open")
        assert (await cy.post(f"/rooms/{code}/take", {"secret": secret})).json() == {"seat": 1}
        await hear(host, "player")
        async with cy.line(code) as new, bo.line(code) as old:
            assert new.state["d"]["room"]["you"] == 1
            assert new.prompt
            assert old.state["d"]["room"]["you"] is None
            assert old.state["d"]["prompt"] is None
            v = new.state["v"]
            await new.move(new.prompt["legal"][0], {"kind": "draw", "from": "deck"})
            await host.hear_state(v=v + 1)
            await old.say({"t": "do", "id": "mine", "what": "undo"})
            assert (await old.hear_of("refused"))["code"] == "not_seated"
