"""Where a command writes: new files that have their name only once they are whole, and streams."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TextIO, cast

from app.tending.failed import Failed

STREAM = Path("-")
"""Stands for standard input or output in the place of a file."""


def say(text: str) -> None:
    """Prints a text; what the terminal cannot show is replaced. Raises `Failed`."""
    with _told() as out:
        encoding = out.encoding or "utf-8"
        shown = text.encode(encoding, "replace").decode(encoding)
        out.write(f"{shown}\n")
        out.flush()


@contextmanager
def written(file: Path) -> Iterator[IO[bytes]]:
    """Opens a new file, or standard output for `STREAM`. Raises `Failed`.

    What is written may hold secrets of running games: the file is for its owner's eyes only.
    """
    if file == STREAM:
        yield cast("IO[bytes]", _Out())
        return
    _check_new(file)
    try:
        descriptor, name = tempfile.mkstemp(".part", f".{file.name[:100]}.", file.parent)
        part = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                yield opened
                opened.flush()
                os.fsync(opened.fileno())
            _check_new(file)
            part.rename(file)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise Failed(f"{file} cannot be written: {error.strerror or error}.") from error


def _check_new(file: Path) -> None:
    if os.path.lexists(file):
        raise Failed(f"{file} exists already. Name another file.")


class _Out:
    """Standard output, of which only this is used."""

    def write(self, data: Any) -> int:
        with _told() as out:
            return out.buffer.write(data)

    def flush(self) -> None:
        with _told() as out:
            out.buffer.flush()


@contextmanager
def _told() -> Iterator[TextIO]:
    out = cast("TextIO | None", sys.stdout)
    if out is None:
        raise Failed("There is no standard output to write to.")
    try:
        yield out
    except OSError as error:
        # Python would try again at its end, and print a trace.
        with suppress(OSError, ValueError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, out.fileno())
            os.close(nothing)
        raise Failed(f"Standard output cannot be written: {error.strerror}.") from error
