"""The start: seats freeze, browsers show what they promised, the cards are dealt once."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from app.play.history import start
from app.play.opening import read_opening
from app.play.shuffle import digest, game_seed
from app.players.service import Player
from app.rooms.room import Room, RoomRefused
from tests.rooms.conftest import ALL_GAMES, DRAWN, House

R = [bytes([seat + 1] * 32) for seat in range(4)]


@dataclass
class Ready:
    """A room that waits for its start, and the people in it by seat."""

    room: Room
    people: list[Player]


async def ready(house: House, *promises: int | None, game: str = "torture") -> Ready:
    """Seats one player for each promise: the number of an `r`, or None."""
    people = await house.people(*(f"P{seat}" for seat in range(len(promises))))
    room = await house.rooms.create(people[0], game, None, {})
    for player, promise in zip(people, promises, strict=True):
        hashed = None if promise is None else digest(R[promise]).hex()
        room, _seat = await house.rooms.sit(room.id, player, hashed)
    return Ready(room, people)


async def dealt_r(house: House, room: Room) -> list[str | None]:
    """The `r` by seat that the cards were dealt with."""
    (entry,) = await house.journal(room)
    r: list[str | None] = json.loads(entry.body)["r"]
    return r


async def test_without_promises_the_cards_are_dealt_at_once(house: House) -> None:
    table = await ready(house, None, None)
    room = await house.rooms.start(table.room.id, table.people[0])
    assert (room.status, room.seats, room.starting_until) == ("running", 2, None)
    assert await house.rooms.by_id(room.id) == room
    (entry,) = await house.journal(room)
    assert (entry.seq, entry.kind, entry.seat, entry.draws) == (0, "start", None, True)
    assert entry.actors == (0, 1)
    assert json.loads(entry.body) == {
        "room": room.code,
        "game": "torture",
        "rules_version": 2,
        "seats": 2,
        "options": {"rounds": 3},
        "r": [None, None],
    }
    assert await house.column(room, "started_at") == house.clock.now


async def test_promises_are_awaited_and_the_last_one_deals(house: House) -> None:
    table = await ready(house, 0, None, 2)
    room = await house.rooms.start(table.room.id, table.people[0])
    assert room.status == "starting"
    assert room.starting_until is not None
    assert (room.starting_until - house.clock.now).total_seconds() == 5
    assert await house.journal(room) == []
    room = await house.rooms.reveal(room.id, table.people[2], R[2].hex())
    assert (room.status, room.people[2].r) == ("starting", R[2].hex())
    room = await house.rooms.reveal(room.id, table.people[0], R[0].hex())
    assert room.status == "running"
    assert await house.rooms.by_id(room.id) == room
    assert await dealt_r(house, room) == [R[0].hex(), None, R[2].hex()]


async def test_the_seed_follows_from_everything_and_deals_the_journal(house: House) -> None:
    table = await ready(house, 0, None)
    await house.rooms.start(table.room.id, table.people[0])
    room = await house.rooms.reveal(table.room.id, table.people[0], R[0].hex())
    secret = await house.column(room, "server_seed")
    assert isinstance(secret, bytes)
    seed = await house.rooms.seed(room.id)
    assert seed == game_seed(
        secret,
        room=room.code,
        game="torture",
        rules_version=2,
        options={"rounds": 3},
        r=[R[0].hex(), None],
    )
    (entry,) = await house.journal(room)
    position, _told = start(read_opening(entry, seed, ALL_GAMES))
    assert position.actors == entry.actors
    assert await house.rooms.server_seed(room.id) == secret


async def test_a_room_that_was_not_dealt_has_no_seed(house: House) -> None:
    table = await ready(house, 0, None)
    await house.rooms.start(table.room.id, table.people[0])
    for call in (house.rooms.seed(table.room.id), house.rooms.server_seed(table.room.id)):
        with pytest.raises(RoomRefused) as refused:
            await call
        assert refused.value.code == "not_started"


async def test_free_seats_go_away_and_people_move_up(house: House) -> None:
    ann, bo, cy = await house.people("Ann", "Bo", "Cy")
    room = await house.rooms.create(ann, "torture", 4, {})
    await house.rooms.sit(room.id, bo)
    await house.rooms.sit(room.id, cy)
    await house.rooms.leave(room.id, bo)
    room = await house.rooms.start(room.id, ann)
    assert room.seats == 2
    assert await house.seat_rows(room) == [(0, ann.id), (1, cy.id)]
    assert json.loads((await house.journal(room))[0].body)["seats"] == 2


async def test_too_few_people_cannot_start(house: House) -> None:
    table = await ready(house, None)
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.start(table.room.id, table.people[0])
    assert (refused.value.code, refused.value.facts) == ("too_few", {"least": 2, "people": 1})


async def test_a_wrong_r_is_refused_and_the_right_one_still_counts(house: House) -> None:
    table = await ready(house, 0, 1)
    await house.rooms.start(table.room.id, table.people[0])
    wrong = [R[1].hex(), "00" * 32, "", R[0].hex().upper().replace("0", "O"), "\u0000", "\ud800"]
    for r in wrong:
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.reveal(table.room.id, table.people[0], r)
        assert refused.value.code == "bad_r"
    room = await house.rooms.reveal(table.room.id, table.people[0], R[0].hex())
    assert (room.people[0].r, room.people[1].r) == (R[0].hex(), None)
    assert await house.rooms.reveal(room.id, table.people[0], R[0].hex()) == room


async def test_only_who_sits_and_promised_can_show(house: House) -> None:
    table = await ready(house, 0, None)
    (stranger,) = await house.people("Stranger")
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.reveal(table.room.id, table.people[0], R[0].hex())
    assert refused.value.code == "not_started"
    await house.rooms.start(table.room.id, table.people[0])
    for player, code in ((stranger, "not_seated"), (table.people[1], "bad_r")):
        with pytest.raises(RoomRefused) as refused:
            await house.rooms.reveal(table.room.id, player, R[0].hex())
        assert refused.value.code == code


async def test_what_comes_after_the_deadline_is_ignored(house: House) -> None:
    table = await ready(house, 0, 1)
    room = await house.rooms.start(table.room.id, table.people[0])
    room = await house.rooms.reveal(room.id, table.people[0], R[0].hex())
    house.clock.pass_by(5)
    room = await house.rooms.reveal(room.id, table.people[1], R[1].hex())
    assert (room.status, room.people[1].r) == ("running", None)
    assert await dealt_r(house, room) == [R[0].hex(), None]
    assert await house.rooms.reveal(room.id, table.people[1], R[1].hex()) == room
    assert await house.rooms.by_id(room.id) == room


async def test_nothing_is_dealt_before_the_deadline_or_before_the_start(house: House) -> None:
    table = await ready(house, 0, None)
    assert (await house.rooms.deal(table.room.id)).status == "open"
    await house.rooms.start(table.room.id, table.people[0])
    house.clock.pass_by(4.9)
    assert (await house.rooms.deal(table.room.id)).status == "starting"
    house.clock.pass_by(0.1)
    room = await house.rooms.deal(table.room.id)
    assert room.status == "running"
    assert await house.rooms.deal(table.room.id) == room
    assert await dealt_r(house, room) == [None, None]


async def test_ten_starts_at_once_deal_once(house: House) -> None:
    table = await ready(house, None, None)
    elsewhere = house.another_process()
    rooms = await asyncio.gather(
        *(
            (house.rooms, elsewhere)[at % 2].start(table.room.id, table.people[0])
            for at in range(10)
        )
    )
    assert {room.status for room in rooms} == {"running"}
    assert len({room.r for room in rooms}) == 1
    assert len(await house.journal(table.room)) == 1


async def test_ten_deals_and_reveals_at_once_deal_once(house: House) -> None:
    table = await ready(house, 0, 1)
    await house.rooms.start(table.room.id, table.people[0])
    elsewhere = house.another_process()
    await asyncio.gather(
        *(
            (house.rooms, elsewhere)[at % 2].reveal(
                table.room.id, table.people[at % 4 // 2], R[at % 4 // 2].hex()
            )
            for at in range(12)
        )
    )
    room = await house.rooms.by_id(table.room.id)
    assert room.status == "running"
    assert await dealt_r(house, room) == [R[0].hex(), R[1].hex()]


@pytest.mark.parametrize("first", ["sit", "start"])
async def test_sitting_down_and_starting_at_the_same_instant(house: House, first: str) -> None:
    for _ in range(5):
        table = await ready(house, None, None)
        (late,) = await house.people("Late")
        elsewhere = house.another_process()
        sits = elsewhere.sit(table.room.id, late)
        starts = house.rooms.start(table.room.id, table.people[0])
        answers = await asyncio.gather(
            *((sits, starts) if first == "sit" else (starts, sits)), return_exceptions=True
        )
        sat, started = answers if first == "sit" else reversed(answers)
        assert isinstance(started, Room)
        room = await house.rooms.by_id(table.room.id)
        (entry,) = await house.journal(room)
        assert room.status == "running"
        assert json.loads(entry.body)["seats"] == room.seats == len(room.people)
        if isinstance(sat, RoomRefused):
            assert (sat.code, room.seats) == ("started", 2)
        else:
            assert isinstance(sat, tuple)
            assert (sat[1], room.seats) == (2, 3)


async def test_a_started_room_is_frozen(house: House) -> None:
    (stranger,) = await house.people("Stranger")
    for promise in (0, None):
        table = await ready(house, promise, None)
        room = await house.rooms.start(table.room.id, table.people[0])
        ann = table.people[0]
        for call in (
            house.rooms.sit(room.id, stranger),
            house.rooms.leave(room.id, table.people[1]),
            house.rooms.remove(room.id, ann, 1),
            house.rooms.reorder(room.id, ann, [1, 0]),
            house.rooms.configure(room.id, ann, 4, {}),
        ):
            with pytest.raises(RoomRefused) as refused:
                await call
            assert refused.value.code == "started"
        # Who sits already finds his seat again, and cannot promise anything new.
        again, seat = await house.rooms.sit(room.id, table.people[1], "ab" * 32)
        assert (again, seat) == (room, 1)


async def test_a_game_that_has_ended_is_finished_once(house: House) -> None:
    table = await ready(house, None, None)
    assert (await house.rooms.finish(table.room.id, DRAWN)).status == "open"
    await house.rooms.start(table.room.id, table.people[0])
    house.clock.pass_by(60)
    room = await house.rooms.finish(table.room.id, DRAWN)
    assert room.status == "finished"
    assert await house.rooms.finish(room.id, DRAWN) == room
    assert await house.rooms.start(room.id, table.people[0]) == room
    assert await house.column(room, "finished_at") == house.clock.now
    (stranger,) = await house.people("Stranger")
    with pytest.raises(RoomRefused) as refused:
        await house.rooms.sit(room.id, stranger)
    assert refused.value.code == "started"


async def test_starting_takes_few_statements(house: House, statements: Callable[[], int]) -> None:
    table = await ready(house, None, None)
    assert statements() > 0
    await house.rooms.start(table.room.id, table.people[0])
    assert statements() == 2
    await house.rooms.seed(table.room.id)
    assert statements() == 1


async def test_every_room_has_a_code_and_a_secret_of_its_own(house: House) -> None:
    (ann,) = await house.people("Ann")
    rooms = [await house.rooms.create(ann, "torture", 2, {}) for _ in range(50)]
    assert len({room.commitment for room in rooms}) == len(rooms)
    assert len({room.code for room in rooms}) == len(rooms)
