"""What happens below the messages: peers that never read, refused handshakes, broken texts."""

from __future__ import annotations

import asyncio
import base64
import logging
import socket
import time
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.config import Settings
from app.realtime import connection
from app.realtime.protocol import HTML_PROTOCOL
from app.web.transport import SocketProtocol
from tests.realtime.conftest import Arrive
from tests.realtime.people import Person, started

pytestmark = pytest.mark.servers

SYNC = b"\x81\x8c" + bytes(4) + b'{"t":"sync"}'
"""One masked frame; the mask is zero."""


def handshake(url: str, code: str) -> bytes:
    """Returns the request that opens a socket in a room."""
    key = base64.b64encode(bytes(16)).decode()
    return (
        f"GET /rooms/{code}/socket HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: {HTML_PROTOCOL}\r\n\r\n"
    ).encode("latin-1")


def ask_and_never_read(url: str, code: str, seconds: float) -> bool:
    """Asks for states without reading any; tells whether the connection was cut in time."""
    address = urlsplit(url)
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        peer.settimeout(0.2)
        peer.connect((address.hostname, address.port))
        peer.sendall(handshake(url, code))
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                peer.send(SYNC * 20)
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                return True
            time.sleep(0.005)
    return False


class TestDeaf:
    @pytest.fixture
    def house_settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"send_seconds": 0.3})

    async def test_who_reads_nothing_loses_the_connection_itself(
        self, arrive: Arrive, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "CLOSE_SECONDS", 0.3)
        monkeypatch.setattr(SocketProtocol, "abort_seconds", 0.3)
        code = await started([await arrive("Ann"), await arrive("Bo")], "lost_cities")
        assert await asyncio.to_thread(ask_and_never_read, url, code, 20)


@pytest.mark.parametrize("odd", ['a={"x":1}', "path=/", "\u00e4", 'x="unclosed'])
async def test_cookies_of_other_services_do_not_hide_ours(arrive: Arrive, odd: str) -> None:
    ann = await arrive("Ann")
    code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    for cookies in (f"{odd}; motherlode={ann.token}", f"motherlode={ann.token}; {odd}"):
        async with Person(ann.url, None, ann.http, cookies).line(code) as line:
            assert line.state["d"]["room"]["you"] == 0


async def test_what_strangers_cause_is_no_error_in_the_log(
    arrive: Arrive, caplog: pytest.LogCaptureFixture
) -> None:
    ann = await arrive("Ann")
    code = (await ann.post("/rooms", {"game": "lost_cities"})).json()["code"]
    with caplog.at_level(logging.WARNING):
        with pytest.raises(InvalidStatus) as refused:
            async with ann.line("bado-bado-bado-bado"):
                pass
        assert refused.value.response.status_code == 404
        for texts in (b"\xff\xfe", [b"ab", b"\xff"]):
            async with ann.line(code) as line:
                await line.socket.send(texts, text=True)
                with pytest.raises(ConnectionClosed) as closed:
                    await line.hear_of("refused")
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1007
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
