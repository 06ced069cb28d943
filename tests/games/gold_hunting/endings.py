"""The ways in which Gold Hunting can end: reason and tie-break."""

ENDINGS = (("all_dug", None), ("all_dug", "threes"), ("all_dug", "twos"))
