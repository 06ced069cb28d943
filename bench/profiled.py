"""The server with a sampler inside, to see where its CPU time goes: `bench.load --profile` runs it.

    python -m bench.profiled profile.txt

Every 3 ms of CPU time (not of waiting, and not while others have the core) the main thread's stack
is counted. At the end the file gets the share of each part of the house (`bench.parts`), and two
lists of functions by their share of all samples: by themselves, and with all that they call. What
SQLAlchemy does runs on stacks of its own, so it is missing under its callers. On SIGUSR1 it forgets
what it has seen so far: the load sends that once it measures, so that neither the start of the
server nor the load's own is in the lists.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

from app.__main__ import main as run_command
from bench.parts import part_of

SAMPLE_SECONDS = 0.003
SHOWN = 60


class Sampler:
    """Counts stacks of the main thread."""

    def __init__(self) -> None:
        self._own: Counter[str] = Counter()
        self._total: Counter[str] = Counter()
        self._parts: Counter[str] = Counter()

    def start(self) -> None:
        """Begins to sample."""
        signal.signal(signal.SIGUSR1, self._forget)
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)

    def report(self) -> str:
        """Ends sampling and returns all lists."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        samples = self._own.total()
        return "\n".join(
            [
                f"{samples} samples",
                "",
                "by parts",
                *_lines(self._parts.most_common(), samples),
                "",
                "by themselves",
                *_lines(self._own.most_common(SHOWN), samples),
                "",
                "with all that they call",
                *_lines(self._total.most_common(SHOWN), samples),
                "",
            ]
        )

    def _forget(self, _number: int, _frame: FrameType | None) -> None:
        self._own.clear()
        self._total.clear()
        self._parts.clear()

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        if frame is None:
            return
        stack = []
        while frame is not None:
            stack.append(_name(frame))
            frame = frame.f_back
        self._own[stack[0]] += 1
        self._parts[part_of(stack)] += 1
        self._total.update(set(stack))


def _name(frame: FrameType) -> str:
    code = frame.f_code
    file = code.co_filename.rpartition("site-packages/")[2]
    return f"{'/'.join(file.split('/')[-3:])} {code.co_qualname}"


def _lines(counts: Iterable[tuple[str, int]], samples: int) -> list[str]:
    return [f"{100 * count / max(1, samples):5.1f} %  {name}" for name, count in counts]


def main() -> int:
    """Serves until stopped, then writes the file named on the command line."""
    sampler = Sampler()
    sampler.start()
    try:
        return run_command(["serve"])
    finally:
        Path(sys.argv[1]).write_text(sampler.report(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
