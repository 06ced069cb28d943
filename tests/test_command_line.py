"""The command line: what it explains, and what it says of wrong settings."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from app.__main__ import main, say_open
from app.tending.failed import Failed
from app.tending.output import say, written
from tests.servers import ROOT


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        """Says so."""
        return True


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """Has the logs of later tests go where they went."""
    kept = logging.getLogger().handlers
    yield
    logging.getLogger().handlers = kept
    structlog.reset_defaults()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("DATABASE_URL", "mysql://x:secret@h/y"),
        ("PUBLIC_URL", "games.example"),
        ("TRUSTED_PROXIES", "everyone"),
    ],
)
def test_a_setting_that_cannot_work_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert main(["serve"]) == 2
    told = capsys.readouterr()
    line = json.loads(told.err)
    assert (line["event"], line["level"]) == ("house_not_opened", "critical")
    assert name in line["why"]
    assert "cannot be used" in line["why"]
    assert "secret" not in told.err + told.out


def test_a_person_at_a_terminal_is_told_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    out, error = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", error)
    say_open(["http://localhost:8000/", "http://192.0.2.7:8000/"])
    assert out.getvalue().splitlines() == [
        "Motherlode is open. Ctrl+C closes it.",
        "  http://localhost:8000/",
        "  http://192.0.2.7:8000/",
    ]
    monkeypatch.setenv("PORT", "http")
    assert main(["serve"]) == 2
    assert error.getvalue().startswith("PORT=http cannot be used: ")


def test_the_command_line_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as asked:
        main(["--help"])
    assert asked.value.code == 0
    told = capsys.readouterr().out
    for name in ("serve", "migrate", "simulate", "verify", "export"):
        assert name in told
    with pytest.raises(SystemExit) as nothing:
        main([])
    assert nothing.value.code == 2


def test_bots_play_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "lost_cities", "--games", "3", "--seed", "x"]) == 0
    assert "3 games" in capsys.readouterr().out
    assert main(["simulate", "lost_cities", "--seats", "9"]) == 2


def test_nothing_is_written_over_and_half_a_file_is_not_left(tmp_path: Path) -> None:
    file, there = tmp_path / "new", tmp_path / "there"
    there.symlink_to("nowhere")
    with pytest.raises(Failed, match="exists already"), written(there):
        pass

    def interrupted() -> None:
        with written(file) as opened:
            opened.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    with pytest.raises(Failed, match="exists already"), written(file) as opened:
        file.write_text("somebody else was faster")
    assert file.read_text() == "somebody else was faster"
    file.unlink()
    with written(file) as opened:
        opened.write(b"whole")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"whole", 0o600)


def test_what_a_terminal_cannot_show_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, "ascii"))
    say("Bj\u00f6rn \ud800")
    assert shown.getvalue() == b"Bj?rn ?\n"


def test_an_output_that_takes_nothing_is_named() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", "simulate", "lost_cities", "--games", "1"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "Standard output cannot be written: No space left on device.\n"
