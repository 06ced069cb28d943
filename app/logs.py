"""What the process writes down about itself: readable lines on a terminal, JSON elsewhere.

Tracebacks hold no local variables and SQL errors no parameters, since both may hold a seed or a
token. Libraries are heard from warnings on only: what they tell beyond that has frames, headers and
addresses of push services in it.

Fields that mean the same everywhere: `room` is a room's code, or its id where only that is known,
`seats` those of whom it is about, `code` that of a refusal.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

_HANDLER = "motherlode"
_OURS = ("app", "__main__")


def start_logs(level: str, *, readable: bool | None = None) -> None:
    """Sends all logs, ours and the libraries', to standard error.

    `level` is the name of the least important level of ours; `readable` (default: whether standard
    error is a terminal) chooses between lines for people and JSON.
    """
    if readable is None:
        readable = sys.stderr.isatty()
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[Any] = (
        [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if readable
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    handler.set_name(_HANDLER)
    root.handlers = [*(kept for kept in root.handlers if kept.name != _HANDLER), handler]
    for name in _OURS:
        logging.getLogger(name).setLevel(level)
    root.setLevel(max(logging.WARNING, logging.getLogger("app").level))
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = []
