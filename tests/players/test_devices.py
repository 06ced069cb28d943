"""A player's devices and the codes that add one, on a real database."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from app.database import Database, new_id
from app.players.devices import CODE_LASTS, BadCode, Devices
from app.players.service import Player, Players


@dataclass
class Now:
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __call__(self) -> datetime:
        return self.at


@dataclass
class House:
    database: Database
    players: Players
    devices: Devices
    now: Now


@pytest.fixture
def house(database: Database) -> House:
    players, now = Players(database), Now()
    return House(database, players, Devices(database, players, now=now), now)


async def test_a_code_adds_a_device_of_the_same_player_once(house: House) -> None:
    ann, first = await house.players.create("Ann", "Firefox · Linux")
    code, ends = await house.devices.new_code(ann)
    assert ends == house.now.at + CODE_LASTS
    assert await house.devices.owner(code) == ann
    again, second = await house.devices.redeem(f" {code.upper()} ", "Chrome · Android")
    assert again == ann
    assert second != first
    with pytest.raises(BadCode):
        await house.devices.redeem(code)
    for token in (first, second):
        assert await house.players.by_token(token) == ann
    labels = [device.label for device in await house.devices.of(ann.id)]
    assert sorted(labels) == ["Chrome · Android", "Firefox · Linux"]


async def test_of_many_who_use_a_code_at_once_one_gets_a_device(house: House) -> None:
    ann, _token = await house.players.create("Ann")
    code, _ends = await house.devices.new_code(ann)
    tries = [house.devices.redeem(code) for _ in range(10)]
    got = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(not isinstance(one, BadCode) for one in got) == 1
    assert len(await house.devices.of(ann.id)) == 2


async def test_a_code_ends_by_time_and_by_the_next_one(house: House) -> None:
    ann, _token = await house.players.create("Ann")
    old, _ends = await house.devices.new_code(ann)
    code, _ends = await house.devices.new_code(ann)
    for worthless in (old, "", "no code", "2222-2222-2222", "\ud800", "k" * 100_000):
        with pytest.raises(BadCode):
            await house.devices.owner(worthless)
        with pytest.raises(BadCode):
            await house.devices.redeem(worthless)
    house.now.at += CODE_LASTS + timedelta(seconds=1)
    with pytest.raises(BadCode):
        await house.devices.redeem(code)


async def test_of_codes_made_at_once_one_is_good(house: House) -> None:
    ann, _token = await house.players.create("Ann")
    made = await asyncio.gather(*(house.devices.new_code(ann) for _ in range(8)))
    tries = [house.devices.redeem(code) for code, _ends in made]
    got = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(not isinstance(one, BadCode) for one in got) == 1


async def test_a_code_goes_with_the_device_that_may_have_made_it(house: House) -> None:
    ann, _token = await house.players.create("Ann")
    code, _ends = await house.devices.new_code(ann)
    phone, _second = await house.devices.redeem(code)
    assert phone.device is not None
    made = [(await house.devices.new_code(phone))[0]]
    assert await house.devices.revoke(ann.id, phone.device)
    made.append((await house.devices.new_code(phone))[0])
    for code in made:
        with pytest.raises(BadCode):
            await house.devices.redeem(code)
    code, _ends = await house.devices.new_code(ann)
    assert await house.devices.owner(code) == ann


async def test_a_code_made_while_its_device_is_taken_away_is_worth_nothing(house: House) -> None:
    ann, _token = await house.players.create("Ann")
    for _ in range(5):
        code, _ends = await house.devices.new_code(ann)
        phone, _second = await house.devices.redeem(code)
        assert phone.device is not None
        (late, _ends), gone = await asyncio.gather(
            house.devices.new_code(phone), house.devices.revoke(ann.id, phone.device)
        )
        assert gone
        with pytest.raises(BadCode):
            await house.devices.owner(late)


async def test_the_database_holds_no_code_and_no_token(house: House) -> None:
    ann, token = await house.players.create("Ann")
    code, _ends = await house.devices.new_code(ann)
    _ann, other = await house.devices.redeem(code)
    unused, _ends = await house.devices.new_code(ann)
    async with house.database.engine.connect() as connection:
        found = ""
        for table in ("players", "devices", "device_codes"):
            rows = await connection.execute(text(f"select * from {table}"))
            found += str(rows.mappings().all())
    assert not [
        one for one in (token, other, code, unused, unused.replace("-", "")) if one in found
    ]


async def test_a_device_that_is_taken_away_is_nobody_at_once(house: House) -> None:
    ann, first = await house.players.create("Ann")
    code, _ends = await house.devices.new_code(ann)
    phone, second = await house.devices.redeem(code)
    assert phone.device is not None
    assert phone.device != ann.device
    bo, _token = await house.players.create("Bo")
    assert not await house.devices.revoke(bo.id, phone.device), "only one's own"
    assert not await house.devices.revoke(ann.id, new_id())
    assert await house.devices.revoke(ann.id, phone.device)
    assert await house.players.by_token(second) is None
    assert await house.players.by_token(first) == ann
    assert [one.id for one in await house.devices.of(ann.id)] == [ann.device]


async def test_a_token_looked_up_while_it_is_taken_away_is_not_remembered(house: House) -> None:
    ann, token = await house.players.create("Ann")
    assert ann.device is not None
    fresh = Players(house.database)
    devices = Devices(house.database, fresh)
    _found, _gone = await asyncio.gather(fresh.by_token(token), devices.revoke(ann.id, ann.device))
    assert await fresh.by_token(token) is None


async def test_a_new_name_is_seen_on_all_devices(house: House) -> None:
    ann, first = await house.players.create("Ann")
    code, _ends = await house.devices.new_code(ann)
    _ann, second = await house.devices.redeem(code)
    await house.players.rename(ann.id, "Anna")
    for token in (first, second):
        assert await house.players.by_token(token) == Player(ann.id, "Anna")


async def test_when_a_device_was_last_seen_is_written_now_and_then(house: House) -> None:
    ann, token = await house.players.create("Ann")
    async with house.database.engine.begin() as connection:
        await connection.execute(text("update devices set seen_at = '2026-01-01'"))
        await connection.execute(text("update players set seen_at = '2026-01-01'"))
    await Players(house.database).by_token(token)
    (device,) = await house.devices.of(ann.id)
    assert datetime.now(UTC) - device.seen_at < timedelta(minutes=1)
    async with house.database.engine.connect() as connection:
        seen = await connection.scalar(text("select seen_at from players"))
    assert seen == device.seen_at
