"""The house's own key for pushes (VAPID): made at the first start, the same ever after.

A browser's subscription is bound to it, so a house that lost it could reach nobody any more.
"""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Final

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.database import Database
from app.notify.models import HouseRow

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

NAME: Final = "vapid"
"""The key's name in the table `house`; its value is 32 bytes, a scalar of the curve P-256."""


class HouseKey:
    """A private key, which signs what the house sends to push services."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._raw = b""

    async def load(self) -> None:
        """Reads the key of this house; makes it first where there is none."""
        read = select(HouseRow.value).where(HouseRow.key == NAME)
        async with self._database.engine.begin() as connection:
            raw = await connection.scalar(read)
            if raw is None:
                made = insert(HouseRow).values(key=NAME, value=await asyncio.to_thread(_new))
                await connection.execute(made.on_conflict_do_nothing())
                raw = (await connection.execute(read)).scalar_one()
        self._raw = raw

    @property
    def private(self) -> EllipticCurvePrivateKey:
        """The key, for signing."""
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 slow to load

        return ec.derive_private_key(int.from_bytes(self._raw, "big"), ec.SECP256R1())

    @property
    def public(self) -> str:
        """What browsers subscribe with: the public point, 65 bytes in base64url."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 slow to load

        point = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def _new() -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 slow to load

    made = ec.generate_private_key(ec.SECP256R1())
    return made.private_numbers().private_value.to_bytes(32, "big")
