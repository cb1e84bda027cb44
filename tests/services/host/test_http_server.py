"""The HTTP server closes no connection that a client still counts on."""

import httpx
from starlette.responses import PlainTextResponse

from services.host.http_server import HttpServer, bind_http_port


async def test_an_idle_connection_is_given_up_by_the_client_first() -> None:
    listening = bind_http_port("127.0.0.1", 0)
    server = HttpServer(PlainTextResponse("here"), listening)
    server.start()
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
            assert (await client.get(server.url)).text == "here"
            [connection] = client._transport._pool.connections  # type: ignore[attr-defined]
            given_up_after = connection._connection._keepalive_expiry
        assert given_up_after < server._server.config.timeout_keep_alive
    finally:
        await server.stop()
