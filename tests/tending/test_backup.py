"""A backup, all lost, a restore: the games go on where they were saved."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic import command as alembic_command
from alembic.config import Config
from sqlalchemy import Connection

from app.config import Settings
from app.database import MIGRATIONS, DatabaseError
from app.tending.failed import Failed
from tests.realtime.people import Person, person, started
from tests.servers import ROOT, Server
from tests.tending.conftest import Command, House

pytestmark = pytest.mark.servers


def tend(server: Server, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs a command of the host of a house, as a process of its own."""
    settings = {"DATABASE_URL": server.database_url, "DATA_DIR": str(server.folder / "data")}
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "app", *words],
        cwd=ROOT,
        env=environment | settings,
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
    )


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return [path.name for path in folder.iterdir()]


async def shown(people: list[Person], code: str) -> list[dict[str, Any]]:
    """What each of the players sees of the game and is asked."""
    seen = [(await one.get(f"/rooms/{code}/view")).json() for one in people]
    return [{key: one[key] for key in ("v", "view", "prompt")} for one in seen]


async def move(people: list[Person], code: str) -> int:
    """Has whoever is asked make a move; returns the game's new `v`."""
    for one, seen in zip(people, await shown(people, code), strict=True):
        prompt = seen["prompt"]
        if prompt:
            body = {"id": f"m{seen['v']}", "prompt": prompt["n"], "moves": [prompt["legal"][-1]]}
            moved = await one.post(f"/rooms/{code}/moves", body)
            return int(moved.json()["v"])
    raise AssertionError("somebody should owe a move")


async def test_a_game_goes_on_after_backup_loss_and_restore(
    settings: Settings, command: Command, tmp_path: Path
) -> None:
    file = tmp_path / "evening.backup"
    assert settings.database_url is not None
    house = Server(settings.database_url, tmp_path / "house")
    async with httpx.AsyncClient(timeout=10) as http:
        with house:
            people = [await person(house.url, http, name) for name in ("Ann", "\N{OLDER MAN}Bo")]
            code = await started(people, "lost_cities")
            await move(people, code)
            saved = await command("backup", str(file))
            assert saved == f"Saved to {file}: 1 room with 2 entries, 2 players."
            assert file.stat().st_mode & 0o077 == 0, "it holds secrets"
            before = await shown(people, code)
            await move(people, code)
            with pytest.raises(Failed, match="serves this database"):
                await command("restore", str(file), "--replace")
        with pytest.raises(Failed, match="--replace"):
            await command("restore", str(file))
        assert "1 room with 2 entries" in await command("restore", str(file), "--replace")
        with house:
            assert await shown(people, code) == before
            assert await move(people, code) == 2


@pytest.mark.faults
async def test_a_backup_moves_a_house_to_another_postgresql(
    settings: Settings, command: Command, tmp_path: Path
) -> None:
    """From a server to the house's own, which is not there yet, through standard input."""
    file = tmp_path / "evening.backup"
    assert settings.database_url is not None
    async with httpx.AsyncClient(timeout=10) as http:
        with Server(settings.database_url, tmp_path / "house") as house:
            people = [await person(house.url, http, name) for name in ("Ann", "Bo")]
            code = await started(people, "splendor")
            await command("backup", str(file))
            before = await shown(people, code)
        other = Server("", tmp_path / "other")
        restored = await asyncio.to_thread(tend, other, "restore", "-", stdin=file.read_bytes())
        assert restored.returncode == 0, restored.stderr
        with other:
            for one in people:
                one.url = other.url
            assert await shown(people, code) == before
            await move(people, code)
            again = await asyncio.to_thread(tend, other, "backup", "-")
            assert again.stdout[:2] == b"PK"
            listed = await asyncio.to_thread(tend, other, "admin", "rooms")
            assert code.encode() in listed.stdout
            sockets = await asyncio.to_thread(tend, other, "admin", "sockets")
            assert b"Open: 0 sockets." in sockets.stdout


def as_of(version: str) -> Callable[[Connection], None]:
    """Takes the tables of a database back to an older version."""

    def downgrade(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        alembic_command.downgrade(config, version)

    return downgrade


async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    house: House, command: Command, tmp_path: Path
) -> None:
    player, token = await house.players.create("Ann")
    room = await house.open(player)
    async with house.database.patient() as connection:
        await connection.run_sync(as_of("0003"))
    file = tmp_path / "old.backup"
    await command("backup", str(file))
    await command("restore", str(file), "--replace")
    found = await House(house.database).players.by_token(token)
    assert found is not None
    assert found.id == player.id
    assert (await house.rooms.by_code(room.code)).people == room.people
    with zipfile.ZipFile(file, "a") as archive:
        manifest = json.loads(archive.read("manifest.json")) | {"version": "9999"}
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("manifest.json", json.dumps(manifest))
    with pytest.raises(DatabaseError, match="newer Motherlode"):
        await command("restore", str(file), "--replace")
    assert (await house.rooms.by_code(room.code)).id == room.id


async def test_what_is_no_whole_backup_changes_nothing(
    house: House, command: Command, tmp_path: Path
) -> None:
    (ann,) = await house.people("Ann")
    room = await house.open(ann)
    file = tmp_path / "one.backup"
    await command("backup", str(file))
    whole = file.read_bytes()
    middle = bytearray(whole)
    middle[len(whole) // 3] ^= 1
    for broken in (b"", b"no zip", whole[:-40], bytes(middle), whole[:200]):
        file.write_bytes(broken)
        with pytest.raises(Failed):
            await command("restore", str(file), "--replace")
        assert (await house.rows(room.id))["rooms"] == 1
    with pytest.raises(Failed, match="exists already"):
        await command("backup", str(file))
    with pytest.raises(Failed, match="cannot be read"):
        await command("restore", str(tmp_path / "nothing"))
    with pytest.raises(Failed, match="cannot be written"):
        await command("backup", str(tmp_path / "no" / "folder"))
    assert names(tmp_path) == ["one.backup"]
