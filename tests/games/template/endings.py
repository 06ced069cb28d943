"""The ways in which high card can end: reason and tie-break."""

ENDINGS = (("all_decided", None),)
