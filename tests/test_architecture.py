"""The shape of the house: who imports whom, what rules may use, how long files are."""

from __future__ import annotations

import sys
from pathlib import Path

import grimp
import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 600
WRITTEN_BY_HAND = {".py", ".html", ".css", ".js", ".md", ".sh", ".toml", ".yml", ".svg"}
MADE_BY_PROGRAMS = {"golden"}
IMPURE = {
    *("asyncio", "datetime", "logging", "os", "pathlib", "random", "secrets", "socket"),
    *("subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid"),
}


def test_the_import_contracts_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=None)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_rules_use_the_standard_library_and_nothing_that_differs_between_runs() -> None:
    graph = grimp.build_graph("app", include_external_packages=True, cache_dir=None)
    rules = {"app.games", *graph.find_descendants("app.games")}
    assert len(rules) > 5
    for module in rules:
        for used in graph.find_modules_directly_imported_by(module) - rules:
            name = used.partition(".")[0]
            assert name in sys.stdlib_module_names, f"{module} imports {used}"
            assert name not in IMPURE, f"{module} imports {used}"


def _own_files() -> list[Path]:
    tops = ("app", "bench", "docs", "migrations", "static", "templates", "tests")
    files = [path for top in tops for path in (ROOT / top).rglob("*")]
    return [path for path in [*files, *ROOT.glob("*")] if path.suffix in WRITTEN_BY_HAND]


def test_no_file_written_by_hand_is_too_long() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in _own_files()
        if not MADE_BY_PROGRAMS & set(path.parts)
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert long == {}


def test_no_file_names_a_machine_or_a_package_registry() -> None:
    registries = ("pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org")
    locks = list(ROOT.glob("requirements*.txt"))
    assert len(locks) == 2
    for path in [*_own_files(), *locks, ROOT / "Makefile", ROOT / "Dockerfile"]:
        text = path.read_text(encoding="utf-8")
        assert not [name for name in registries if name in text], path
