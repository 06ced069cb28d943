"""The real nginx, with what the repository offers for it, on ports of a test's own.

Only addresses, ports and folders are put in the place of those that a host would have, and what a
test says. Each answer tells in `X-House` who was asked.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import httpx

from tests.certificates import certificate
from tests.servers import ROOT, free_port

START_SECONDS = 10.0
LEFT_OUT = 5.0
"""Seconds for which the ready configuration asks nothing of a process that took no connection."""
_PLACES = ("/usr/local/sbin", "/usr/sbin", str(ROOT / "build/nginx/usr/sbin"))
_KEPT = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def _program() -> str:
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *_PLACES))
    found = shutil.which("nginx", path=path)
    assert found, "expected nginx; tests/programs.sh gets it"
    return found


class Nginx:
    """One nginx, in the foreground. A context manager; `url` is where it listens."""

    def __init__(self, url: str, configuration: str) -> None:
        self.url = url
        self._text = configuration
        self._process: subprocess.Popen[bytes] | None = None

    def check(self) -> None:
        """Raises AssertionError with what nginx says, unless it would start without a word."""
        with self._folder_laid():
            command = [*self._command, "-t"]
            said = subprocess.run(command, capture_output=True, text=True, check=False)
            told = said.stderr + self._log
        assert said.returncode == 0, told
        assert not re.search(r"\[(warn|emerg)\]", told), told

    def __enter__(self) -> Nginx:
        self._folder_laid()
        self._process = subprocess.Popen(self._command)
        url = httpx.URL(self.url)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection((url.host, url.port or 0), timeout=1).close()
            except OSError:
                assert self._process.poll() is None, self._log
                assert time.monotonic() < deadline, "nginx does not answer"
                time.sleep(0.02)
            else:
                return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait()
        self._kept.cleanup()

    def _folder_laid(self) -> tempfile.TemporaryDirectory[str]:
        # Not pytest's: as root its workers are another user, who may not enter those.
        self._kept = tempfile.TemporaryDirectory(prefix="motherlode-nginx-")
        self._folder = Path(self._kept.name)
        self._folder.chmod(0o755)
        inner = "".join(f"{one}_temp_path {self._folder}/{one};\n" for one in _KEPT)
        inner += "add_header X-House $upstream_addr always;\n"
        outer = f"daemon off;\npid {self._folder}/nginx.pid;\n"
        text = outer + _put(self._text, r"http \{\n", f"http {{\n{inner}")
        (self._folder / "nginx.conf").write_text(text, encoding="utf-8")
        return self._kept

    @property
    def _command(self) -> list[str]:
        folder = str(self._folder)
        return [
            _program(),
            *("-p", folder, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"),
        ]

    @property
    def _log(self) -> str:
        log = self._folder / "error.log"
        return log.read_text(encoding="utf-8") if log.exists() else ""


def ready(houses: Sequence[int], *, patience: int | None = None, outer: bool = False) -> Nginx:
    """Returns an nginx with deploy/nginx.conf before two houses, on these ports of this machine.

    `patience`: seconds to wait for a house, instead of 90. `outer`: the lines are taken in for a
    proxy on this machine before it.
    """
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    port = free_port()
    # Debian's is older than 1.27.3, and there is no Docker to ask for names.
    text = _put(text, r" *resolver .*;\n", "")
    for number, house in enumerate(houses, 1):
        text = _put(text, rf"house-{number}:8000 resolve ", f"127.0.0.1:{house} ")
    text = _put(text, r"listen 80;", f"listen 127.0.0.1:{port};")
    if patience is not None:
        text = _put(text, r"(proxy_(?:read|send)_timeout) 90s;", rf"\1 {patience}s;", times=2)
    if outer:
        text = _put(text, r"# (.*192\.0\.2\.1.*;)", r"\1", times=2)
        text = _put(text, r"192\.0\.2\.1", "127.0.0.1", times=2)
        text = _put(text, r"# (real_ip_\w+ .*;)", r"\1", times=2)
    return Nginx(f"http://127.0.0.1:{port}", text)


def sample(house: int, folder: Path) -> tuple[Nginx, str]:
    """Returns an nginx with the sample of docs/hosting.md, and its address without TLS."""
    guide = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```nginx\n(.*?)^```$", guide, flags=re.MULTILINE | re.DOTALL)
    secure, plain = free_port(), free_port()
    file = certificate(folder, "games.example.org")
    text = _put(text, r"listen 443 ssl;", f"listen 127.0.0.1:{secure} ssl;")
    text = _put(text, r"listen 80;", f"listen 127.0.0.1:{plain};")
    text = _put(text, r"http://127\.0\.0\.1:8000;", f"http://127.0.0.1:{house};")
    text = _put(text, r"(ssl_certificate(?:_key)? +)\S+;", rf"\1{file};", times=2)
    text = f"events {{\n}}\nhttp {{\n{text}}}\n"
    return Nginx(f"https://127.0.0.1:{secure}", text), f"http://127.0.0.1:{plain}"


def _put(text: str, pattern: str, other: str, *, times: int = 1) -> str:
    """Replaces what stands there so many times, which is asserted."""
    put, found = re.subn(pattern, other, text)
    assert found == times, f"expected {pattern} {times} times, found it {found} times"
    return put
