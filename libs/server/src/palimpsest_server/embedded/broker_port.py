"""The port of the embedded broker. Chat services know the port, so it moves only when it must."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from palimpsest.model.errors import PalimpsestError
from palimpsest_server.embedded.ports import LOOPBACK, choose_port, suggest_port

SETTING = "PALIMPSEST_EMBEDDED_KAFKA_PORT"


class BrokerPortTaken(PalimpsestError):
    """The broker was to listen on one given port, and another program has it."""


@dataclass(frozen=True)
class BrokerPort:
    port: int
    asked_for: bool = False
    """True if no other port may be used."""
    words: str | None = None
    """Explanation for people, if the port is not the usual one."""


def choose_broker_port(
    *,
    asked: int | None,
    before: int | None,
    usual: int | None,
    is_free: Callable[[int], bool],
    reserved: Collection[int] = (),
    choose: Callable[[int | None], int] = choose_port,
) -> BrokerPort:
    """Choose the port: `asked`, or the port of `before`, or the `usual` one, or any free one.

    A port in `asked` is used or refused; 0 stands for any port. The port suggested for a taken one is never
    among the `reserved` ports of this program's other servers.

    Raises:
        BrokerPortTaken: another program has the port; the message says what to do.
    """
    if asked:
        if not is_free(asked):
            another = suggest_port(asked, reserved=reserved, is_free=is_free)
            raise BrokerPortTaken(
                f"Kafka cannot listen on {LOOPBACK}:{asked}: another program has the port. Stop it, or"
                f" choose another one: {SETTING}={another}"
            )
        return BrokerPort(asked, asked_for=True)
    if asked == 0 or usual is None:
        return BrokerPort(before if before and is_free(before) else choose(None))
    if before and is_free(before):
        stays = f"Kafka stays on {LOOPBACK}:{before}, where it was; {SETTING}={usual} moves it"
        return BrokerPort(before, words=None if before == usual else stays)
    if is_free(usual):
        return BrokerPort(usual)
    port = choose(None)
    return BrokerPort(
        port, words=f"port {usual} is taken; Kafka is on {LOOPBACK}:{port} ({SETTING} sets it)"
    )


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True)

    broker: int


class BrokerPortFile:
    """A file beside the child records that stores the port on which the broker listened last."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> int | None:
        """Return the stored port; None if there is no readable one."""
        try:
            return _Kept.model_validate_json(self._path.read_bytes()).broker
        except (OSError, ValueError):
            return None

    def write(self, port: int) -> None:
        draft = self._path.with_suffix(".new")
        draft.write_text(_Kept(broker=port).model_dump_json())
        draft.replace(self._path)
