"""The table of promises names proofs that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROOF = re.compile(r"`((?:\w+/)+test_\w+\.py)(?:::(test_\w+))?`")


def test_every_proof_of_a_promise_is_a_test() -> None:
    proofs = set(PROOF.findall((ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")))
    assert len(proofs) > 25
    for file, name in proofs:
        written = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert not name or re.search(rf"def {name}\(", written), (file, name)
