"""What the process writes down about itself: readable lines on a terminal, JSON elsewhere.

Tracebacks hold no local variables and SQL errors no parameters, since both may hold a seed or a
token.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

_HANDLER = "motherlode"
_QUIET = ("asyncio", "alembic", "sqlalchemy", "uvicorn.access")


def start_logs(level: str, *, readable: bool | None = None) -> None:
    """Sends all logs, ours and the libraries', to standard error.

    `level` is the name of the least important level; `readable` (default: whether standard error
    is a terminal) chooses between lines for people and JSON.
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
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
