"""The ways in which Splendor can end: reason and tie-break."""

ENDINGS = (("target", None), ("target", "cards"), ("blocked", None), ("blocked", "cards"))
