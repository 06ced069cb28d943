"""A PostgreSQL of one test file's own, that can be stopped, killed, frozen and made to refuse."""

from __future__ import annotations

import asyncio
import shutil
import signal
import tempfile
import time
from pathlib import Path

import asyncpg
import psutil

from app.database import HOUSE_LOCK
from app.embedded import EmbeddedPostgres

NAME = "motherlode"
OURS = f"pid <> pg_backend_pid() and datname = '{NAME}'"


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
            process.send_signal(signal.SIGCONT)

    def refuse(self) -> None:
        """Cuts all connections and takes no new ones, as in a restart or a restore."""
        self.command(f"alter database {NAME} allow_connections false")
        self.command(f"select pg_terminate_backend(pid) from pg_stat_activity where {OURS}")

    def admit(self) -> None:
        """Takes connections again after `refuse`."""
        self.command(f"alter database {NAME} allow_connections true")

    def end(self) -> None:
        """Ends it for good and removes its files."""
        self._postgres.stop()
        shutil.rmtree(self._folder)

    def command(self, sql: str) -> list[asyncpg.Record]:
        """Runs one command in the maintenance database; returns its rows."""
        return asyncio.run(self._command(sql))

    def wait_claimed(self, seconds: float = 20.0) -> None:
        """Returns once a house has claimed the database as its own."""
        deadline = time.monotonic() + seconds
        claims = f"select 1 from pg_locks where locktype = 'advisory' and objid = {HOUSE_LOCK}"
        while not self.command(claims):
            assert time.monotonic() < deadline, "no house claimed the database"
            time.sleep(0.1)

    def replace_rules(self, hba: str) -> None:
        """Sets who may connect and how (the text of pg_hba.conf)."""
        (self._postgres.data / "pg_hba.conf").write_text(hba)
        self.command("select pg_reload_conf()")

    async def _command(self, sql: str) -> list[asyncpg.Record]:
        url = self._postgres.url("postgres").set(drivername="postgresql")
        connection = await asyncpg.connect(url.render_as_string(hide_password=False))
        try:
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
