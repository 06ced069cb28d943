"""Which proxies are believed, and the address under which people reach this house.

A proxy in front of the server knows the true scheme, host and client; a stranger may send the
same headers. They count only when the connection itself comes from a trusted address.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from app.config import is_host

Network = IPv4Network | IPv6Network

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def header(scope: Scope, name: bytes) -> str | None:
    """Returns the first header of that lower-case name, or None."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


class TrustedNetworks:
    """The addresses whose forwarded headers are believed."""

    def __init__(self, listed: str) -> None:
        """Reads addresses and networks separated by commas. Raises ValueError on a bad one."""
        parts = [part.strip() for part in listed.split(",") if part.strip()]
        self._networks: tuple[Network, ...] = tuple(
            ip_network(part, strict=False) for part in parts
        )

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        try:
            parsed = ip_address(address.strip("[]"))
        except ValueError:
            return False
        parsed = getattr(parsed, "ipv4_mapped", None) or parsed
        return any(parsed in network for network in self._networks)


class ProxyHeaders:
    """ASGI: takes scheme, host and client from a trusted proxy's headers, and drops them else."""

    def __init__(self, app: ASGIApp, *, trusted: TrustedNetworks) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or socket."""
        client = scope.get("client")
        if self._trusted and scope["type"] != "lifespan" and client and client[0] in self._trusted:
            scope = self._rewritten(scope)
        await self._app(scope, receive, send)

    def _rewritten(self, scope: Scope) -> Scope:
        changed: dict[str, Any] = dict(scope)
        scheme = _last(header(scope, b"x-forwarded-proto"))
        if scheme in {"http", "https"}:
            socket = scope["type"] == "websocket"
            changed["scheme"] = scheme.replace("http", "ws") if socket else scheme
        host = _last(header(scope, b"x-forwarded-host"))
        if host and is_host(host):
            kept = [pair for pair in scope["headers"] if pair[0] != b"host"]
            changed["headers"] = [(b"host", host.encode("latin-1")), *kept]
        hops = (header(scope, b"x-forwarded-for") or "").split(",")
        for hop in reversed([hop.strip() for hop in hops if hop.strip()]):
            changed["client"] = (hop, 0)
            if hop not in self._trusted:
                break
        return changed


def _last(listed: str | None) -> str:
    """Returns the last value of a comma-separated header: the one our own proxy wrote."""
    return listed.rsplit(",", 1)[-1].strip().lower() if listed else ""


@dataclass(frozen=True, slots=True)
class Origin:
    """A scheme (`http` or `https`) and a host with its port, as an address bar shows them."""

    scheme: str
    host: str

    @property
    def url(self) -> str:
        """The address without a slash at the end."""
        return f"{self.scheme}://{self.host}"

    @classmethod
    def read(cls, text: str) -> Origin | None:
        """Reads an address or an Origin header; None when it is neither http nor https."""
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            return None
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            return None
        return cls(parts.scheme, _host(parts.scheme, parts.hostname, port))


def outer(scope: Scope, public: Origin | None) -> Origin:
    """Returns the address by which this request reached the house, as its sender sees it.

    When the Host is that of PUBLIC_URL, its scheme is believed as well: the proxy may be one that
    was not listed as trusted.
    """
    scheme = scope.get("scheme", "http").replace("ws", "http")
    host = (header(scope, b"host") or "localhost").lower()
    if public is not None:
        bare = Origin.read(f"{public.scheme}://{host}")
        if bare is not None and bare.host == public.host:
            return public
    return Origin.read(f"{scheme}://{host}") or Origin(scheme, "localhost")


def _host(scheme: str, name: str, port: int | None) -> str:
    shown = f"[{name}]" if ":" in name else name.lower()
    return shown if port in {None, _DEFAULT_PORTS[scheme]} else f"{shown}:{port}"
