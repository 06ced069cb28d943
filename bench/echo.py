"""The floor for sockets: answers each message with itself, served exactly as the house is.

python -m bench.echo 8123
"""

from __future__ import annotations

import sys
from typing import Any

import uvicorn

from app.config import Settings
from app.serving import uvicorn_config


async def echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Accepts any socket and sends back what comes, without looking at it; HTTP gets a 200."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "websocket.accept", "subprotocol": scope["subprotocols"][0]})
    await receive()
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


def main() -> None:
    """Serves on the port named on the command line until stopped."""
    settings = Settings(host="127.0.0.1", port=int(sys.argv[1]))
    config = uvicorn_config(echo, settings)  # type: ignore[arg-type]
    config.host, config.port = settings.host, settings.port
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main()
