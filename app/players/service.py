"""Guests and their tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from uuid import UUID

from sqlalchemy import insert, select, update

from app.database import Database, new_id
from app.players.models import PlayerRow
from app.players.names import clean_name

_TOKEN_BYTES = 32
_TOKEN_LONGEST = 128


@dataclass(frozen=True, slots=True)
class Player:
    """A guest as the rest of the house knows him."""

    id: UUID
    name: str


class Players:
    """Makes guests and finds them by their secret token.

    The database holds only the SHA-256 of a token. `by_token` runs on every request, so answers
    are kept for `cache_seconds`; another process may show an old name for that long.
    """

    def __init__(
        self,
        database: Database,
        *,
        cache_size: int = 20_000,
        cache_seconds: float = 60.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        # One statement is one transaction: no BEGIN and COMMIT on the way.
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._cache: OrderedDict[bytes, tuple[float, Player]] = OrderedDict()
        self._cache_size = cache_size
        self._cache_seconds = cache_seconds
        self._clock = clock

    async def create(self, name: str) -> tuple[Player, str]:
        """Makes a guest; returns him and his token, which is stored nowhere. Raises `BadName`."""
        player = Player(new_id(), clean_name(name))
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        token_hash = _hash(token)
        now = datetime.now(UTC)
        async with self._engine.connect() as connection:
            await connection.execute(
                insert(PlayerRow).values(
                    id=player.id,
                    name=player.name,
                    token_hash=token_hash,
                    created_at=now,
                    seen_at=now,
                )
            )
        self._keep(token_hash, player)
        return player, token

    async def by_token(self, token: str) -> Player | None:
        """Returns the guest who holds this token, or None. Takes any text."""
        if not token.isascii() or not 0 < len(token) <= _TOKEN_LONGEST:
            return None
        token_hash = _hash(token)
        cached = self._cache.get(token_hash)
        if cached is not None and cached[0] > self._clock():
            self._cache.move_to_end(token_hash)
            return cached[1]
        query = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.token_hash == token_hash)
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        player = Player(row.id, row.name)
        self._keep(token_hash, player)
        return player

    async def rename(self, player_id: UUID, name: str) -> Player | None:
        """Gives a guest another name; None if there is no such guest. Raises `BadName`."""
        player = Player(player_id, clean_name(name))
        change = (
            update(PlayerRow)
            .where(PlayerRow.id == player_id)
            .values(name=player.name)
            .returning(PlayerRow.token_hash)
        )
        async with self._engine.connect() as connection:
            token_hash = (await connection.execute(change)).scalar_one_or_none()
        if token_hash is None:
            return None
        self._keep(token_hash, player)
        return player

    def _keep(self, token_hash: bytes, player: Player) -> None:
        self._cache[token_hash] = (self._clock() + self._cache_seconds, player)
        self._cache.move_to_end(token_hash)
        while len(self._cache) > self._cache_size:
            self._cache.popitem(last=False)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("ascii")).digest()
