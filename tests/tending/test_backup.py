"""A backup, all lost, a restore: the games go on where they were saved."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import struct
import subprocess
import sys
import zipfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from alembic import command as alembic_command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url

from app.config import Settings
from app.database import MIGRATIONS, Database, DatabaseError
from app.embedded import EmbeddedPostgres
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
    with pytest.raises(Failed, match="newer Motherlode"):
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
    with zipfile.ZipFile(file) as archive:
        rooms = archive.getinfo("rooms.copy")
    lengths = struct.unpack_from("<HH", whole, rooms.header_offset + 26)
    middle = bytearray(whole)
    middle[rooms.header_offset + 30 + sum(lengths) + rooms.compress_size // 2] ^= 1
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


FOREIGN = ("create table devices (serial text)", "create table rooms (name text)")


async def change(settings: Settings, *commands: str) -> None:
    """Changes a database as another program would."""
    async with await Database.open(settings) as database:
        connection = await database.connect()
        try:
            await connection.execute(";".join(commands))
        finally:
            await connection.close()


@pytest.fixture
async def foreign(postgres: EmbeddedPostgres) -> AsyncIterator[Settings]:
    """Another program's database, which has tables with names that the house uses too."""
    url, name = postgres.url("postgres"), f"foreign_{uuid4().hex}"
    server = Settings(database_url=url.render_as_string())
    await change(server, f"create database {name}")
    theirs = Settings(database_url=url.set(database=name).render_as_string())
    await change(theirs, *FOREIGN, "insert into rooms values ('kitchen')")
    yield theirs
    await change(server, f"drop database {name} with (force)")


@pytest.mark.parametrize(
    "version", ["", "create table alembic_version (version_num text primary key)"]
)
async def test_tables_of_another_program_are_never_touched(
    house: House, command: Command, foreign: Settings, tmp_path: Path, version: str
) -> None:
    await house.people("Ann")
    file = tmp_path / "house.backup"
    await command("backup", str(file))
    if version:
        await change(foreign, version, "insert into alembic_version values ('0003')")
    for words in ([], ["--replace"]):
        with pytest.raises(Failed, match=r"not Motherlode's .*devices, rooms"):
            await command("restore", str(file), *words, settings=foreign)
    with pytest.raises(Failed, match="nothing of Motherlode"):
        await command("backup", str(tmp_path / "none"), settings=foreign)
    for words in (["rooms"], ["players"], ["sockets"], ["sweep"], ["announce"]):
        with pytest.raises(Failed, match="no tables of this version of Motherlode") as told:
            await command("admin", *words, settings=foreign)
        assert "select" not in str(told.value).lower()
    async with await Database.open(foreign) as theirs:
        with pytest.raises(DatabaseError, match="are not Motherlode's"):
            await theirs.migrate()
        connection = await theirs.connect()
        assert await connection.fetchval("select name from rooms") == "kitchen"
        await connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_backup_that_is_ended_leaves_nothing_behind(
    house: House, tmp_path: Path, number: signal.Signals
) -> None:
    async with house.database.engine.begin() as link:
        await link.execute(text("lock table players in access exclusive mode"))
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "app", "backup", str(tmp_path / "one.backup")),
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": house.database.url},
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(30):
            for _ in range(1500):
                if names(tmp_path):
                    break
                await asyncio.sleep(0.02)
            command.send_signal(number)
            _, told = await command.communicate()
    assert (command.returncode, told, names(tmp_path)) == (1, b"", [])


async def test_a_backup_that_differs_from_what_it_tells_changes_nothing(
    house: House, command: Command, tmp_path: Path
) -> None:
    (ann,) = await house.people("Ann")
    room = await house.open(ann)
    file, other = tmp_path / "one.backup", tmp_path / "other.backup"
    await command("backup", str(file))

    def crafted(change: Callable[[dict[str, Any]], object]) -> None:
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(other, "w") as new:
            manifest = json.loads(old.read("manifest.json"))
            change(manifest)
            for name in old.namelist():
                if name != "manifest.json":
                    new.writestr(name, old.read(name))
            new.writestr("other.copy", b"")
            new.writestr("manifest.json", json.dumps(manifest))

    extra = {"name": "other", "columns": ["a"], "rows": 0}
    changes: list[Callable[[dict[str, Any]], object]] = [
        lambda told: told["tables"].append(extra),
        lambda told: told["tables"].pop(),
        lambda told: told["tables"].append(told["tables"][0]),
        lambda told: told["tables"][0]["columns"].append("more"),
        lambda told: told["tables"][0].update(rows=7),
        lambda told: told.update(version="head"),
    ]
    for each in changes:
        crafted(each)
        with pytest.raises(Failed, match=r"[Bb]ackup"):
            await command("restore", str(other), "--replace")
        assert (await house.rows(room.id))["rooms"] == 1
    crafted(lambda told: told)
    assert "1 room" in await command("restore", str(other), "--replace")


async def test_what_others_keep_beside_our_tables_stays(
    house: House, command: Command, settings: Settings, tmp_path: Path
) -> None:
    await house.people("Ann")
    await change(settings, "create table notes as select 'milk' as line")
    file = tmp_path / "one.backup"
    await command("backup", str(file))
    with zipfile.ZipFile(file) as archive:
        assert "notes.copy" not in archive.namelist()
    assert "1 player" in await command("restore", str(file), "--replace")
    assert await house.sql("select count(*) from notes where line = 'milk'") == 1


async def test_a_user_without_rights_is_told_in_a_sentence(
    house: House, command: Command, settings: Settings, tmp_path: Path
) -> None:
    url = make_url(house.database.url)
    eve = f"eve_of_{url.database}"
    await change(settings, f"create role {eve} login")
    hers = Settings(database_url=url.set(username=eve).render_as_string())
    try:
        for words in (["admin", "rooms"], ["backup", str(tmp_path / "none")]):
            with pytest.raises(Failed, match="does not let this user"):
                await command(*words, settings=hers)
    finally:
        await change(settings, f"drop role {eve}")
    assert names(tmp_path) == []
