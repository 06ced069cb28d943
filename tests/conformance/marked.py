"""A state with a secret more than its game knows of."""

from __future__ import annotations

from dataclasses import field, fields, is_dataclass, make_dataclass
from functools import cache
from typing import Any

MARK = "never-on-the-wire-7f3a"


@cache
def _marked_class(plain: type[Any]) -> type[Any]:
    extra = [("dummy_secret", str, field(default=MARK, kw_only=True))]
    frozen = bool(plain.__dataclass_params__.frozen)
    return make_dataclass(
        f"Marked{plain.__name__}",
        extra,
        bases=(plain,),
        frozen=frozen,
        unsafe_hash=True,
        slots=True,
    )


def marked(state: Any) -> Any:
    """Returns the state with one more field, as if somebody had added one and not hidden it.

    The state and the parts of it that its own module defines as dataclasses get the field. What
    copies all fields to a wire, instead of naming those it may show, then shows the mark.
    """
    return _marked(state, type(state).__module__)


def _marked(value: Any, module: str) -> Any:
    if isinstance(value, tuple):
        return tuple(_marked(item, module) for item in value)
    if isinstance(value, dict):
        return {key: _marked(item, module) for key, item in value.items()}
    if not is_dataclass(value) or isinstance(value, type) or type(value).__module__ != module:
        return value
    kept = {part.name: _marked(getattr(value, part.name), module) for part in fields(value)}
    return _marked_class(type(value))(**kept)
