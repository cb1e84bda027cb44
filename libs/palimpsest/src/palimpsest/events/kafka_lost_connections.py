"""A connection that the broker closed, told to aiokafka in words that it knows.

It takes an `OSError` for one. Where the event loop is uvloop's, writing to it raises a
`RuntimeError` instead, which ends aiokafka's own tasks for good: its consumer then reads
nothing any more, though the broker is back (https://github.com/aio-libs/aiokafka/issues/1038).
"""

from typing import Any

from aiokafka import conn
from aiokafka.errors import KafkaConnectionError


class _Connection(conn.AIOKafkaConnection):  # type: ignore[misc]
    def send(self, request: Any, expect_response: bool = True) -> Any:  # noqa: FBT001, FBT002
        try:
            return super().send(request, expect_response)
        except RuntimeError as error:
            self.close(reason=conn.CloseReason.CONNECTION_BROKEN)
            words = f"the connection to {self.host}:{self.port} was closed"
            raise KafkaConnectionError(words) from error


def translate_lost_connections() -> None:
    """For every connection that aiokafka makes in this process from now on."""
    # Its clients make their connections themselves, and have no argument for it.
    conn.AIOKafkaConnection = _Connection
