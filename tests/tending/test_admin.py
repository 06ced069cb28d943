"""What the host of a house sees and does: everything but what is hidden in a game."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from app.config import Settings
from app.database import Database
from app.server import StartError, exported
from app.tending.announcements import Announcements
from app.tending.failed import Failed
from tests.tending.conftest import Command, House
from tests.web.reading import HOSTILE


async def test_rooms_and_players_are_listed_and_no_card(house: House, command: Command) -> None:
    ann, ben, eve = await house.people("Ann", "Ben", "Eve")
    room = await house.begin(ann, ben)
    house.passes(seconds=1)
    waiting = await house.open(eve)
    listed = await command("admin", "rooms")
    head, first, second, counts = listed.splitlines()
    assert head.split()[:2] == ["ROOM", "GAME"]
    moved = f"{house.now:%Y-%m-%d %H:%M}"
    assert first.split() == [
        *(waiting.code, "lost_cities", "open", "0", *moved.split()),
        *(f"{house.now + timedelta(days=7):%Y-%m-%d}", "Eve"),
    ]
    assert second.endswith("  Ann, Ben")
    assert f"{house.now + timedelta(days=90):%Y-%m-%d}" in second
    assert counts == "2 rooms: 1 open, 1 running."
    assert room.code not in await command("admin", "rooms", "--status", "open")
    assert len((await command("admin", "rooms", "--most", "1")).splitlines()) == 3

    people = await command("admin", "players")
    assert [line.split()[-1] for line in people.splitlines()[1:-1]] == ["Eve", "Ben", "Ann"]
    assert people.splitlines()[-1] == "3 players."
    assert await command("admin", "sockets") == "Open: 0 sockets."
    async with house.database.engine.connect() as link:
        secrets = [await house.rooms.server_seed(room.id), await house.rooms.seed(room.id)]
        bodies = list(await link.scalars(text("select body from journal")))
    for told in (listed, people, json.dumps(await exported_by(house, room.code))):
        for secret in secrets:
            assert secret.hex() not in told
        assert not [body for body in bodies if body in told]


async def exported_by(house: House, code: str) -> dict[str, object]:
    """The record of a room, as the command writes it."""
    return dict(await exported(Settings(database_url=house.database.url), code))


async def test_names_that_would_do_harm_stay_in_their_column(
    house: House, command: Command
) -> None:
    for name in (*HOSTILE, "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}"):
        ann, ben = await house.people(name[:24], "Ben")
        room = await house.begin(ann, ben)
        # What another program may have written, which no form of ours takes.
        await house.sql(
            "update room_seats set name = :name where room_id = :id and seat = 1",
            id=room.id,
            name="Bo\x1b[2J\rgone\u202e\n\tline",
        )
        record = await exported_by(house, room.code)
        assert record["names"] == [name[:24], "Bo\x1b[2J\rgone\u202e\n\tline"]
        assert "\x1b" not in json.dumps(record)
    for told in (await command("admin", "rooms"), await command("admin", "players")):
        assert all(char.isprintable() or char == "\n" for char in told)
        starts = [line.index("  ", line.index("-")) for line in told.splitlines()[1:-1]]
        assert len(set(starts)) == 1
    assert HOSTILE[0] in await command("admin", "rooms")


async def test_a_room_is_deleted_only_when_it_is_meant(house: House, command: Command) -> None:
    ann, ben = await house.people("Ann", "Ben")
    room = await house.begin(ann, ben)
    before = await house.rows(room.id)
    assert "Add --yes" in await command("admin", "delete", room.code)
    assert await house.rows(room.id) == before
    link = f"https://games.test/r/{room.code}"
    told = await command("admin", "delete", link, "--yes")
    assert told == f"Removed {room.code} (lost_cities, running)."
    assert set((await house.rows(room.id)).values()) == {0}
    for code, said in ((room.code, "was cleared away on"), ("nonsense", "no room with this code")):
        with pytest.raises(Failed, match=said):
            await command("admin", "delete", code, "--yes")
    with pytest.raises(StartError, match="has been cleared away"):
        await exported_by(house, room.code)


async def test_an_announcement_is_one_clean_sentence(house: House, command: Command) -> None:
    assert await command("admin", "announce") == "Nothing is announced."
    await command("admin", "announce", "First\u202e\x1b\n  thing", "--minutes", "5")
    assert await command("admin", "announce") == "First thing"
    await command("admin", "announce", "Second")
    assert await command("admin", "announce") == "Second"
    assert await command("admin", "announce", "--end") == "Taken back."
    assert await command("admin", "announce", "--end") == "Nothing was announced."
    for words in (
        ["\u200b \n"],
        ["x" * 301],
        ["Hello", "--minutes", "0"],
        ["Hi", "--minutes", "nan"],
    ):
        with pytest.raises(Failed):
            await command("admin", "announce", *words)


async def test_a_newer_announcement_takes_the_place_of_an_older_one_for_good(
    database: Database,
) -> None:
    now = datetime.now(UTC)
    announcements = Announcements(database, now=lambda: now)
    await announcements.make("A", timedelta(minutes=60))
    newer = await announcements.make("B", timedelta(seconds=3))
    assert await announcements.current() == newer
    now += timedelta(seconds=4)
    assert await announcements.current() is None


@pytest.mark.parametrize("number", ["-1", "0", "99999999999999999999", "many"])
async def test_how_many_to_list_is_a_number_that_can_be(command: Command, number: str) -> None:
    with pytest.raises(SystemExit):
        await command("admin", "rooms", "--most", number)


async def test_the_sweep_can_be_asked_for(house: House, command: Command) -> None:
    (ann,) = await house.people("Ann")
    house.passes(days=-8)
    await house.open(ann)
    assert await command("admin", "sweep") == "Removed 1 room and 0 players."


async def test_a_game_of_other_rules_is_not_exported_and_the_host_is_told(house: House) -> None:
    ann, ben = await house.people("Ann", "Ben")
    room = await house.begin(ann, ben)
    newer = "update journal set body = jsonb_set(body::jsonb, '{rules_version}', '99')::text"
    await house.sql(newer)
    with pytest.raises(StartError, match="version of Motherlode that it was played with"):
        await exported_by(house, room.code)
    await house.sql("update rooms set game = 'chess'")
    with pytest.raises(StartError, match="no game 'chess'"):
        await exported_by(house, room.code)
