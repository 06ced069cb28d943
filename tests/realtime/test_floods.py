"""More than a connection may send: it is ended with an answer, and nobody else waits."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import pytest

from tests.realtime.conftest import Arrive
from tests.realtime.people import started
from tests.realtime.test_transport import handshake

pytestmark = pytest.mark.servers

MOST_SENT = 40_000_000
MASK = bytes(4)
PING, PONG, MORE, TEXT = 0x89, 0x8A, 0x00, 0x01
HEAD = b"GET /healthz HTTP/1.1\r\nHost: house.test\r\n"
BOTH_LENGTHS = b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: MDAwMDAwMDAwMDAwMDAwMA==\r\n"
)


def frame(kind: int, data: bytes = b"") -> bytes:
    """One masked frame with a mask of zeros."""
    return bytes([kind, 0x80 | len(data)]) + MASK + data


def pour(url: str, first: bytes, flood: bytes) -> tuple[bytes, int]:
    """Sends `first`, then `flood` again and again without reading, until the connection is cut.

    A handshake is answered before that. Returns what had come, and how many bytes were sent.
    """
    address = urlsplit(url)
    sent = 0
    with socket.create_connection((address.hostname, address.port or 80)) as peer:
        peer.settimeout(2)
        peer.sendall(first)
        heard = peer.recv(1_000) if b"Upgrade" in first else b""
        with suppress(OSError):
            while sent < MOST_SENT:
                sent += peer.send(flood)
        with suppress(OSError):
            while part := peer.recv(65_536):
                heard += part
    return heard, sent


@pytest.mark.parametrize(
    ("first", "flood"),
    [
        (b"", frame(PING, b"x" * 100) * 500),
        (b"", frame(PONG) * 5_000),
        (frame(TEXT), frame(MORE) * 5_000),
        (b"", frame(TEXT | 0x80, b"1") * 5_000),
    ],
    ids=["pings", "pongs", "empty pieces", "tiny messages"],
)
async def test_a_flood_of_frames_ends_its_socket_alone(
    arrive: Arrive, url: str, http: httpx.AsyncClient, first: bytes, flood: bytes
) -> None:
    ann, bo = await arrive("Ann"), await arrive("Bo")
    code = await started([ann, bo], "lost_cities", {"first": 0})
    async with ann.line(code) as line:
        pouring = asyncio.create_task(
            asyncio.to_thread(pour, url, handshake(url, code), first + flood)
        )
        while not pouring.done():
            await line.say({"t": "ping"})
            await line.hear_of("pong")
            await asyncio.sleep(0.05)
        heard, sent = await pouring
    assert sent < MOST_SENT
    assert b" 101 " in heard
    assert struct.pack(">H", 1008) + b"too many frames" in heard


@pytest.mark.parametrize(
    ("first", "flood", "answer"),
    [
        (HEAD, b"X-Y: aaaaaaaaaaaa\r\n" * 3_000, b"HTTP/1.1 431 "),
        (HEAD + b"X-Y: ", b"a" * 60_000, b"HTTP/1.1 431 "),
        (b"GET /", b"a" * 60_000, b"HTTP/1.1 431 "),
        (b"", b"GET /healthz HTTP/1.1\r\n\r\n" * 2_000, b""),
        (
            b"POST /name HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
            b"X-Y: aaaaaaaaaaaa\r\n" * 3_000,
            b"",
        ),
    ],
    ids=["headers", "one header", "address", "requests at once", "trailers"],
)
async def test_a_request_without_an_end_is_cut_off(
    url: str, http: httpx.AsyncClient, first: bytes, flood: bytes, answer: bytes
) -> None:
    heard, sent = await asyncio.to_thread(pour, url, first, flood)
    assert sent < MOST_SENT
    assert heard.startswith(answer)
    assert (await http.get(f"{url}/healthz")).status_code == 200


def ask(url: str, request: bytes) -> bytes:
    """Sends a request; returns all that comes until the house closes the connection."""
    address = urlsplit(url)
    heard = b""
    with socket.create_connection((address.hostname, address.port or 80)) as peer:
        peer.settimeout(5)
        peer.sendall(request)
        while part := peer.recv(65_536):
            heard += part
    return heard


SOCKET = b"GET /rooms/x/socket HTTP/1.1\r\nHost: x\r\n" + UPGRADE


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"POST /name HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (HEAD.replace(b"GET", b"POST") + BOTH_LENGTHS, 400),
        (SOCKET + b"Content-Length: 10\r\n\r\n0123456789", 400),
        (SOCKET + b"Transfer-Encoding: chunked\r\n\r\n", 400),
        (SOCKET + b"X: y\r\n" * 300 + b"\r\n", 431),
        (SOCKET.replace(b"/x/", b"/" + b"x" * 20_000 + b"/") + b"\r\n", 414),
        (SOCKET.replace(b"Version: 13", b"Version: 8") + b"\r\n", 400),
        (SOCKET.replace(b"GET", b"POST") + b"\r\n", 405),
    ],
    ids=range(10),
)
async def test_what_is_no_request_is_answered_and_not_logged(
    url: str, caplog: pytest.LogCaptureFixture, request_: bytes, status: int
) -> None:
    with caplog.at_level(logging.WARNING):
        heard = await asyncio.to_thread(ask, url, request_)
    assert heard.startswith(b"HTTP/1.1 %d " % status)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_who_goes_away_in_the_middle_of_a_body_is_no_error_in_the_log(
    url: str, http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    address = urlsplit(url)
    with caplog.at_level(logging.WARNING):
        with socket.create_connection((address.hostname, address.port or 80)) as peer:
            peer.sendall(b"POST /name HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nname=")
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.1)
        assert (await http.get(f"{url}/healthz")).status_code == 200
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
