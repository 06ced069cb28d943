"""What a process does about those that write the same journals beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from app.play.table import Table


@dataclass(frozen=True, slots=True)
class Others:
    """Given to the tables of a house with several processes; a house with one has none.

    `before` is called between the reading of what others wrote in a room and its being followed,
    with how many changes the room had then: whoever may see it is looked up anew if these are not
    known here. It raises `Unavailable` where it cannot. `followed` is called with the table
    afterwards.
    """

    before: Callable[[UUID, int], Awaitable[None]]
    followed: Callable[[Table], None]
