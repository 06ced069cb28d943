"""All that the house has for telling players whose page is closed, put together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from app.database import Database
from app.notify.delivery import Delivery
from app.notify.endpoints import Endpoints
from app.notify.keys import HouseKey
from app.notify.subscriptions import Subscriptions
from app.notify.turns import REST_SECONDS, FindTable, Looking, Turns, Words
from app.rooms.service import Rooms

NO_ADDRESS: Final = "mailto:host@motherlode.invalid"
"""Whom push services may write to about a house that does not know its own address."""


@dataclass(frozen=True, slots=True)
class Pushing:
    """Where pushes may go, and how long a question rests before; tests have others."""

    endpoints: Endpoints = field(default_factory=Endpoints)
    rest: float = REST_SECONDS


PUSHING: Final = Pushing()
"""As it is in every house but those of tests."""


class Pushes:
    """The house's key, the browsers that want to be told, and whoever tells them."""

    def __init__(
        self,
        database: Database,
        rooms: Rooms,
        tables: FindTable,
        *,
        looking: Looking,
        words: Words,
        contact: str | None,
        pushing: Pushing,
    ) -> None:
        """Takes what `Turns` does; `contact` is the house's own address, if it is told."""
        self.endpoints = pushing.endpoints
        self.key = HouseKey(database)
        self.subscriptions = Subscriptions(database)
        own = contact if contact and contact.startswith("https://") else NO_ADDRESS
        delivery = Delivery(self.key, own, pushing.endpoints)
        self.turns = Turns(
            rooms,
            tables,
            self.subscriptions,
            delivery,
            looking=looking,
            words=words,
            rest=pushing.rest,
        )

    async def start(self) -> None:
        """Makes the key if this is the house's first start, and begins to tell."""
        await self.key.load()
        await self.subscriptions.start()
        self.turns.start()
