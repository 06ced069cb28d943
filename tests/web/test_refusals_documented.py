"""Every refusal that the code can give stands in docs/, those of the house with their status."""

from __future__ import annotations

import re
from pathlib import Path

from app.web.errors import Problem
from app.web.render import Renderer

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")
GAMES = (ROOT / "docs" / "protocol-games.md").read_text("utf-8")
RAISED = re.compile(
    r"(?:RoomRefused|ChatRefused|Problem|Refusal|Refused|BadName|IllegalMove)\(\s*\"([a-z_]+)\""
    r"|_denial\(\d+, \"([a-z_]+)\""
)
HANDSHAKE = {"too_many_sockets", "bad_message"}
"""Refused before there is anybody to draw a page for; the door to the sockets says its own."""


def raised() -> set[str]:
    """Returns the codes that stand in our source where something is refused."""
    errors = ROOT / "app" / "web" / "errors.py"
    found = set(re.findall(r'^    "([a-z_]+)": \d+,$', errors.read_text("utf-8"), re.MULTILINE))
    for path in sorted((ROOT / "app").rglob("*.py")):
        groups = RAISED.findall(path.read_text("utf-8"))
        found.update(code for both in groups for code in both if code)
    return found


def documented() -> dict[str, int | None]:
    """Returns the codes of the table, with their status."""
    table = PROTOCOL.partition("### Refusals")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (`[^|]+) \| (\d*) ?\|", table, re.MULTILINE)
    return {
        code: int(status) if status else None
        for codes, status in rows
        for code in re.findall(r"`(\w+)`", codes)
    }


def test_every_refusal_is_documented() -> None:
    codes = raised()
    assert {"sign_in", "full", "draw_first", "wrong_type", "name_empty"} <= codes
    assert {code for code in codes if f"`{code}`" not in PROTOCOL + GAMES} == set()


def test_the_documented_status_is_the_one_that_is_sent() -> None:
    table = documented()
    assert len(table) > 35
    for code, status in table.items():
        if status is not None and code not in HANDSHAKE:
            assert Problem(code).status == status, code


def test_every_documented_refusal_has_a_sentence_of_its_own(renderer: Renderer) -> None:
    general = renderer.refusal(None, "no_such_code", {}, "en")
    for code in documented().keys() - HANDSHAKE:
        assert renderer.refusal(None, code, {}, "en") != general, code


def test_sentences_fit_what_was_sent(renderer: Renderer) -> None:
    facts = {"option": "colours", "known": True}
    assert "colours" in renderer.refusal(None, "bad_options", facts, "en")
    assert "table" not in renderer.refusal(None, "too_large", {}, "en")
    assert "move" not in renderer.refusal(None, "malformed", {"body": "name: Field required"}, "en")
    assert "seat" not in renderer.refusal(None, "sign_in", {}, "en")
