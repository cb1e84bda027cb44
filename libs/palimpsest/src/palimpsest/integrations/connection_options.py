"""Where an integration finds Palimpsest: what its caller says, else the environment, else this machine."""

import os
from typing import TypedDict

HTTP_URL = "http://127.0.0.1:8000"


class ConnectionOptions(TypedDict):
    """Options of a client that say where it connects and as whom."""

    http_url: str
    api_key: str | None


def find_connection(http_url: str | None, api_key: str | None) -> ConnectionOptions:
    """Return the address and key; `PALIMPSEST_HTTP_URL` and `PALIMPSEST_API_KEY` are the environment's."""
    return {
        "http_url": http_url or os.environ.get("PALIMPSEST_HTTP_URL", HTTP_URL),
        "api_key": api_key or os.environ.get("PALIMPSEST_API_KEY"),
    }
