"""The address file of a running embedded instance, in its data directory."""

import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from palimpsest_server.embedded.child_records import is_still_running
from palimpsest_server.embedded.process_identity import ProcessIdentity, identify_process


class EmbeddedInstance(BaseModel):
    """One ready embedded Palimpsest."""

    model_config = ConfigDict(frozen=True)

    process: ProcessIdentity
    http_url: str
    kafka_bootstrap_servers: str
    mongodb_url: str


def announce_instance(
    data_directory: Path, *, http_url: str, kafka_bootstrap_servers: str, mongodb_url: str
) -> None:
    """Write the address file, which tells commands run beside this process that it is ready."""
    process = identify_process(os.getpid())
    if process is None:
        return
    instance = EmbeddedInstance(
        process=process,
        http_url=http_url,
        kafka_bootstrap_servers=kafka_bootstrap_servers,
        mongodb_url=mongodb_url,
    )
    file = _file(data_directory)
    draft = file.with_suffix(".new")
    draft.write_text(instance.model_dump_json(indent=2))
    draft.replace(file)


def withdraw_instance(data_directory: Path) -> None:
    """Withdraw an instance that is no longer ready; doing so twice is no error."""
    _file(data_directory).unlink(missing_ok=True)


def find_instance(data_directory: Path) -> EmbeddedInstance | None:
    """Return the instance that serves this data directory; an address file left by a kill does not count."""
    try:
        instance = EmbeddedInstance.model_validate_json(_file(data_directory).read_bytes())
    except (OSError, ValueError):
        return None
    return instance if is_still_running(instance.process) else None


def _file(data_directory: Path) -> Path:
    return data_directory / "instance.json"
