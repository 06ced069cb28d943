"""Static files: names that change with what they hold, and references that follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.web.assets import Assets


def test_names_carry_a_hash_and_references_follow(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "part.js").write_text("export const a = 1;")
    (tmp_path / "page.js").write_text('import { a } from "./part.js";')
    (tmp_path / "games" / "x.css").write_text("p { color: red }")
    before = Assets(tmp_path)
    part = before.url("part.js")
    assert part.startswith("/static/part.")
    assert before.url("games/x.css").startswith("/static/games/x.")
    page = before.find(before.url("page.js"))
    assert page is not None
    assert f'"{part}"'.encode() in page.body
    assert page.media_type.startswith("text/javascript")

    (tmp_path / "part.js").write_text("export const a = 2;")
    after = Assets(tmp_path)
    assert after.build != before.build
    assert after.url("page.js") != before.url("page.js")
    assert after.url("games/x.css") == before.url("games/x.css")
    assert after.find(part) is None


def test_what_cannot_be_served_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "page.js").write_text('import "./missing.js";')
    with pytest.raises(ValueError, match="missing"):
        Assets(tmp_path)
    (tmp_path / "page.js").write_text("")
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(ValueError, match="notes"):
        Assets(tmp_path)


def test_our_own_files_are_all_there() -> None:
    assets = Assets()
    for asset in assets:
        assert b'"./' not in asset.body or not asset.url.endswith((".js", ".css"))
    assert assets.has("client.js")
    assert not assets.has("elsewhere.js")
    assert assets.find("/static/../pyproject.toml") is None
