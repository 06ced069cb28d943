"""What the HTTP API takes and gives about a player: name, devices, where to be told of a turn."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from app.web.api_models import Body


class NewPlayer(Body):
    """A guest to be made."""

    name: str = Field(max_length=200, description="1 to 24 characters are kept of it.")


class PushKeys(Body):
    """What only that browser can read by, in base64url, as its push service gave it."""

    p256dh: str = Field(max_length=200)
    auth: str = Field(max_length=100)


class NewSubscription(Body):
    """A browser that wants to be told, by the address that its push service gave it."""

    endpoint: str = Field(max_length=1024)
    keys: PushKeys


class OldSubscription(Body):
    """A browser that wants to be told no more."""

    endpoint: str = Field(max_length=1024, pattern=r"^[!-~]*$")


class PushKey(BaseModel):
    """The house's public key: a point of the curve P-256, 65 bytes in base64url."""

    key: str


class PushState(BaseModel):
    """Whether that browser is told."""

    on: bool


class PlayerMade(BaseModel):
    """The guest. `token` is shown this once; send it as `Authorization: Bearer`."""

    id: str
    token: str


class NewDevice(Body):
    """A code that adds a device. `instead`: although I act for another player so far."""

    code: str = Field(max_length=100)
    instead: bool = False


class DeviceMade(BaseModel):
    """The player that I act for now; `token` is shown this once."""

    id: str
    name: str
    token: str


class CodeMade(BaseModel):
    """A code that adds one device until `expires_at`, and the link that has it after its #."""

    code: str
    url: str
    expires_at: datetime


class MyDevice(BaseModel):
    """What acts for me; `this` is what is asking."""

    id: str
    label: str
    created_at: datetime
    seen_at: datetime
    this: bool


class MyDevices(BaseModel):
    """My devices, the one seen last first."""

    devices: list[MyDevice]
