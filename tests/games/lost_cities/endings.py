"""The ways in which Lost Cities can end: reason and tie-break."""

ENDINGS = (("deck", None),)
