"""The ways in which Take the Gold can end: reason and tie-break."""

ENDINGS = (("four_coins", None), ("krakens", None), ("krakens", "two_coins"))
