#!/usr/bin/env python3
"""Writes `.env` for docker-compose.yml: a password for everything that has one, none of them ours.

What stands already is kept; what is missing is added. The names do not begin
with PALIMPSEST_, so that `make run` in the same folder stays what it is.
"""

import secrets
import sys
import uuid
from base64 import urlsafe_b64encode
from pathlib import Path

PROFILES = "core,observe"


def generated() -> dict[str, str]:
    """Every variable that docker-compose.yml takes."""
    return {
        "COMPOSE_PROFILES": PROFILES,
        "SERVICE_KEY": secrets.token_hex(32),
        "KAFKA_PASSWORD": secrets.token_hex(24),
        # Kafka's own form of a UUID. One that begins with a dash would be taken for an option.
        "KAFKA_CLUSTER_ID": "M" + urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")[1:],
        # Hexadecimal, as it becomes a part of an address.
        "MONGODB_PASSWORD": secrets.token_hex(24),
        "MONGODB_REPLICA_KEY": secrets.token_hex(64),
        "QDRANT_KEY": secrets.token_hex(24),
        "GRAFANA_PASSWORD": secrets.token_hex(12),
        "KAFKA_PAGE_PASSWORD": secrets.token_hex(12),
    }


def complete(file: Path) -> list[str]:
    """Add what is missing, readable by its owner alone; returns the names that were added."""
    standing = file.read_text() if file.exists() else ""
    names = {line.partition("=")[0].strip() for line in standing.splitlines() if "=" in line}
    missing = {name: value for name, value in generated().items() if name not in names}
    if standing and not standing.endswith("\n"):
        standing += "\n"
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_text(standing + "".join(f"{name}={value}\n" for name, value in missing.items()))
    return list(missing)


def main() -> None:
    file = Path(sys.argv[1] if len(sys.argv) > 1 else ".env")
    added = complete(file)
    print(f"{file}: {', '.join(added)} added" if added else f"{file} has everything")


if __name__ == "__main__":
    main()
