"""docs/adding-a-game.md shows the real files, and its commands do what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conformance import golden

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^`([^`\n]+)`\n\n```python\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
PATHS = set(re.findall(r"`((?:app|tests|templates|docs)/[\w./-]+)`", PAGE))


def test_every_block_of_code_names_its_file() -> None:
    assert len(BLOCKS) == PAGE.count("```python")
    assert PAGE.count("```") == 2 * (PAGE.count("```python") + PAGE.count("```sh"))


@pytest.mark.parametrize(("path", "code"), BLOCKS)
def test_a_block_of_code_is_the_files_text(path: str, code: str) -> None:
    assert code in (ROOT / path).read_text(encoding="utf-8")


def test_the_page_shows_all_of_the_rules() -> None:
    source = (ROOT / "tests/tiny/template/rules.py").read_text(encoding="utf-8")
    shown = "\n\n".join(code for path, code in BLOCKS if path == "tests/tiny/template/rules.py")
    assert source[source.index("class HighCard") :].split() == shown.split()


@pytest.mark.parametrize("path", sorted(PATHS))
def test_a_file_that_the_page_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_the_golden_command_makes_the_record_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (command,) = [line for line in COMMANDS if ".golden add " in line]
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    golden.main(shlex.split(command)[3:])
    made = "template/everybody_decides.txt"
    assert golden.text_of(tmp_path / made) == golden.text_of(ROOT / "tests/golden" / made)
