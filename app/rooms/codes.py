"""The code of a room: in its link, and easy to read aloud.

Eight syllables of a consonant and a vowel, two to a group: `bado-keli-mofu-tasi`. 16 consonants
and 5 vowels make 80 syllables, so a code holds 8 x log2(80) = 50.6 bits from the system's
randomness: a thousand guesses a second need about 37 years to find one of a thousand rooms
half of the time.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aeiou"
SYLLABLES = 8

_CODE = re.compile(f"(?:[{CONSONANTS}][{VOWELS}]){{{SYLLABLES}}}")
_LONGEST_INPUT = 200
# What the same sound, or a digit that looks the same, is written as.
_HEARD = str.maketrans({"c": "k", "q": "k", "w": "v", "y": "i", "0": "o", "1": "i"})


def new_code() -> str:
    """Draws a code."""
    syllables = (
        secrets.choice(CONSONANTS) + secrets.choice(VOWELS) for _syllable in range(SYLLABLES)
    )
    return _grouped("".join(syllables))


def parse_code(text: str) -> str | None:
    """Reads a code as people write it; None if it cannot be one.

    Case, accents, spaces and hyphens do not matter, nor does a link around the code; letters of
    the same sound (c, q for k; w for v; y for i; ph for f) and the digits 0 and 1 are understood.
    """
    if len(text) > _LONGEST_INPUT:
        return None
    last = re.split(r"[?#]", text.strip())[0].rstrip("/").rsplit("/", 1)[-1]
    plain = unicodedata.normalize("NFKD", last).casefold().replace("ph", "f").translate(_HEARD)
    letters = "".join(char for char in plain if "a" <= char <= "z")
    if not _CODE.fullmatch(letters):
        return None
    return _grouped(letters)


def _grouped(letters: str) -> str:
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))
