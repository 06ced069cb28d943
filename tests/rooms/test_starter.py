"""The timer of the start, also after a crash between start and deal."""

import asyncio
from datetime import UTC, datetime, timedelta

from app.database import Database
from app.play.shuffle import digest
from app.players.service import Player, Players
from app.rooms.room import Room
from app.rooms.service import Rooms
from app.rooms.starter import Starter
from tests.rooms.conftest import ALL_GAMES

R = bytes(32)


async def started(database: Database, rooms: Rooms) -> tuple[Room, Player]:
    """A room that waits for the host's `r`."""
    players = Players(database)
    (ann, _), (bo, _) = [await players.create(name) for name in ("Ann", "Bo")]
    room = await rooms.create(ann, "lost_cities", 2, {})
    await rooms.sit(room.id, ann, digest(R).hex())
    await rooms.sit(room.id, bo)
    return await rooms.start(room.id, ann), ann


async def until_dealt(rooms: Rooms, room: Room, seconds: float = 5.0) -> Room:
    """Waits until this process deals the room's cards."""
    dealt = asyncio.Event()
    rooms.listeners.append(lambda new: dealt.set() if new.status == "running" else None)
    async with asyncio.timeout(seconds):
        await dealt.wait()
    return await rooms.by_id(room.id)


async def past_deadline(room: Room) -> None:
    """Waits until a timer for this room would have run out."""
    assert room.starting_until is not None
    left = room.starting_until - datetime.now(UTC)
    await asyncio.sleep(max(left.total_seconds(), 0) + 0.1)


async def test_the_timer_deals_at_the_deadline(database: Database) -> None:
    rooms = Rooms(database, ALL_GAMES, reveal_seconds=0.3)
    starter = Starter(rooms)
    room, _ann = await started(database, rooms)
    assert room.status == "starting"
    assert room.starting_until is not None
    dealt = await until_dealt(rooms, room)
    assert datetime.now(UTC) >= room.starting_until
    assert (dealt.status, dealt.people[0].r) == ("running", None)
    await starter.stop()


async def test_a_crash_in_the_start_is_taken_up_by_the_next_process(database: Database) -> None:
    crashed = Rooms(database, ALL_GAMES, reveal_seconds=0.2)
    room, _ann = await started(database, crashed)
    await past_deadline(room)
    rooms = Rooms(database, ALL_GAMES, reveal_seconds=0.2)
    starter = Starter(rooms)
    told: list[Room] = []
    rooms.listeners.append(told.append)
    await starter.resume()
    dealt = await until_dealt(rooms, room)
    assert dealt.status == "running"
    assert told == [dealt]
    await starter.stop()


async def test_after_a_crash_the_deadline_is_the_old_one(database: Database) -> None:
    crashed = Rooms(database, ALL_GAMES, reveal_seconds=0.5)
    room, _ann = await started(database, crashed)
    assert room.starting_until is not None
    rooms = Rooms(database, ALL_GAMES, reveal_seconds=30)
    starter = Starter(rooms)
    await starter.resume()
    assert (await until_dealt(rooms, room)).status == "running"
    assert datetime.now(UTC) >= room.starting_until
    await starter.stop()


async def test_after_a_crash_the_browsers_may_still_reveal(database: Database) -> None:
    crashed = Rooms(database, ALL_GAMES, reveal_seconds=30)
    room, ann = await started(database, crashed)
    rooms = Rooms(database, ALL_GAMES, reveal_seconds=30)
    starter = Starter(rooms)
    await starter.resume()
    dealt = await rooms.reveal(room.id, ann, R.hex())
    assert (dealt.status, dealt.people[0].r) == ("running", R.hex())
    await starter.stop()


async def test_a_room_dealt_early_needs_no_timer(database: Database) -> None:
    rooms = Rooms(database, ALL_GAMES, reveal_seconds=30)
    starter = Starter(rooms)
    room, ann = await started(database, rooms)
    timers = {task for task in asyncio.all_tasks() if "_deal_at" in repr(task)}
    assert len(timers) == 1
    await rooms.reveal(room.id, ann, R.hex())
    await asyncio.wait(timers, timeout=1)
    assert all(timer.cancelled() for timer in timers)
    await starter.stop()


async def test_a_process_that_stops_leaves_the_start_to_the_next(database: Database) -> None:
    rooms = Rooms(database, ALL_GAMES, reveal_seconds=0.2)
    starter = Starter(rooms)
    room, _ann = await started(database, rooms)
    await starter.stop()
    await past_deadline(room)
    assert (await rooms.by_id(room.id)).status == "starting"
    following = Starter(rooms)
    await following.resume()
    assert (await until_dealt(rooms, room)).status == "running"
    await following.stop()


async def test_a_clock_that_is_put_back_keeps_nobody_waiting(database: Database) -> None:
    """The deadline was written by a clock that was ahead by days."""
    ahead = timedelta(days=3)
    crashed = Rooms(database, ALL_GAMES, reveal_seconds=5, now=lambda: datetime.now(UTC) + ahead)
    room, _ann = await started(database, crashed)
    rooms = Rooms(database, ALL_GAMES, reveal_seconds=0.2)
    starter = Starter(rooms)
    await starter.resume()
    assert (await until_dealt(rooms, room)).status == "running"
    await starter.stop()
