"""The ways in which strongbox can end: reason and tie-break."""

ENDINGS = (
    ("rich", None),
    ("ruined", None),
    ("ruined", "token"),
    ("last_round", None),
    ("last_round", "token"),
)
