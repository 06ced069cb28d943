"""The ways in which Silver & Gold can end: reason and tie-break."""

ENDINGS = (
    ("rounds", None),
    ("rounds", "grey"),
    ("rounds", "green"),
    ("rounds", "orange"),
    ("rounds", "purple"),
)
