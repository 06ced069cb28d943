"""JSON answers, written by orjson."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def json_answer(
    content: Any, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Returns `content`, plain data with perhaps an `orjson.Fragment`, as an answer."""
    return Response(
        orjson.dumps(content), status, dict(headers or {}), media_type="application/json"
    )


class StrictJsonRequest(Request):
    """A request whose body is read by orjson: no NaN, no lone surrogates, no endless nesting."""

    async def json(self) -> Any:
        """Returns the body as plain data. Raises json.JSONDecodeError."""
        if not hasattr(self, "_json"):
            try:
                self._json = orjson.loads(await self.body())
            except RecursionError:
                raise json.JSONDecodeError("nested too deeply", "", 0) from None
        return self._json


class StrictJsonRoute(APIRoute):
    """A route of the API that reads its body strictly."""

    def get_route_handler(self) -> Handler:
        """Returns FastAPI's handler, handed the stricter request."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(StrictJsonRequest(request.scope, request.receive))

        return strict
