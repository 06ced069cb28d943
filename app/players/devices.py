"""A player's devices: what acts for them, the codes that add one more, and taking one away."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import any_, bindparam, delete, literal, select
from sqlalchemy.dialects.postgresql import ARRAY, insert

from app.database import Database, new_id
from app.games.contract import Json
from app.players.models import CodeRow, DeviceRow, PlayerRow
from app.players.service import Player, Players
from app.players.tokens import hashed, hashed_code, new_code, new_token

CODE_LASTS: Final = timedelta(minutes=10)
"""How long a code that adds a device can be used."""

_IDS: Final = ARRAY(DeviceRow.id.type)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class BadCode(Exception):
    """A code that nobody gave out, that was used already, or that is too old."""

    def __init__(self) -> None:
        super().__init__("bad_code")
        self.code = "bad_code"
        self.facts: dict[str, Json] = {}


@dataclass(frozen=True, slots=True)
class Device:
    """A browser or program of a player. `label` is what it is told apart by, perhaps empty."""

    id: UUID
    label: str
    created_at: datetime
    seen_at: datetime


class Devices:
    """Lists, adds and takes away what acts for a player."""

    def __init__(
        self, database: Database, players: Players, *, now: Callable[[], datetime] = _utc_now
    ) -> None:
        # One statement is one transaction: no BEGIN and COMMIT on the way.
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._whole = database.engine
        self._players = players
        self._now = now

    async def of(self, player_id: UUID) -> list[Device]:
        """Returns a player's devices, the one seen last first."""
        query = (
            select(DeviceRow.id, DeviceRow.label, DeviceRow.created_at, DeviceRow.seen_at)
            .where(DeviceRow.player_id == player_id)
            .order_by(DeviceRow.seen_at.desc(), DeviceRow.id.desc())
        )
        async with self._engine.connect() as connection:
            return [Device(*row) for row in await connection.execute(query)]

    async def revoke(self, player_id: UUID, device_id: UUID) -> bool:
        """Takes a device away from its player; says whether there was such a one.

        Its token is nobody's from then on, and a code that it may have made adds nothing any more.
        Its sockets are for the caller to close.
        """
        away = (
            delete(DeviceRow)
            .where(DeviceRow.id == device_id, DeviceRow.player_id == player_id)
            .returning(DeviceRow.token_hash)
        )
        codes = delete(CodeRow).where(CodeRow.player_id == player_id)
        async with self._whole.begin() as connection:
            token_hash = (await connection.execute(away)).scalar_one_or_none()
            if token_hash is not None:
                # A statement of its own, which sees the code that the device was just making.
                await connection.execute(codes)
        if token_hash is None:
            return False
        self._players.signed_out(device_id)
        return True

    async def gone(self, device_ids: Collection[UUID]) -> set[UUID]:
        """Returns those devices that there are no more."""
        if not device_ids:
            return set()
        there = select(DeviceRow.id).where(DeviceRow.id == any_(bindparam("ids", type_=_IDS)))
        async with self._engine.connect() as connection:
            found = await connection.scalars(there, {"ids": list(device_ids)})
            return set(device_ids) - set(found)

    async def new_code(self, player: Player) -> tuple[str, datetime]:
        """Returns a code that adds one device within `CODE_LASTS`, and when it ends.

        An earlier one of the same player is worth nothing any more. Where the device that the
        player asks with was taken away meanwhile, the code is worth nothing either.
        """
        now = self._now()
        code = new_code()
        made = insert(CodeRow).values(
            code_hash=hashed_code(code), player_id=player.id, expires_at=now + CODE_LASTS
        )
        instead = made.on_conflict_do_update(
            index_elements=[CodeRow.player_id],
            set_={"code_hash": made.excluded.code_hash, "expires_at": made.excluded.expires_at},
        )
        # Who takes the device away at the same time waits for the code, or comes first.
        asking = (
            select(DeviceRow.id)
            .where(DeviceRow.id == player.device)
            .with_for_update(read=True, key_share=True)
        )
        async with self._whole.begin() as connection:
            there = player.device is None or await connection.scalar(asking) is not None
            await connection.execute(delete(CodeRow).where(CodeRow.expires_at < now))
            if there:
                await connection.execute(instead)
        return code, now + CODE_LASTS

    async def owner(self, code: str) -> Player:
        """Returns whose device a code would add, without using it up. Raises `BadCode`."""
        query = (
            select(PlayerRow.id, PlayerRow.name)
            .join(CodeRow, CodeRow.player_id == PlayerRow.id)
            .where(CodeRow.code_hash == _read(code), CodeRow.expires_at > self._now())
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise BadCode
        return Player(row.id, row.name)

    async def redeem(self, code: str, label: str = "") -> tuple[Player, str]:
        """Uses a code up: returns its player, and the token of the device that is theirs now.

        Raises `BadCode`.
        """
        now = self._now()
        device_id, token = new_id(), new_token()
        token_hash = hashed(token)
        assert token_hash is not None
        used = (
            delete(CodeRow)
            .where(CodeRow.code_hash == _read(code), CodeRow.expires_at > now)
            .returning(CodeRow.player_id)
            .cte("used")
        )
        # One statement: of two who come at once one gets a device, and no code is lost half-way.
        added = (
            insert(DeviceRow)
            .from_select(
                ["id", "player_id", "token_hash", "label", "created_at", "seen_at"],
                select(
                    literal(device_id, DeviceRow.id.type),
                    used.c.player_id,
                    literal(token_hash, DeviceRow.token_hash.type),
                    literal(label),
                    literal(now, DeviceRow.created_at.type),
                    literal(now, DeviceRow.seen_at.type),
                ),
            )
            .returning(DeviceRow.player_id)
        )
        async with self._engine.connect() as connection:
            player_id = (await connection.execute(added)).scalar_one_or_none()
        if player_id is None:
            raise BadCode
        player = await self._players.by_token(token)
        if player is None:
            raise BadCode
        return player, token


def _read(code: str) -> bytes:
    found = hashed_code(code)
    if found is None:
        raise BadCode
    return found
