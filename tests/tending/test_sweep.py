"""What is cleared away, when, and that nothing is left of it but the word that it is gone."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from app.games.registry import GAMES
from app.play.journal import Journal
from app.play.table import Accepted
from app.play.tables import Tables
from app.rooms.keeping import Keeping
from app.rooms.removal import Removal
from app.rooms.room import Room, RoomRefused
from tests.tending.conftest import DRAWN, RULE, House

NOTHING = {"rooms": 0, "room_seats": 0, "journal": 0, "snapshots": 0, "chat": 0}
KEPT = "insert into snapshots (room_id, seq, made_by, body) values (:id, 1, 'program', '')"
SAID = """
    insert into chat (room_id, id, player_id, name, kind, text, at)
    values (:id, gen_random_uuid(), gen_random_uuid(), 'Ann', 'text', 'Hello', now())
"""


async def refusal(house: House, room: Room) -> RoomRefused:
    """What whoever opens the link of a room is told."""
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.by_code(room.code)
    return refused.value


async def test_a_table_without_a_game_is_kept_for_a_week_after_somebody_sat_down(
    house: House,
) -> None:
    ann, ben = await house.people("Ann", "Ben")
    room = await house.open(ann)
    await house.sql(SAID, id=room.id)
    house.passes(days=6, hours=23)
    assert await house.sweep().once() == (0, 0)
    await house.rooms.sit(room.id, ben)
    house.passes(days=6, hours=23)
    assert await house.sweep().once() == (0, 0)
    assert (await house.rooms.by_code(room.code)).status == "open"
    house.passes(hours=2)
    assert await house.sweep().once() == (1, 0)
    assert await house.rows(room.id) == NOTHING
    told = await refusal(house, room)
    assert told.code == "room_removed"
    assert (told.facts["why"], told.facts["days"]) == ("unstarted", 7)
    swept = datetime.fromisoformat(str(told.facts["at"]))
    assert abs(swept - house.now) < timedelta(seconds=1)


async def test_a_game_waits_ninety_days_for_a_move_and_a_finished_one_for_ever(
    house: House,
) -> None:
    ann, ben = await house.people("Ann", "Ben")
    idle, over = await house.begin(ann, ben), await house.begin(ann, ben)
    await house.sql(SAID, id=idle.id)
    await house.sql(KEPT, id=idle.id)
    await house.sql(KEPT, id=over.id)
    await house.rooms.finish(over.id, DRAWN)
    kept = {**await house.rows(over.id), "snapshots": 0}
    for _ in range(3):
        # A week away, and another one: who comes back finds the game.
        house.passes(days=29)
        assert await house.sweep().once() == (0, 0)
        assert (await house.rooms.by_code(idle.code)).status == "running"
    house.passes(days=4)
    rooms, _ = await house.sweep().once()
    assert rooms == 1
    assert await house.rows(idle.id) == NOTHING
    assert (await refusal(house, idle)).facts["why"] == "idle"
    house.passes(days=3650)
    await house.sweep().once()
    assert await house.rows(over.id) == kept


async def test_a_game_that_only_bots_play_stands_still_and_goes_like_any_other(
    house: House,
) -> None:
    ann, ben = await house.people("Ann", "Ben")
    room = await house.begin(ann, ben)
    journal = Journal(house.database)
    await journal.start()
    tables = Tables(journal, GAMES, house.rooms.seed, lambda _: None, lambda _: False)
    table = await tables.get(room.id)
    assert table is not None
    for seat in (0, 1):
        handed = await table.hand(seat, "bot", by=None, move_id=f"b{seat}")
        assert isinstance(handed, Accepted)
    await journal.stop()
    house.passes(days=89)
    assert await house.sweep().once() == (0, 0)
    assert (await house.rows(room.id))["journal"] == 3, "nobody is there, so no bot moves"
    house.passes(days=2)
    assert (await house.sweep().once())[0] == 1
    assert await house.rows(room.id) == NOTHING


async def test_a_game_that_has_ended_is_kept_before_it_is_marked_so(house: House) -> None:
    ann, ben = await house.people("Ann", "Ben")
    room = await house.begin(ann, ben)
    await house.sql("update journal set actors = '{}' where room_id = :id", id=room.id)
    house.passes(days=365)
    assert (await house.sweep().once())[0] == 0
    assert (await house.rows(room.id))["journal"] == 1


async def test_nothing_is_cleared_away_where_the_host_keeps_all(house: House) -> None:
    ann, ben = await house.people("Ann", "Ben")
    rooms = [await house.open(ann), await house.begin(ann, ben)]
    await house.people("Eve")
    house.passes(days=4000)
    assert await house.sweep(Keeping(0, 0)).once() == (0, 0)
    for room in rooms:
        await house.rooms.by_code(room.code)


async def test_a_sweep_that_fails_is_not_the_last_one(house: House) -> None:
    sweeping = asyncio.create_task(house.sweep(Keeping(10**9, 0)).run(every=0.02))
    done, _ = await asyncio.wait([sweeping], timeout=0.2)
    assert not done
    sweeping.cancel()


async def test_nothing_is_cleared_away_at_the_start_nor_right_after_the_clock_was_set(
    house: House,
) -> None:
    ann, ben = await house.people("Ann", "Ben")
    rooms = [await house.open(ann), await house.begin(ann, ben)]
    sweeping = asyncio.create_task(house.sweep().run(every=0.4))
    await asyncio.sleep(0.1)
    house.passes(days=91)
    await asyncio.sleep(0.5)
    found = [await house.rooms.by_code(room.code) for room in rooms]
    assert [room.status for room in found] == ["open", "running"]
    for _ in range(100):
        kept = [await house.rows(room.id) for room in rooms]
        if kept == [NOTHING, NOTHING]:
            break
        await asyncio.sleep(0.05)
    sweeping.cancel()
    assert kept == [NOTHING, NOTHING]


async def test_a_move_by_a_clock_that_was_behind_makes_no_game_idle(house: House) -> None:
    ann, ben = await house.people("Ann", "Ben")
    room = await house.begin(ann, ben)
    behind = """
        insert into journal (room_id, seq, seat, kind, move_id, body, draws, actors, due, at)
        select room_id, 1, 0, 'move', 'late', '{}', false, actors, null, '1970-01-01'
        from journal where room_id = :id
    """
    await house.sql(behind, id=room.id)
    house.passes(days=89)
    assert (await house.sweep().once())[0] == 0
    house.passes(days=2)
    assert (await house.sweep().once())[0] == 1


async def test_two_processes_sweep_at_once_and_each_room_goes_once(house: House) -> None:
    (ann,) = await house.people("Ann")
    rooms = [await house.open(ann) for _ in range(6)]
    house.passes(days=8)
    some = await Removal(house.database, RULE).overdue(house.now, 2)
    assert set(some) == {room.id for room in rooms[:2]}, "a sweep takes a few, the oldest first"
    swept = await asyncio.gather(*(house.sweep().once() for _ in range(3)))
    assert sum(gone for gone, _ in swept) == 4
    for room in rooms:
        assert (await refusal(house, room)).code == "room_removed"


async def test_who_sits_down_at_the_last_moment_keeps_the_table(house: House) -> None:
    (ann,) = await house.people("Ann")
    room = await house.open(ann)
    house.passes(days=8)
    sits = text("update rooms set r = r + 1 where id = :id")
    async with house.database.engine.begin() as link:
        await link.execute(sits, {"id": room.id})
        sweeping = asyncio.create_task(house.sweep().once())
        # The sweep has found the room, and waits for the one who is sitting down.
        async with asyncio.timeout(5):
            for _ in range(100):
                if await house.sql("select count(*) from pg_locks where not granted"):
                    break
                await asyncio.sleep(0.02)
        await link.execute(text("update room_seats set joined_at = :now"), {"now": house.now})
    assert await sweeping == (0, 0)
    assert (await house.rooms.by_code(room.code)).id == room.id


async def test_a_link_is_unknown_again_a_year_after_its_room_went(house: House) -> None:
    (ann,) = await house.people("Ann")
    room = await house.open(ann)
    # Other facts of the house are no text: they must neither be read nor forgotten.
    await house.sql("insert into house (key, value) values ('key', '\\xff00'::bytea)")
    house.passes(days=8)
    await house.sweep().once()
    house.passes(days=364)
    await house.sweep().once()
    assert (await refusal(house, room)).code == "room_removed"
    house.passes(days=2)
    await house.sweep().once()
    assert (await refusal(house, room)).code == "unknown_room"
    assert await house.sql("select count(*) from house") == 1


async def test_players_go_who_have_no_table_and_do_not_come(house: House) -> None:
    ann, ben = await house.people("Ann", "Ben")
    (eve, token), (zoe, coming) = [await house.players.create(name) for name in ("Eve", "Zoe")]
    await house.rooms.finish((await house.begin(ann, ben)).id, DRAWN)
    for player in (ben, eve):
        await house.sql(
            "insert into push_subscriptions (id, player_id, endpoint, p256dh, auth, created_at) "
            "values (gen_random_uuid(), :id, :where, '', '', now())",
            id=player.id,
            where=str(player.id),
        )
    await house.sql(
        "update players set seen_at = seen_at + interval '30 days' where id = :id", id=zoe.id
    )
    house.passes(days=91)
    assert await house.sweep().once() == (0, 1)
    fresh = House(house.database).players
    assert await fresh.by_token(token) is None
    found = await fresh.by_token(coming)
    assert found is not None
    assert found.id == zoe.id
    assert await house.sql("select count(*) from players") == 3
    for table, left in (("devices", 3), ("push_subscriptions", 1)):
        assert await house.sql(f"select count(*) from {table}") == left
