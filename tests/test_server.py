"""The server as a process: start, sockets, stop, kill."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.engine import URL
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.__main__ import main
from tests.databases import Databases
from tests.faults.houses import UNLIMITED
from tests.servers import ROOT, Server, free_port

pytestmark = pytest.mark.servers

JSON = "motherlode.json.v1"
HTML = "motherlode.html.v1"


@pytest.fixture(scope="module")
async def process(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Server]:
    """The server process of this file."""
    async with databases.lent() as url:
        with Server(
            text_of(url), tmp_path_factory.mktemp("house"), port=None, **UNLIMITED
        ) as running:
            yield running


@pytest.fixture
def server(process: Server) -> Server:
    """The running server process, whatever an earlier test did to it."""
    assert process.process is not None
    return process if process.process.poll() is None else process.start()


@pytest.fixture
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the server."""
    async with httpx.AsyncClient(base_url=server.url) as client:
        yield client


def text_of(url: URL) -> str:
    """Returns a database address with its password."""
    return url.render_as_string(hide_password=False)


async def player(http: httpx.AsyncClient, name: str) -> dict[str, str]:
    """Makes a player and returns the headers of a request in their name."""
    made = await http.post("/api/players", json={"name": name})
    return {"authorization": f"Bearer {made.json()['token']}"}


async def begun(http: httpx.AsyncClient) -> tuple[str, list[dict[str, str]]]:
    """Starts a game of two; returns its code and the players by seat."""
    people = [await player(http, "Ann"), await player(http, "Ben")]
    made = await http.post("/api/rooms", json={"game": "lost_cities"}, headers=people[0])
    code = str(made.json()["code"])
    await http.post(f"/api/rooms/{code}/seats", headers=people[1])
    assert (await http.post(f"/api/rooms/{code}/start", headers=people[0])).status_code == 200
    return code, people


def socket(
    server: Server, code: str, headers: dict[str, str], protocol: str | None = JSON
) -> connect:
    """Opens a socket in a room."""
    return connect(
        f"{server.url.replace('http', 'ws')}/rooms/{code}/socket",
        subprotocols=[protocol] if protocol else None,  # type: ignore[list-item]
        additional_headers=headers,
        max_size=None,
    )


async def heard(connection: ClientConnection, kind: str = "state") -> Any:
    """Returns the next message of a kind."""
    async with asyncio.timeout(10):
        while True:
            message = json.loads(await connection.recv())
            if message["t"] == kind:
                return message


ODD_ANSWERS = {"bad_message", "malformed", "not_asked", 1003, 1006, 1007, 1009}


async def answered(connection: ClientConnection, frame: str | bytes) -> str | int | None:
    """Sends a frame; returns the code of its refusal, or with which code the socket closed."""
    try:
        await connection.send(frame)
        return str((await heard(connection, "refused"))["code"])
    except ConnectionClosed:
        return connection.close_code


async def test_a_move_on_one_socket_is_seen_on_the_other(
    server: Server, http: httpx.AsyncClient
) -> None:
    code, people = await begun(http)
    async with socket(server, code, people[0]) as ann, socket(server, code, people[1]) as ben:
        states = [await heard(ann), await heard(ben)]
        mover = ann if states[0]["d"]["prompt"] else ben
        prompt = (states[0]["d"]["prompt"]) or states[1]["d"]["prompt"]
        move = {"t": "move", "id": "a", "prompt": prompt["n"], "moves": [prompt["legal"][0]]}
        await mover.send(json.dumps(move))
        for connection in (ann, ben):
            state = await heard(connection)
            while state["v"] < 1:
                state = await heard(connection)
            assert state["v"] == 1
            assert state["ack"] == ("a" if connection is mover else None)


async def test_the_address_is_told(server: Server) -> None:
    said = [json.loads(line) for line in server.output().splitlines()]
    told = next(line for line in said if line["event"] == "house_listening")
    assert told["addresses"] == [f"http://127.0.0.1:{server.port}/"]


async def test_sockets_are_refused_before_they_are_open(
    server: Server, http: httpx.AsyncClient
) -> None:
    code, people = await begun(http)
    cookie = {"cookie": f"motherlode={people[0]['authorization'].removeprefix('Bearer ')}"}
    own = {"origin": server.url}
    cases: list[tuple[str, dict[str, str], str | None, int | None]] = [
        (code, {**cookie, **own}, HTML, None),
        (code, {**cookie, "sec-fetch-site": "same-origin"}, HTML, None),
        (code, {}, JSON, None),
        (code, {**people[0], "origin": "http://evil.test"}, JSON, None),
        (code, cookie, HTML, 403),
        (code, {**cookie, "origin": "null"}, HTML, 403),
        (code, {**cookie, "origin": "http://evil.test"}, HTML, 403),
        (code, {**cookie, "origin": "http://127.0.0.1:1"}, HTML, 403),
        (code, {**cookie, "origin": f"http://127.0.0.1.evil.test:{server.port}"}, JSON, 403),
        (code, {**cookie, "sec-fetch-site": "same-site"}, HTML, 403),
        (code, {**cookie, **own, "sec-fetch-site": "cross-site"}, HTML, 403),
        (code, people[0], None, 400),
        (code, people[0], "chat.v9", 400),
        (code, {"authorization": "Bearer nobody"}, JSON, 401),
        ("bado-bado-bado-bado", people[0], JSON, 404),
    ]
    for room, headers, protocol, refused in cases:
        if refused is None:
            async with socket(server, room, headers, protocol) as opened:
                assert (await heard(opened))["v"] == 0
        else:
            with pytest.raises(InvalidStatus) as refusal:
                await socket(server, room, headers, protocol)
            assert refusal.value.response.status_code == refused, headers


async def test_odd_frames_harm_nobody_else(server: Server, http: httpx.AsyncClient) -> None:
    code, people = await begun(http)
    frames: list[str | bytes] = [
        "null", "1", "[]", '""', "{}", "{", "NaN", '{"t":"move"}', "[" * 60_000,
        '{"t":"move","id":"x","prompt":1e999,"moves":[{}]}',
        '{"t":"form","id":"x","prompt":0,"fields":[["\\ud800","\\u0000"]]}',
        '{"t":"move","id":"y","prompt":0,"moves":[{"kind":"play","card":"\\u0000"}]}',
        f'{{"t":"move","id":"z","prompt":{"9" * 400},"moves":[]}}',
        b"\x00\xff", "x" * 10_000_000,
    ]  # fmt: skip
    async with socket(server, code, people[1]) as other:
        await heard(other)
        for frame in frames:
            async with socket(server, code, people[0]) as odd:
                await heard(odd)
                assert await answered(odd, frame) in ODD_ANSWERS
        await other.send('{"t":"ping"}')
        assert await heard(other, "pong")
    assert (await http.get("/readyz")).status_code == 200


async def test_a_stop_tells_sockets_to_come_back(server: Server, http: httpx.AsyncClient) -> None:
    code, people = await begun(http)
    async with socket(server, code, people[0]) as connection:
        before = await heard(connection)
        assert await asyncio.to_thread(server.stop) == 0
        await connection.wait_closed()
        assert connection.close_code == 1012
    await asyncio.to_thread(server.start)
    async with socket(server, code, people[0]) as connection:
        after = await heard(connection)
    assert after["d"]["view"] == before["d"]["view"]
    assert after["d"]["prompt"] == before["d"]["prompt"]


async def test_a_kill_loses_nothing_that_was_acknowledged(
    server: Server, http: httpx.AsyncClient
) -> None:
    code, people = await begun(http)
    for number in range(3):
        for headers in people:
            shown = (await http.get(f"/api/rooms/{code}/view", headers=headers)).json()
            if not shown["prompt"]:
                continue
            legal = shown["prompt"]["legal"][0]
            body = {"id": f"m{number}", "prompt": shown["prompt"]["n"], "moves": [legal]}
            moved = await http.post(f"/api/rooms/{code}/moves", json=body, headers=headers)
            acknowledged = (headers, body, moved.json())
            break
    server.kill()
    await asyncio.to_thread(server.start)
    headers, body, before = acknowledged
    again = await http.post(f"/api/rooms/{code}/moves", json=body, headers=headers)
    assert again.json()["v"] == before["v"] == 3
    assert again.json()["view"] == before["view"]


def test_a_database_that_does_not_answer_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    nowhere = "postgres://x:secret@127.0.0.1:1/y"
    server = Server(nowhere, tmp_path, port=free_port(), DATABASE_WAIT="0.1")
    server.start(ready=False)
    assert server.wait() == 1
    assert "did not answer within 0.1 seconds" in server.output()
    assert "Traceback" not in server.output()
    assert "secret" not in server.output()


def test_a_port_that_is_taken_is_named(server: Server, tmp_path: Path) -> None:
    second = Server("postgres://unused/unused", tmp_path / "second", port=server.port)
    second.start(ready=False)
    assert second.wait() == 1
    assert f"Port {server.port}" in second.output()
    assert "set PORT" in second.output()
    assert "Traceback" not in second.output()


def export(server: Server, code: str, file: Path) -> subprocess.CompletedProcess[str]:
    """Writes a record to a file, as a process of its own."""
    database = {"DATABASE_URL": server.database_url, "DATA_DIR": str(server.folder / "data")}
    return subprocess.run(
        [sys.executable, "-m", "app", "export", code, str(file)],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **database},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_a_record_is_exported_and_verified(
    server: Server,
    http: httpx.AsyncClient,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, people = await begun(http)
    file = tmp_path / "record.json"
    running = await asyncio.to_thread(export, server, code, file)
    assert running.returncode == 0, running.stderr
    assert "server_seed" not in file.read_text()
    assert main(["verify", str(file)]) == 1

    async with socket(server, code, people[0]) as ann:
        await heard(ann)
        await ann.send('{"t":"do","id":"c","what":"concede"}')
        while (await heard(ann))["d"]["room"]["status"] != "finished":
            pass
    again = await asyncio.to_thread(export, server, code, file)
    assert (again.returncode, "exists already" in again.stderr) == (1, True)
    told = await asyncio.to_thread(export, server, code, Path("-"))
    file.write_text(told.stdout)
    capsys.readouterr()
    assert main(["verify", str(file)]) == 0
    assert "is consistent" in capsys.readouterr().out
    file.write_text(file.read_text().replace("Ann", "Amy"))
    assert main(["verify", str(file)]) == 1
    unknown = await asyncio.to_thread(export, server, "bado", file)
    assert (unknown.returncode, unknown.stderr.strip()) == (1, "There is no room with this code.")


def test_a_house_without_settings_starts_its_own_database(tmp_path: Path) -> None:
    port = free_port()
    with Server("", tmp_path, port=port) as server:
        made = httpx.post(f"{server.url}/api/players", json={"name": "Ann"})
        assert made.status_code == 201
        token = {"authorization": f"Bearer {made.json()['token']}"}
        server.kill()
        server.start()
        room = httpx.post(f"{server.url}/api/rooms", json={"game": "lost_cities"}, headers=token)
        assert room.status_code == 201


def _own_postmaster(server: Server) -> int | None:
    """The process of a house's own PostgreSQL."""
    file = server.folder / "data" / "postgres" / "data" / "postmaster.pid"
    return int(file.read_text().splitlines()[0]) if file.exists() else None


def _until(true: Callable[[], object], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it should have happened by now"
        time.sleep(0.02)


def test_a_house_starts_its_own_database_again_when_that_died(tmp_path: Path) -> None:
    with Server("", tmp_path) as server:
        first = _own_postmaster(server)
        assert first is not None
        os.kill(first, signal.SIGKILL)
        _until(lambda: "postgresql_started_again" in server.output())
        assert _own_postmaster(server) != first
        server.wait_ready()
        made = httpx.post(f"{server.url}/api/players", json={"name": "Ann"})
        assert made.status_code == 201
    assert _own_postmaster(server) is None


def test_ctrl_c_ends_a_house_that_is_starting_its_database(tmp_path: Path) -> None:
    server = Server("", tmp_path).start(ready=False)
    assert server.process is not None
    _until((tmp_path / "data" / "postgres" / "starting").exists)
    server.process.send_signal(signal.SIGINT)
    assert server.wait() == 0
    assert "Traceback" not in server.output()
    assert "house_listening" not in server.output()
    assert _own_postmaster(server) is None


LOADING = """
import os, runpy, signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "app.server":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv = ["app", "serve"]
runpy.run_module("app", run_name="__main__", alter_sys=True)
"""


def test_ctrl_c_while_the_program_is_loaded_ends_it_without_a_word() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")
