"""What processes cost: CPU seconds and memory of whole process trees."""

from __future__ import annotations

import contextlib
import os
import platform
import resource
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil

MOST_FILES = 65_536


def cpu_of(*pids: int) -> float:
    """Returns the CPU seconds so far of processes and all descendants, ended ones included."""
    total = 0.0
    for process in _trees(pids):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def memory_of(*pids: int) -> float:
    """Returns the memory of processes and all their descendants now, in MB.

    It is the sum of the proportional set sizes: pages that several processes share, such as
    PostgreSQL's buffers, are counted once.
    """
    total = 0.0
    for process in _trees(pids):
        with contextlib.suppress(psutil.NoSuchProcess):
            try:
                total += process.memory_full_info().pss
            except psutil.AccessDenied:
                total += process.memory_info().rss
    return total / 1e6


def busy_seconds() -> float:
    """Returns the seconds that all cores together have been busy since the machine started."""
    spent = psutil.cpu_times()
    return float(spent.user + spent.nice + spent.system + spent.irq + spent.softirq)


def allow_many_files() -> None:
    """Raises the limit of open files, for this process and those that it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, MOST_FILES), most))


def _trees(pids: tuple[int, ...]) -> Iterator[psutil.Process]:
    for pid in pids:
        root = psutil.Process(pid)
        yield from (root, *root.children(recursive=True))


def describe() -> str:
    """Returns the day and the machine in one line, with how busy it is."""
    processor = "an unknown processor"
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines()
        model = next(line for line in lines if line.startswith("model name"))
        processor = model.partition(":")[2].strip()
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{datetime.now(UTC):%d %b %Y}, {psutil.cpu_count()} cores of {processor}, "
        f"{memory:.0f} GB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, load average {os.getloadavg()[0]:.1f}"
    )
