"""What a name may look like.

Names are for eyes only: nobody is ever found by name, so equal and look-alike names are fine.
Cleaning keeps a name from disturbing the text around it and from being invisible; what people
say in a chat is cleaned in the same way.
"""

from __future__ import annotations

import unicodedata

NAME_MOST = 24
"""Greatest length of a name, in characters as people count them."""

_CODE_POINTS_MOST = 96
_MARKS_MOST = 3
_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_MARKS = frozenset({"Mn", "Me"})


class BadName(ValueError):
    """A text that cannot be a name. `code` is `name_empty` or `name_too_long`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        self.facts = {"most": NAME_MOST}


def clean_name(text: str) -> str:
    """Returns the text as a name: 1 to `NAME_MOST` legible characters. Raises `BadName`."""
    name = legible(text)
    if not name:
        raise BadName("name_empty")
    if len(name) > _CODE_POINTS_MOST or length(name) > NAME_MOST:
        raise BadName("name_too_long")
    return name


def legible(text: str) -> str:
    """Returns what can be read of a text, on one line, composed (NFC).

    Control, bidi, zero-width, unassigned and blank-looking characters and lone surrogates are
    dropped, spaces of all kinds folded to one, stacks of accents cut. An emoji keeps its style
    and its joiners.
    """
    kept: list[str] = []
    marks = 0
    for at, char in enumerate(composed := unicodedata.normalize("NFC", text)):
        following = composed[at + 1 : at + 2]
        category = unicodedata.category(char)
        if category in {"Zs", "Zl", "Zp"} or char in "\t\n\r\v\f":
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif category in _MARKS and not _is_invisible(char):
            marks += 1
            if kept and kept[-1] != " " and marks <= _MARKS_MOST:
                kept.append(char)
            continue
        elif not _is_invisible(char) or _belongs_to_emoji(char, kept, following):
            kept.append(char)
        marks = 0
    # Dropping a character can bring two together that compose.
    return unicodedata.normalize("NFC", "".join(kept)).strip(" ")


def _is_invisible(char: str) -> bool:
    return (
        unicodedata.category(char) in _DROPPED
        or char in _BLANK
        or any(ord(char) in selectors for selectors in _SELECTORS)
    )


def _belongs_to_emoji(char: str, kept: list[str], following: str) -> bool:
    if not kept:
        return False
    after_symbol = _is_symbol(kept[-1])
    if char == _EMOJI_STYLE:
        return after_symbol
    if char == _JOINER:
        return (after_symbol or kept[-1] == _EMOJI_STYLE) and _is_symbol(following)
    return False


def _is_symbol(char: str) -> bool:
    return bool(char) and (unicodedata.category(char) == "So" or ord(char) in _SKIN_TONES)


def length(text: str) -> int:
    """Counts characters roughly as people do: marks, joiners and what they join count nothing."""
    count = 0
    before = ""
    for char in text:
        extends = (
            unicodedata.category(char) in {"Mn", "Me", "Mc", "Cf"}
            or ord(char) in _SKIN_TONES
            or before == _JOINER
        )
        count += not extends
        before = char
    return count
