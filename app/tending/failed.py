"""What a command of the host could not do, in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

_NO_TABLES = {"42P01", "42703", "3F000"}
_NO_RIGHTS = "42501"


class Failed(Exception):
    """A command that was not carried out; the message says why and what to do."""


@contextmanager
def in_words() -> Iterator[None]:
    """Turns what the database refuses into `Failed`: never a statement, never a trace."""
    try:
        yield
    except DBAPIError as wrong:
        raise Failed(_sentence(wrong.orig)) from wrong
    except (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as wrong:
        raise Failed(_sentence(wrong)) from wrong


def _sentence(wrong: BaseException | None) -> str:
    # SQLAlchemy has errors of its own around those of the driver, with the state of both.
    state = getattr(wrong, "sqlstate", None)
    reason = str(wrong).rpartition(">: ")[2].strip().partition("\n")[0] or type(wrong).__name__
    if state in _NO_TABLES:
        return (
            "This database has no tables of this version of Motherlode. Start the house once, or "
            f"check DATABASE_URL. ({reason})"
        )
    if state == _NO_RIGHTS:
        return (
            "PostgreSQL does not let this user do that. Use the house's own user in DATABASE_URL. "
            f"({reason})"
        )
    if state is None:
        return f"PostgreSQL did not answer as it should. Try again in a moment. ({reason})"
    return f"PostgreSQL refused that. ({reason})"
