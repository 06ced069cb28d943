"""Settings of the house: read from the environment, checked once, at the start.

Every setting is an environment variable with the name of its field in capitals (`PORT`,
`DATABASE_URL`, ...). All are optional. For limits, 0 means "no limit".
"""

from __future__ import annotations

import ipaddress
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

Limit = Annotated[int, Field(ge=0, le=1_000_000_000)]
Days = Annotated[int, Field(ge=0, le=36_500)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]

_SECRET = frozenset({"database_url", "nats_url", "house_key"})
_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
# The last two change nothing here, but providers put them into the addresses that they give.
_PARAMETERS = ("host", "port", "ssl", "sslmode", "channel_binding", "connect_timeout")
_MOST_KEY = 200
_MOST_PORT = 65_535

_HOST = re.compile(r"(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?", re.IGNORECASE)


def is_host(text: str) -> bool:
    """Whether `text` can stand in a Host header: a name or address, perhaps with a port."""
    return _HOST.fullmatch(text) is not None


class SettingsError(Exception):
    """A setting has a value that cannot be used; the message names it and says what would do."""


def default_data_dir() -> Path:
    """Where the house keeps its files when `DATA_DIR` says nothing.

    The embedded Postgres never runs as root but as a user of its own, which could not reach a
    folder inside root's home: so root gets a place in the system, everybody else `.data` here.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        return Path("/var/lib/motherlode")
    return Path(".data")


class Settings(BaseSettings):
    """What a host can set. `Settings.load()` reads the environment; tests pass values."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, env_ignore_empty=True
    )

    host: str = Field(default="0.0.0.0", description="Address to listen on.")  # noqa: S104
    port: int = Field(default=8000, ge=1, le=_MOST_PORT, description="Port to listen on.")
    database_url: str | None = Field(
        default=None,
        description="PostgreSQL to use, as `postgres://user:password@host/name`. "
        "Without it the house starts a PostgreSQL of its own.",
    )
    nats_url: str | None = Field(
        default=None,
        description="NATS server, as `nats://user:password@host:4222`, or several with commas "
        "between, by which the processes that serve one database tell each other what happens. "
        "Without it there is one process.",
    )
    database_wait: Seconds = Field(
        default=60,
        description="Seconds to wait at the start for a database that does not answer yet.",
    )
    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Folder for the house's own files and its own PostgreSQL.",
    )
    public_url: str | None = Field(
        default=None,
        description="Address that players see, as `https://games.example.org`, "
        "where it differs from the one their browsers ask for.",
    )
    trusted_proxies: str = Field(
        default="127.0.0.1,::1",
        description="Addresses or networks, with commas between, whose forwarded headers count.",
    )
    metrics_from: str = Field(
        default="127.0.0.1,::1",
        description="Addresses or networks, with commas between, that may read `/metrics`.",
    )
    house_key: SecretStr | None = Field(
        default=None, description="With it, only who knows this key may create rooms."
    )
    room_days: Days = Field(
        default=7, description="Days that a table without a game is kept after somebody sat down."
    )
    idle_days: Days = Field(
        default=90,
        description="Days that a game in which nobody moves, and a player who does not come and "
        "has no table, are kept.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="Least important messages to log."
    )
    frame_bytes: Limit = Field(default=65_536, description="Largest message on a socket, in bytes.")
    records_per_minute: Limit = Field(
        default=60, description="Records and older log lines a minute for one address."
    )
    codes_per_minute: Limit = Field(
        default=20,
        description="Codes for a device or a seat, made or tried, a minute from one address.",
    )
    moves_per_second: Limit = Field(default=50, description="Messages a second of one player.")
    messages_per_second: Limit = Field(
        default=500, description="Messages a second on all sockets of one address."
    )
    requests_per_minute: Limit = Field(
        default=6_000,
        description="Requests a minute from one address; what is not there counts as 20.",
    )
    rooms_per_hour: Limit = Field(default=60, description="New rooms an hour from one address.")
    players_per_hour: Limit = Field(
        default=120, description="New players an hour from one address."
    )
    sockets_per_address: Limit = Field(
        default=200, description="Sockets open at once from one address."
    )
    reveal_seconds: Seconds = Field(
        default=5, description="Seconds that a start waits for the browsers' part of the shuffle."
    )
    away_seconds: Seconds = Field(
        default=120,
        description="Seconds away, while asked, after which the others may decide what to do; "
        "also until the host may make a new link for a seat.",
    )
    silent_seconds: Seconds = Field(
        default=600, description="Seconds of silence after which they may, where there is no clock."
    )
    beat_seconds: Seconds = Field(
        default=20, description="Seconds between two beats on a quiet socket."
    )
    send_seconds: Seconds = Field(
        default=30, description="Seconds after which a socket that takes nothing is closed."
    )
    append_seconds: Seconds = Field(
        default=5,
        description="Seconds after which writing a move is given up; "
        "a page takes its line for dead after 7.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - given by name
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Given values first, then the environment; no files."""
        return init_settings, env_settings

    @field_validator("log_level", mode="before")
    @classmethod
    def _capitals(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def _postgres(cls, value: str | None) -> str | None:
        if value is None:
            return None
        _check_text(value)
        try:
            url = make_url(value)
        except (ArgumentError, ValueError) as wrong:
            raise ValueError("should look like postgres://user:password@host/name") from wrong
        if url.drivername not in {"postgres", "postgresql", "postgresql+asyncpg"}:
            raise ValueError("should begin with postgres:// or postgresql://")
        if not url.database:
            raise ValueError("should end with the name of the database, as in postgres://host/name")
        if url.port is not None and not 1 <= url.port <= _MOST_PORT:
            raise ValueError(f"should have a port from 1 to {_MOST_PORT}")
        _check_parameters(url.query)
        return value

    @field_validator("nats_url")
    @classmethod
    def _nats(cls, value: str | None) -> str | None:
        if value is None:
            return None
        _check_text(value)
        for server in value.split(","):
            try:
                url = urlsplit(server.strip())
                right = url.scheme in {"nats", "tls"} and url.hostname and url.port != 0
            except ValueError:
                right = False
            if not right or url.path.strip("/") or url.query or url.fragment:
                raise ValueError("should look like nats://host:4222, with commas between several")
        return value

    @field_validator("house_key")
    @classmethod
    def _sayable(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        key = value.get_secret_value()
        if not key.strip() or len(key) > _MOST_KEY:
            raise ValueError(f"should have 1 to {_MOST_KEY} characters, not all of them blank")
        _check_text(key)
        return value

    @field_validator("public_url")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if not value.startswith(("http://", "https://")):
            raise ValueError("should begin with http:// or https://")
        try:
            parts = urlsplit(value)
            host = parts.netloc if parts.port != 0 else ""
        except ValueError:
            host = ""
        if not is_host(host):
            raise ValueError("should have a name of a host, as in https://games.example.org")
        if parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError("should end with the name of the host: the house has no path")
        return value.rstrip("/")

    @field_validator("trusted_proxies", "metrics_from")
    @classmethod
    def _networks(cls, value: str) -> str:
        for part in filter(None, (part.strip() for part in value.split(","))):
            try:
                ipaddress.ip_network(part, strict=False)
            except ValueError as wrong:
                raise ValueError(
                    f"has {part!r}, which is neither an address nor a network"
                ) from wrong
        return value

    @classmethod
    def load(cls) -> Self:
        """The settings of this process's environment.

        Raises SettingsError that names each wrong setting, never the value of a secret one.
        """
        try:
            return cls()
        except ValidationError as wrong:
            raise SettingsError("\n".join(_sentence(error) for error in wrong.errors())) from None


def _check_text(value: str) -> None:
    if any(0xD800 <= ord(char) <= 0xDFFF for char in value):
        raise ValueError("should be text in UTF-8")


def _check_parameters(query: Mapping[str, object]) -> None:
    for name, value in query.items():
        if name not in _PARAMETERS:
            raise ValueError(
                f"has the parameter {name!r}; only host, port and sslmode can be set there"
            )
        if not isinstance(value, str):
            raise ValueError(f"has the parameter {name!r} more than once")
        if name in {"ssl", "sslmode"} and value not in _SSL_MODES:
            raise ValueError(f"should have one of {', '.join(_SSL_MODES)} as {name}")
        digits = value if value.isascii() and value.isdigit() and len(value) <= 5 else "0"
        if name == "port" and not 1 <= int(digits) <= _MOST_PORT:
            raise ValueError(f"should have a port from 1 to {_MOST_PORT}")


def _sentence(error: Any) -> str:
    name = str(error["loc"][0])
    reason = str(error["msg"]).removeprefix("Value error, ")
    if name in _SECRET:
        return f"{name.upper()} cannot be used: {reason}."
    return f"{name.upper()}={error['input']!s} cannot be used: {reason}."
