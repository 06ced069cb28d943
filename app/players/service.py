"""Guests and their tokens."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final
from uuid import UUID

from sqlalchemy import DateTime, LargeBinary, any_, bindparam, insert, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY

from app.database import Database, new_id
from app.direct import Lookup, Statement
from app.players.models import DeviceRow, PlayerRow
from app.players.names import clean_name
from app.players.recently import Recently
from app.players.tokens import hashed, new_token

SEEN_EVERY: Final = timedelta(minutes=10)
"""How old the note of when a device was last seen may grow before it is written again."""
TOKEN_SECONDS: Final = 60.0
"""How long it is remembered whose a token is."""
SIGNED_OUT_SECONDS: Final = 600.0
"""Longer than any look-up of a token takes."""

_SEEN = text(
    "with seen as (update devices set seen_at = :now where id = :device returning player_id) "
    "update players set seen_at = :now from seen where players.id = seen.player_id"
)
_NOW = bindparam("now", type_=DateTime(timezone=True))
_MADE = (
    insert(PlayerRow)
    .values(id=bindparam("player"), name=bindparam("name"), created_at=_NOW, seen_at=_NOW)
    .returning(PlayerRow.id)
    .cte("made")
)
# One statement: a player without a device could never come back.
_CREATE = Statement(
    insert(DeviceRow).from_select(
        ["id", "player_id", "token_hash", "label", "created_at", "seen_at"],
        select(
            bindparam("device", type_=DeviceRow.id.type),
            _MADE.c.id,
            bindparam("token_hash", type_=DeviceRow.token_hash.type),
            bindparam("label", type_=DeviceRow.label.type),
            _NOW,
            _NOW,
        ),
    )
)
_BY_TOKENS = Statement(
    select(
        DeviceRow.token_hash,
        DeviceRow.id,
        DeviceRow.player_id,
        DeviceRow.seen_at,
        PlayerRow.name,
    )
    .join(PlayerRow, PlayerRow.id == DeviceRow.player_id)
    .where(DeviceRow.token_hash == any_(bindparam("keys", type_=ARRAY(LargeBinary()))))
)


@dataclass(frozen=True, slots=True)
class Player:
    """A guest as the rest of the house knows him. `device` is what he is asking with, if he is."""

    id: UUID
    name: str
    device: UUID | None = field(default=None, compare=False)


class Players:
    """Makes guests and finds them by the secret token of one of their devices.

    The database holds only the SHA-256 of a token. `by_token` runs on every request, so answers
    are kept for `cache_seconds`; another process, if it is not told of a change (`renamed`,
    `signed_out`), goes by an old one for that long. With 0 every token is looked up.
    """

    def __init__(
        self,
        database: Database,
        *,
        cache_size: int = 20_000,
        cache_seconds: float = TOKEN_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._direct = database.direct
        self._by_token = Lookup(database.direct, _BY_TOKENS, "token_hash")
        # One statement is one transaction: no BEGIN and COMMIT on the way.
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._cache: OrderedDict[bytes, tuple[float, Player]] = OrderedDict()
        self._signed_out: Recently[UUID] = Recently(SIGNED_OUT_SECONDS, clock=clock)
        self._cache_size = cache_size
        self._cache_seconds = cache_seconds
        self._clock = clock

    async def create(self, name: str, label: str = "") -> tuple[Player, str]:
        """Makes a guest with one device; returns him and its token, which is stored nowhere.

        `label` is what the device is told apart by. Raises `BadName`.
        """
        player = Player(new_id(), clean_name(name), new_id())
        token = new_token()
        token_hash = hashed(token)
        assert token_hash is not None
        given = {
            "player": player.id,
            "name": player.name,
            "device": player.device,
            "token_hash": token_hash,
            "label": label,
            "now": datetime.now(UTC),
        }
        await self._direct.rows(_CREATE, given)
        self.keep(token_hash, player)
        return player, token

    async def by_token(self, token: str) -> Player | None:
        """Returns the guest whose device holds this token, or None. Takes any text."""
        token_hash = hashed(token)
        if token_hash is None:
            return None
        cached = self._cache.get(token_hash)
        if cached is not None and cached[0] > self._clock():
            self._cache.move_to_end(token_hash)
            return cached[1]
        rows = await self._by_token.rows(token_hash)
        if not rows:
            return None
        _, device, player_id, seen_at, name = rows[0]
        if device in self._signed_out:
            return None
        now = datetime.now(UTC)
        if now - seen_at > SEEN_EVERY:
            async with self._engine.connect() as connection:
                await connection.execute(_SEEN, {"now": now, "device": device})
            if device in self._signed_out:
                return None
        player = Player(player_id, name, device)
        self.keep(token_hash, player)
        return player

    async def rename(self, player_id: UUID, name: str) -> Player | None:
        """Gives a guest another name; None if there is no such guest. Raises `BadName`."""
        player = Player(player_id, clean_name(name))
        change = (
            update(PlayerRow)
            .where(PlayerRow.id == player_id)
            .values(name=player.name)
            .returning(PlayerRow.id)
        )
        async with self._engine.connect() as connection:
            if (await connection.execute(change)).scalar_one_or_none() is None:
                return None
            query = select(DeviceRow.token_hash).where(DeviceRow.player_id == player_id)
            mine = list(await connection.scalars(query))
        for token_hash in mine:
            kept = self._cache.get(token_hash)
            if kept is not None:
                self._cache[token_hash] = kept[0], replace(kept[1], name=player.name)
        return player

    def keep(self, token_hash: bytes, player: Player) -> None:
        """Remembers for a while whose a token is."""
        now = self._clock()
        self._cache[token_hash] = (now + self._cache_seconds, player)
        self._cache.move_to_end(token_hash)
        while self._cache:
            until, _ = next(iter(self._cache.values()))
            if len(self._cache) <= self._cache_size and until > now:
                break
            self._cache.popitem(last=False)

    def signed_out(self, device_id: UUID) -> None:
        """Takes note that a device is nobody's any more, also for who is being looked up now."""
        self._signed_out.add(device_id)
        self._forget(lambda player: player.device == device_id)

    def renamed(self, player_id: UUID) -> None:
        """Takes note that a player was given another name by another process."""
        self._forget(lambda player: player.id == player_id)

    def _forget(self, which: Callable[[Player], bool]) -> None:
        for token_hash in [key for key, (_, player) in self._cache.items() if which(player)]:
            del self._cache[token_hash]
