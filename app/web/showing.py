"""What one viewer is shown of a room, as wire data."""

from __future__ import annotations

from typing import Any

from app.players.service import Player
from app.realtime.hands import Hand
from app.realtime.scene import Scene, due_wire, prompt_wire, room_wire
from app.rooms.room import Room
from app.web.house import House


async def scene_of(
    house: House,
    room: Room,
    player: Player | None,
    *,
    seat: int | None = None,
    hand: Hand | None = None,
) -> Scene:
    """Returns the room as `player` may see it; `seat` chooses among several of theirs.

    For a page, `hand` says in whose hands the device is.
    """
    return await house.hub.scene(room, player.id if player else None, seat, hand)


async def shown(
    house: House,
    room: Room,
    player: Player | None,
    *,
    seat: int | None = None,
    ack: str | None = None,
) -> dict[str, Any]:
    """Returns room, view and prompt as `player` may know them. Raises `Unavailable`."""
    scene = await scene_of(house, room, player, seat=seat)
    table = house.tables.known(room.id)
    drawn = room_wire(
        scene.room,
        table,
        seat=scene.seat,
        player_id=scene.player_id,
        online=scene.online,
        watchers=scene.watchers,
        missing=scene.missing,
    )
    return {
        "v": scene.v,
        "r": scene.room.r,
        "ack": ack,
        "room": drawn,
        "view": scene.view,
        "prompt": prompt_wire(scene.prompt),
        "due": due_wire(table),
    }
