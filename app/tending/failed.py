"""What a command of the host could not do."""

from __future__ import annotations


class Failed(Exception):
    """A command that was not carried out; the message says why and what to do."""
