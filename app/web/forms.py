"""Reading a posted form, without a parser for uploads that nobody needs."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

MOST_FIELDS = 200
_KIND = "application/x-www-form-urlencoded"


class Form:
    """The fields of a form in document order; names may repeat."""

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self.fields = fields

    def get(self, name: str, otherwise: str = "") -> str:
        """Returns the last value of that name: a later field corrects an earlier one."""
        for key, value in reversed(self.fields):
            if key == name:
                return value
        return otherwise

    def values(self) -> dict[str, list[str]]:
        """Returns the values of each name in order."""
        values: dict[str, list[str]] = {}
        for key, value in self.fields:
            values.setdefault(key, []).append(value)
        return values

    def number(self, name: str) -> int | None:
        """Returns the value as a whole number of at most nine digits, or None."""
        text = self.get(name).strip()
        digits = text.removeprefix("-")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None

    def starting(self, prefix: str) -> dict[str, str]:
        """Returns the fields whose names start with `prefix`, by the rest of the name."""
        return {
            key.removeprefix(prefix): value for key, value in self.fields if key.startswith(prefix)
        }

    def without(self, *names: str) -> list[tuple[str, str]]:
        """Returns the fields of other names, in order."""
        return [(key, value) for key, value in self.fields if key not in names]


async def read_form(request: Request) -> Form:
    """Reads the body. Raises HTTPException 415 for another type, 400 for too many fields."""
    kind = request.headers.get("content-type", _KIND).split(";")[0].strip().lower()
    body = await request.body()
    if kind != _KIND and body:
        raise HTTPException(415)
    try:
        fields = parse_qsl(
            body.decode("utf-8", "replace"),
            keep_blank_values=True,
            errors="replace",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        raise HTTPException(400) from None
    return Form(fields)
