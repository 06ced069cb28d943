"""The command line: what it explains, and what it says of wrong settings."""

from __future__ import annotations

import pytest

from app.__main__ import main


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
    assert name in told.err
    assert "cannot be used" in told.err
    assert "secret" not in told.err + told.out


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
