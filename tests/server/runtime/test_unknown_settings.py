"""Which setting is meant by a name that is none."""

import pytest

from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.unknown_settings import (
    RENAMED_SETTINGS,
    RENAMED_VALUES,
    describe_unknown_settings,
    suggest_settings,
)

PORTS = ["HTTP_PORT", "EMBEDDED_KAFKA_PORT"]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("PORT", PORTS),
        ("POTR", PORTS),
        ("PROT", PORTS),
        ("HTTP_POTR", ["HTTP_PORT"]),
        ("HTPP_PORT", ["HTTP_PORT"]),
        ("HOST", ["HTTP_HOST"]),
        ("KAFKA_PORT", ["EMBEDDED_KAFKA_PORT"]),
        ("KAFKA_SERVERS", ["KAFKA_BOOTSTRAP_SERVERS"]),
        ("BOOTSTRAP_SERVERS", ["KAFKA_BOOTSTRAP_SERVERS"]),
        ("MONGO_URL", ["MONGODB_URL"]),
        ("QUADRANT_URL", ["QDRANT_URL"]),
        ("DATA_DIR", ["DATA_DIRECTORY"]),
        ("DIRECTORY", ["DATA_DIRECTORY", "SECRETS_DIRECTORY"]),
        ("LAYOT", ["LAYOUT"]),
        ("LOGLEVEL", ["LOG_LEVEL"]),
        ("LEVEL", ["LOG_LEVEL"]),
        ("APIKEY", ["API_KEY"]),
        ("OPENAI_KEY", ["OPENAI_API_KEY", "PROXY_OPENAI_API_KEY"]),
        ("EMBEDER", ["EMBEDDER"]),
        ("RETENTION_DAYS", ["TURN_RETENTION_DAYS"]),
        ("palimpsest_http_port_", ["HTTP_PORT"]),
    ],
)
def test_the_nearest_are_named(name: str, settings: list[str]) -> None:
    given = name if name.startswith("palimpsest") else f"PALIMPSEST_{name}"
    assert suggest_settings(given) == [f"PALIMPSEST_{setting}" for setting in settings]


@pytest.mark.parametrize("name", ["COLOUR", "X", "", "VERSION", "REDIS", "ZZZZ", "SHOE_SIZE"])
def test_what_is_near_to_none_is_not_guessed_at(name: str) -> None:
    assert suggest_settings(f"PALIMPSEST_{name}") == []


def test_a_renamed_setting_is_told_with_its_new_name_and_without_its_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PALIMPSEST_EXTRACTOR_PROVIDER", "a-secret")
    (words,) = describe_unknown_settings()
    assert "PALIMPSEST_EXTRACTOR_PROVIDER is called PALIMPSEST_EXTRACTION_MODEL now" in words
    assert "a-secret" not in words


def test_a_renamed_value_is_told_with_its_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_VECTORS", "server")
    (words,) = describe_unknown_settings()
    assert "write PALIMPSEST_VECTORS=qdrant" in words


def test_new_names_are_settings_and_old_ones_are_none() -> None:
    known = {f"PALIMPSEST_{name}".upper() for name in Settings.model_fields}
    assert {*RENAMED_SETTINGS.values()} | {name for name, _ in RENAMED_VALUES} <= known
    assert not RENAMED_SETTINGS.keys() & known
