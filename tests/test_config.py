"""Settings come from the environment, and a wrong one stops the start with its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.config import Settings, SettingsError


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def test_nothing_needs_to_be_set() -> None:
    settings = Settings.load()
    assert settings.port == 8000
    assert settings.database_url is None


def test_values_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "9000")
    monkeypatch.setenv("DATA_DIR", "/somewhere")
    monkeypatch.setenv("PUBLIC_URL", "https://games.example.org/")
    monkeypatch.setenv("LOG_LEVEL", "debug")
    monkeypatch.setenv("FRAME_BYTES", "0")
    monkeypatch.setenv("HOUSE_KEY", "open sesame")
    settings = Settings.load()
    assert settings.port == 9000
    assert settings.data_dir == Path("/somewhere")
    assert settings.public_url == "https://games.example.org"
    assert settings.log_level == "DEBUG"
    assert settings.frame_bytes == 0
    assert "sesame" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("PORT", "http", "integer"),
        ("PORT", "70000", "65535"),
        ("DATABASE_URL", "mysql://db/house", "postgres://"),
        ("DATABASE_URL", "postgres://db", "name of the database"),
        ("DATABASE_URL", "house.db", "postgres://"),
        ("DATABASE_URL", "postgres://db:abc/house", "should look like"),
        ("DATABASE_URL", "postgres://db/house?sslmode=bogus", "verify-full"),
        ("DATABASE_URL", "postgres://db/house?sslrootcert=/a", "'sslrootcert'"),
        ("DATABASE_URL", "postgres://db/house?application_name=a", "'application_name'"),
        ("DATABASE_URL", "postgres:///house?host=a&host=b", "more than once"),
        ("DATABASE_URL", "postgres:///house?host=a&port=b", "65535"),
        ("DATABASE_URL", "postgres://caf\udce9@db/house", "UTF-8"),
        ("DATABASE_URL", "postgres://db:70000/house", "65535"),
        ("NATS_URL", "http://nats:4222", "nats://"),
        ("NATS_URL", "nats://one:4222,", "commas"),
        ("NATS_URL", "nats://one:99999", "nats://"),
        ("HOUSE_KEY", " \t", "blank"),
        ("HOUSE_KEY", "x" * 201, "200"),
        ("HOUSE_KEY", "caf\udce9", "UTF-8"),
        ("ROOM_DAYS", "36501", "36500"),
        ("IDLE_DAYS", "9" * 30, "36500"),
        ("PUBLIC_URL", "games.example.org", "https://"),
        ("PUBLIC_URL", "https://example.org/games", "no path"),
        ("PUBLIC_URL", "https://example.org?a=b", "no path"),
        ("PUBLIC_URL", "https://a b", "https://games"),
        ("PUBLIC_URL", "https://", "https://games"),
        ("PUBLIC_URL", "https://ann@example.org", "https://games"),
        ("PUBLIC_URL", "https://example.org:99999", "https://games"),
        ("PUBLIC_URL", "https://[::1", "https://games"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, proxy", "proxy"),
        ("LOG_LEVEL", "loud", "INFO"),
        ("FRAME_BYTES", "-1", "greater"),
        ("BEAT_SECONDS", "0", "greater"),
    ],
)
def test_a_wrong_value_names_its_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, hint: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refusal:
        Settings.load()
    assert str(refusal.value).startswith(name)
    assert hint in str(refusal.value)


def test_all_wrong_settings_are_named_and_no_secret_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PORT", "x")
    monkeypatch.setenv("DATABASE_URL", "mysql://ann:password@db/house")
    with pytest.raises(SettingsError) as refusal:
        Settings.load()
    assert "PORT" in str(refusal.value)
    assert "DATABASE_URL" in str(refusal.value)
    assert "password@" not in str(refusal.value)
