"""The database opens, migrates, says what is wrong, and stops what it started."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import psutil
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

import app.chat.models
import app.notify.models
import app.play.models
import app.players.models
import app.rooms.models
import app.tending.models  # noqa: F401 - the imports fill Base.metadata
from app.config import Settings
from app.database import Base, Database, DatabaseError, asyncpg_url, new_id
from app.embedded import EmbeddedPostgres

pytestmark = pytest.mark.servers

ROOT = Path(__file__).resolve().parent.parent


async def test_models_and_migrations_agree(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    async with database.engine.connect() as connection:
        assert await connection.run_sync(differences) == []


async def test_migrating_twice_at_once_and_again_changes_nothing(
    postgres: EmbeddedPostgres,
) -> None:
    async with Database(postgres.url("postgres")) as server, server.engine.connect() as link:
        await link.execution_options(isolation_level="AUTOCOMMIT")
        await link.execute(text("create database twice"))
    async with Database(postgres.url("twice")) as one, Database(postgres.url("twice")) as two:
        await asyncio.gather(one.migrate(), two.migrate())
        await one.migrate()
        async with one.engine.connect() as connection:
            versions = await connection.scalars(text("select version_num from alembic_version"))
            assert len(versions.all()) == 1


async def test_tables_of_a_newer_program_are_left_alone(database: Database) -> None:
    async with database.engine.begin() as connection:
        await connection.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(DatabaseError, match="newer Motherlode"):
        await database.migrate()


async def test_only_one_process_claims_the_house(database: Database, settings: Settings) -> None:
    second = await Database.open(settings)
    assert await database.house_lock.take()
    assert await database.house_lock.take()
    assert not await second.house_lock.take()
    await database.close()
    assert await second.house_lock.take()
    await second.close()


async def test_several_processes_share_the_house_if_all_of_them_have_a_bus(
    database: Database, settings: Settings
) -> None:
    async with await Database.open(settings) as second, await Database.open(settings) as alone:
        assert await database.house_lock.take(shared=True)
        assert await second.house_lock.take(shared=True)
        assert not await alone.house_lock.take()
        await database.close()
        assert not await alone.house_lock.take()
        await second.close()
        assert await alone.house_lock.take()
        assert not await database.house_lock.take(shared=True)
        await database.close()


async def test_a_database_that_is_not_there_is_named(database_url: URL) -> None:
    missing = database_url.set(database="nowhere").render_as_string(hide_password=False)
    with pytest.raises(DatabaseError, match="no database 'nowhere'"):
        await Database.open(Settings(database_url=missing))


async def test_a_wrong_password_is_said_at_once(
    postgres: EmbeddedPostgres, database_url: URL
) -> None:
    rules = postgres.data / "pg_hba.conf"
    before = rules.read_text()
    async with Database(database_url) as database, database.engine.begin() as connection:
        await connection.execute(text("create role ann login password 'right'"))
        rules.write_text(f"local all ann scram-sha-256\n{before}")
        await connection.execute(text("select pg_reload_conf()"))
    wrong = database_url.set(username="ann", password="secret-but-wrong")
    with pytest.raises(DatabaseError, match="refuses user 'ann'") as refusal:
        await Database.open(
            Settings(database_url=wrong.render_as_string(hide_password=False), database_wait=30)
        )
    assert "secret-but-wrong" not in str(refusal.value)
    rules.write_text(before)
    async with Database(database_url) as database, database.engine.begin() as connection:
        await connection.execute(text("select pg_reload_conf()"))
        await connection.execute(text("drop role ann"))


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        ("", "permission denied for table alembic_version"),
        ("grant select on all tables in schema public to {eve}", "no right to delete in table"),
        (
            "grant all on all tables in schema public to {eve};revoke insert on journal from {eve}",
            "no right to insert in table journal",
        ),
        ("revoke connect on database {database} from public", "permission denied for database"),
    ],
)
async def test_a_user_with_too_few_rights_is_named(
    database_url: URL, rights: str, said: str
) -> None:
    async def owner(*commands: str) -> None:
        async with Database(database_url) as database:
            connection = await database.connect()
            await connection.execute(";".join(commands))
            await connection.close()

    # Roles belong to all databases of the run, also to those of another worker.
    eve = f"eve_of_{database_url.database}"
    await owner(f"create role {eve} login", rights.format(eve=eve, database=database_url.database))
    settings = Settings(database_url=database_url.set(username=eve).render_as_string())
    with pytest.raises(DatabaseError, match=f"does not let user '{eve}' use or make") as refusal:
        async with await Database.open(settings) as database:
            await database.migrate()
    assert said in str(refusal.value)
    await owner(f"drop owned by {eve}", f"drop role {eve}")


async def test_a_database_that_does_not_answer_is_waited_for_then_named() -> None:
    nobody = Settings(database_url="postgres://127.0.0.1:1/house", database_wait=0.1)
    with pytest.raises(DatabaseError, match=r"127\.0\.0\.1:1 did not answer within 0\.1 seconds"):
        await Database.open(nobody)


async def test_an_address_that_can_be_none_is_said_at_once() -> None:
    nobody = Settings(database_url=f"postgres://{'a' * 300}/house", database_wait=30)
    with pytest.raises(DatabaseError, match=r"cannot be used\. Check DATABASE_URL"):
        await Database.open(nobody)


async def test_a_database_that_comes_up_later_is_waited_for(data_dir: Path) -> None:
    server = EmbeddedPostgres(data_dir / "postgres", durable=False)
    await asyncio.to_thread(server.start)
    await asyncio.to_thread(server.halt)
    address = server.url("postgres")
    asked = asyncio.Event()

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        asked.set()

    place = Path(str(address.query["host"])) / ".s.PGSQL.5432"
    place.parent.mkdir(exist_ok=True)
    async with await asyncio.start_unix_server(hang_up, place):
        settings = Settings(database_url=address.render_as_string(hide_password=False))
        opening = asyncio.create_task(Database.open(settings))
        async with asyncio.timeout(20):
            await asked.wait()
    assert not opening.done()
    place.unlink(missing_ok=True)
    await asyncio.to_thread(server.resume)
    async with await opening as database:
        await database.migrate()
    assert await asyncio.to_thread(server.stop)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_addresses_in_the_spellings_of_hosts(scheme: str) -> None:
    url = asyncpg_url(f"{scheme}://ann:pw@db.example.org/house?sslmode=require&channel_binding=x")
    assert url.drivername == "postgresql+asyncpg"
    assert url.password == "pw"
    assert dict(url.query) == {"ssl": "require"}


async def test_errors_do_not_show_the_values_of_a_statement(database: Database) -> None:
    with pytest.raises(DBAPIError) as error:
        async with database.engine.connect() as connection:
            await connection.execute(text("select cast(:x as int)"), {"x": "seed-of-a-game"})
    assert "SQL parameters hidden" in str(error.value)


def test_new_ids_are_of_version_7_and_grow() -> None:
    ids = [new_id() for _ in range(100)]
    assert all(isinstance(one, UUID) and one.version == 7 for one in ids)
    assert ids == sorted(ids)


HOUSE = """
import asyncio, sys, pathlib
from app.config import Settings
from app.database import Database
from app.logs import start_logs

start_logs("WARNING")

async def main():
    database = await Database.open(Settings(data_dir=pathlib.Path(sys.argv[1])))
    await database.migrate()
    print("up", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await database.close()

asyncio.run(main())
"""


def _house(data_dir: Path) -> subprocess.Popen[str]:
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    house = subprocess.Popen(
        [sys.executable, "-c", HOUSE, str(data_dir)],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert house.stdout is not None
    assert house.stdout.readline() == "up\n"
    return house


def _end(house: subprocess.Popen[str]) -> None:
    house.communicate("\n", timeout=30)
    assert house.returncode == 0


def _postmaster(data_dir: Path) -> psutil.Process | None:
    file = data_dir / "postgres" / "data" / "postmaster.pid"
    if not file.exists():
        return None
    return psutil.Process(int(file.read_text().splitlines()[0]))


def _gone(process: psutil.Process) -> bool:
    # Where nobody collects orphans, an ended process stays in the list as a zombie.
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_the_embedded_server_stops_even_after_a_killed_process(data_dir: Path) -> None:
    killed = _house(data_dir)
    server = _postmaster(data_dir)
    assert server is not None
    killed.kill()
    killed.communicate()
    assert not _gone(server)
    for folder in (data_dir / "postgres", data_dir / "postgres" / "data"):
        (folder / ".handle_pids.json").write_text(json.dumps([killed.pid]))

    again = _house(data_dir)
    assert _postmaster(data_dir) == server
    _end(again)
    assert _gone(server)
    assert _postmaster(data_dir) is None


def test_the_last_of_two_processes_stops_the_embedded_server(data_dir: Path) -> None:
    one, two = _house(data_dir), _house(data_dir)
    server = _postmaster(data_dir)
    assert server is not None
    assert os.getsid(server.pid) not in {os.getsid(one.pid), os.getsid(two.pid)}, (
        "Ctrl+C in a terminal would stop the database before the house has written all it accepted"
    )
    _end(one)
    assert not _gone(server)
    _end(two)
    assert _gone(server)


def test_a_killed_embedded_server_comes_back(data_dir: Path) -> None:
    house = _house(data_dir)
    server = _postmaster(data_dir)
    assert server is not None
    server.kill()
    house.kill()
    house.communicate()
    _end(_house(data_dir))


async def test_a_long_folder_name_still_has_a_socket(data_dir: Path) -> None:
    deep = data_dir / ("long" * 25)
    async with await Database.open(Settings(data_dir=deep, database_url=None)) as database:
        await database.migrate()
