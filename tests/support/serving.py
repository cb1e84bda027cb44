"""A real HTTP server around an application, on a port of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from services.host.http_server import HttpServer, bind_http_port


@asynccontextmanager
async def serving(application: FastAPI, port: int = 0) -> AsyncIterator[str]:
    """The address; whoever connects before the server turns to it waits in the queue."""
    listening = bind_http_port("127.0.0.1", port)
    listening.listen()
    server = HttpServer(application, listening)
    server.start()
    try:
        yield server.url
    finally:
        await server.stop()
