"""Several people on one device: more seats for one player, under names of their own."""

from __future__ import annotations

import hashlib

import pytest

from app.rooms.mine import Mine
from app.rooms.room import Room, RoomRefused
from tests.rooms.conftest import DRAWN, House

R = "12" * 32
HASH = hashlib.sha256(bytes.fromhex(R)).hexdigest()


def seated(room: Room) -> list[tuple[int, str, bool]]:
    """Who sits where, and for whom a seat is held."""
    return [(one.seat, one.name, one.held) for one in room.people]


async def test_a_player_seats_others_beside_himself(house: House) -> None:
    ann, dora = await house.people("Ann", "Dora")
    room = await house.rooms.create(ann, "splendor", 4, {})
    await house.rooms.sit(room.id, ann, HASH)
    _room, bo = await house.rooms.add(room.id, ann, " Bo ")
    assert (await house.rooms.sit(room.id, dora))[1] == 2
    twice, same = await house.rooms.add(room.id, ann, "BO")
    assert bo == same == 1
    assert seated(twice) == [(0, "Ann", False), (1, "Bo", False), (2, "Dora", False)]
    assert twice.seats_of(ann.id) == (0, 1)
    assert [one.hash for one in twice.people] == [HASH, HASH, None], "one browser, one promise"
    started = await house.rooms.start(room.id, ann)
    revealed = await house.rooms.reveal(started.id, ann, R)
    assert revealed.status == "running"
    assert [one.r for one in revealed.people] == [R, R, None]


async def test_who_may_add_whom(house: House) -> None:
    ann, dora = await house.people("Ann", "Dora")
    room = await house.rooms.create(ann, "splendor", 2, {})
    tried = [(dora, "Bo", "not_seated"), (ann, "Ann", "name_taken"), (ann, "ANN", "name_taken")]
    for player, name, code in tried:
        with pytest.raises(RoomRefused, match=code):
            await house.rooms.add(room.id, player, name)
    await house.rooms.add(room.id, ann, "Bo")
    with pytest.raises(RoomRefused, match="full"):
        await house.rooms.add(room.id, ann, "Cy")
    await house.rooms.start(room.id, ann)
    with pytest.raises(RoomRefused, match="started"):
        await house.rooms.add(room.id, ann, "Cy")


async def test_a_guest_takes_one_of_his_seats_away_but_nobody_elses(house: House) -> None:
    ann, dora = await house.people("Ann", "Dora")
    room = await house.rooms.create(ann, "splendor", 4, {})
    await house.rooms.sit(room.id, dora)
    _room, eve = await house.rooms.add(room.id, dora, "Eve")
    with pytest.raises(RoomRefused, match="not_host"):
        await house.rooms.remove(room.id, dora, 0)
    left = await house.rooms.remove(room.id, dora, eve)
    assert seated(left) == [(0, "Ann", False), (1, "Dora", False)]


async def test_a_rematch_keeps_seats_and_names_also_of_who_was_away(house: House) -> None:
    ann, dora = await house.people("Ann", "Dora")
    room = await house.rooms.create(ann, "torture", 3, {})
    await house.rooms.add(room.id, ann, "Bo")
    await house.rooms.sit(room.id, dora)
    await house.rooms.start(room.id, ann)
    three = type(DRAWN)((1, 2, 3), (3, 2, 1), ({}, {}, {}), "deck")
    await house.rooms.finish(room.id, three)
    following = await house.rooms.rematch(room.id, dora, starts=0, present={dora.id})
    assert seated(following) == [(0, "Ann", True), (1, "Bo", True), (2, "Dora", False)]
    back, seat = await house.rooms.sit(following.id, ann, HASH)
    assert seat == 0
    assert seated(back) == [(0, "Ann", False), (1, "Bo", False), (2, "Dora", False)]
    assert [one.hash for one in back.people] == [HASH, HASH, None]
    results = (await Mine(house.database).overview(dora.id)).against
    assert [(one.name, one.games, one.lost) for one in results] == [("Ann", 1, 1)], (
        "whom a friend has beside them is nobody's friend"
    )


async def test_a_game_that_asks_any_of_my_seats_waits_for_me_once(house: House) -> None:
    ann, dora = await house.people("Ann", "Dora")
    room = await house.rooms.create(ann, "silver_and_gold", 3, {})
    await house.rooms.add(room.id, ann, "Bo")
    await house.rooms.sit(room.id, dora)
    await house.rooms.start(room.id, ann)
    mine = Mine(house.database)
    assert await mine.next_for(ann.id) == (room.code, 1)
    (listed,) = (await mine.overview(ann.id)).running
    assert (listed.seat, listed.mine) == (0, True)
