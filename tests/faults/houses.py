"""Settings of houses that tests put under strain."""

from __future__ import annotations

UNLIMITED = {
    "MOVES_PER_SECOND": "0",
    "MESSAGES_PER_SECOND": "0",
    "REQUESTS_PER_MINUTE": "0",
    "ROOMS_PER_HOUR": "0",
    "PLAYERS_PER_HOUR": "0",
    "RECORDS_PER_MINUTE": "0",
    "CODES_PER_MINUTE": "0",
    "SOCKETS_PER_ADDRESS": "0",
}
"""No limits on what players may do."""
