"""Guests and their tokens, on a real database."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

import pytest
from sqlalchemy import text

from app.database import Database, new_id
from app.players.names import BadName
from app.players.service import Player, Players

ANNS = ["Ann", "ann", "Ann ", "Ann\u200b", "\u0410nn"]


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_token_finds_its_player_also_in_another_process(database: Database) -> None:
    player, token = await Players(database).create("Ann")
    assert await Players(database).by_token(token) == player
    assert player.name == "Ann"


async def test_the_database_holds_no_token(database: Database) -> None:
    _player, token = await Players(database).create("Ann")
    async with database.engine.connect() as connection:
        row = (await connection.execute(text("select * from devices"))).mappings().one()
    assert row["token_hash"] == hashlib.sha256(token.encode()).digest()
    assert all(token not in str(value) for value in row.values())
    assert len(token) >= 43


async def test_equal_names_are_different_people(database: Database) -> None:
    players = Players(database)
    made = [await players.create(name) for name in ANNS]
    assert len({player.id for player, _token in made}) == len(ANNS)
    for player, token in made:
        assert await players.by_token(token) == player


async def test_a_name_is_no_token(database: Database) -> None:
    players = Players(database)
    player, _token = await players.create("Ann")
    for guess in ("Ann", str(player.id), player.id.hex):
        assert await players.by_token(guess) is None


ODD = ["", "x", "\u0000", "\ud800", "\u00e9", "a" * 129, "a" * 1_000_000]


async def test_any_text_is_a_harmless_token(database: Database) -> None:
    players = Players(database)
    assert [await players.by_token(token) for token in ODD] == [None] * len(ODD)


async def test_a_refused_name_makes_nobody(database: Database) -> None:
    for name in ("\u200b", "a" * 500):
        with pytest.raises(BadName):
            await Players(database).create(name)
    async with database.engine.connect() as connection:
        assert await connection.scalar(text("select count(*) from players")) == 0


async def test_a_new_name_is_seen_at_once_here_and_soon_elsewhere(database: Database) -> None:
    clock = Clock()
    here, elsewhere = Players(database), Players(database, clock=clock)
    player, token = await here.create("Ann")
    assert await elsewhere.by_token(token) == player
    assert await here.rename(player.id, " Anna ") == Player(player.id, "Anna")
    assert await here.by_token(token) == Player(player.id, "Anna")
    clock.now += 61
    assert await elsewhere.by_token(token) == Player(player.id, "Anna")


async def test_a_new_name_is_cleaned_or_refused(database: Database) -> None:
    players = Players(database)
    player, token = await players.create("Ann")
    with pytest.raises(BadName):
        await players.rename(player.id, "\u200b")
    assert await players.by_token(token) == player
    assert await players.rename(new_id(), "Bo") is None
    assert await players.rename(UUID(int=0), "Bo") is None


async def test_known_tokens_cost_no_query_and_old_ones_make_room(database: Database) -> None:
    players = Players(database, cache_size=2)
    made = [await players.create(f"P{at}") for at in range(3)]
    async with database.engine.begin() as connection:
        await connection.execute(text("delete from devices"))
    found = [await players.by_token(token) for _player, token in made]
    assert found == [None, made[1][0], made[2][0]]
