"""A PostgreSQL of one test file's own, which can be given every trouble that there is."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import asyncpg
import psutil

from app.embedded import EmbeddedPostgres
from app.house_lock import HOUSE_LOCK

NAME = "motherlode"
OURS = f"pid <> pg_backend_pid() and datname = '{NAME}'"
REFUSE = f"alter database {NAME} allow_connections false"
ADMIT = f"alter database {NAME} allow_connections true"
CUT = f"select pg_terminate_backend(pid) from pg_stat_activity where {OURS}"
WRITER = f"select pid from pg_stat_activity where {OURS} and query like '%insert into journal%$10%'"
CLAIMS = f"select pid from pg_locks where locktype = 'advisory' and objid = {HOUSE_LOCK}"
FULL = """
create or replace function no_room() returns trigger language plpgsql
as $$ begin insert into full_disk values ('one more'); return null; end $$;
do $$ declare t text; begin
for t in select tablename from pg_tables where schemaname = 'public' and tablename <> 'full_disk'
loop execute format(
    'create trigger no_room before insert or update on %I execute function no_room()', t
); end loop; end $$;
"""


class Cluster:
    """A durable PostgreSQL with one empty database. All methods block.

    Its folder is not one of pytest's, which lets nobody but their owner pass: run by root, the
    server belongs to a user of its own.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="motherlode-faults-"))
        self._postgres = EmbeddedPostgres(self._folder / "postgres")
        self._postgres.start()
        self.command(f"create database {NAME}")
        self.url = self._postgres.url(NAME)

    @property
    def address(self) -> str:
        """What a host would write into DATABASE_URL."""
        return self.url.render_as_string(hide_password=False)

    def start(self) -> None:
        """Starts it again after `stop` or `kill`."""
        self._postgres.resume()

    def stop(self) -> None:
        """Stops it in good order; open connections are cut."""
        self._postgres.halt()

    def kill(self) -> None:
        """Kills all its processes at once."""
        for process in self._processes():
            process.send_signal(signal.SIGKILL)
        psutil.wait_procs(self._processes(), timeout=10)

    def freeze(self) -> None:
        """Stops all its processes where they are: connections stay open, nothing answers."""
        for process in self._processes():
            process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets them go on after `freeze`."""
        for process in self._processes():
            # Whose house has gone may end as soon as the one before goes on.
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGCONT)

    def refuse(self) -> None:
        """Cuts all connections and takes no new ones, as in a restart or a restore."""
        self.command(REFUSE)
        self.command(CUT)

    def admit(self) -> None:
        """Takes connections again after `refuse`."""
        self.command(ADMIT)

    def cut(self) -> None:
        """Cuts all connections; new ones are taken."""
        self.command(CUT)

    def only_read(self) -> None:
        """Lets nothing be written, as a standby does after its house was sent there."""
        self.command(f"alter database {NAME} set default_transaction_read_only = on")
        self.command(CUT)

    def write_again(self) -> None:
        """Lets new connections write again; those that are open still only read."""
        self.command(f"alter database {NAME} reset default_transaction_read_only")

    def fill(self) -> None:
        """Leaves no room on its disk: whatever is inserted or updated needs another page of a file.

        The kernel's own full device takes the place of that file.
        """
        self.command("create table if not exists full_disk (line text)", NAME)
        found = self.command("select pg_relation_filepath('full_disk') as path", NAME)
        self.command("checkpoint")
        file = self._postgres.data / found[0]["path"]
        file.unlink()
        file.symlink_to("/dev/full")
        self.command(FULL, NAME)

    def free(self) -> None:
        """Makes room again after `fill`."""
        self.command("drop function no_room cascade", NAME)

    def freeze_writer(self) -> int:
        """Stops the one process that writes moves for the house; returns its number."""
        return self._freeze_one(WRITER)

    def freeze_claimer(self) -> int:
        """Stops the one process by which a house claims the database; returns its number."""
        return self._freeze_one(CLAIMS)

    def _freeze_one(self, which: str) -> int:
        ((pid,),) = self.command(which)
        os.kill(pid, signal.SIGSTOP)
        return int(pid)

    def end(self) -> None:
        """Ends it for good and removes its files."""
        self._postgres.stop()
        shutil.rmtree(self._folder)

    def command(self, sql: str, database: str = "postgres") -> list[asyncpg.Record]:
        """Runs one command, by default in the maintenance database; returns its rows."""
        return asyncio.run(self._command(sql, database))

    def wait_claimed(self, seconds: float = 20.0) -> None:
        """Returns once a house has claimed the database as its own."""
        deadline = time.monotonic() + seconds
        while not self.command(CLAIMS):
            assert time.monotonic() < deadline, "no house claimed the database"
            time.sleep(0.1)

    def replace_rules(self, hba: str) -> None:
        """Sets who may connect and how (the text of pg_hba.conf)."""
        (self._postgres.data / "pg_hba.conf").write_text(hba)
        self.command("select pg_reload_conf()")

    async def connect(self, database: str = "postgres") -> asyncpg.Connection[asyncpg.Record]:
        """Opens a connection."""
        url = self._postgres.url(database).set(drivername="postgresql")
        return await asyncpg.connect(url.render_as_string(hide_password=False))

    async def _command(self, sql: str, database: str) -> list[asyncpg.Record]:
        connection = await self.connect(database)
        try:
            if ";" in sql:
                await connection.execute(sql)
                return []
            return await connection.fetch(sql)
        finally:
            await connection.close()

    def _processes(self) -> list[psutil.Process]:
        lines = (self._postgres.data / "postmaster.pid").read_text().splitlines()
        try:
            postmaster = psutil.Process(int(lines[0]))
        except psutil.NoSuchProcess:
            return []
        return [postmaster, *postmaster.children(recursive=True)]
