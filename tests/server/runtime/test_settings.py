"""Settings that people get wrong, and what is made of what they set."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.runtime.settings import (
    Mode,
    SecretsDirectoryMissing,
    Settings,
    VectorsBackend,
)
from palimpsest_server.runtime.unknown_settings import describe_unknown_settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, Mode.EMBEDDED),
        ({"PALIMPSEST_MONGODB_URL": "mongodb://mongo"}, Mode.SERVER),
        ({"PALIMPSEST_MONGODB_URL": "mongodb://mongo", "PALIMPSEST_MODE": "embedded"}, "embedded"),
        ({"PALIMPSEST_MODE": "server"}, Mode.SERVER),
    ],
)
def test_whoever_names_a_mongodb_means_the_servers(
    environment: dict[str, str], expected: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert Settings().mode == expected
    # What the command itself decides stands.
    assert Settings(mode=Mode.EMBEDDED).mode is Mode.EMBEDDED


def test_a_mongodb_named_in_a_file_of_secrets_means_the_servers_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "PALIMPSEST_MONGODB_URL").write_text("mongodb://mongo")
    monkeypatch.setenv("PALIMPSEST_SECRETS_DIRECTORY", str(tmp_path))
    assert Settings().mode is Mode.SERVER
    assert Settings().mongodb_url.get_secret_value() == "mongodb://mongo"


def test_nobody_goes_on_without_secrets_whose_directory_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_SECRETS_DIRECTORY", str(tmp_path / "missing"))
    with pytest.raises(SecretsDirectoryMissing, match="missing"):
        Settings()


@pytest.mark.parametrize("name", ["qdrant", "server"])
def test_qdrant_is_also_read_by_its_old_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_VECTORS", name)
    assert Settings().vectors is VectorsBackend.QDRANT


@pytest.mark.parametrize("name", ["Qdrant", "servers", ""])
def test_vectors_of_no_known_backend_are_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_VECTORS", name)
    with pytest.raises(ValidationError, match="'edge', 'qdrant' or 'none'"):
        Settings()


def test_a_log_level_is_one_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_LOG_LEVEL", "debug")
    assert Settings().log_level == "DEBUG"
    monkeypatch.setenv("PALIMPSEST_LOG_LEVEL", "LOUD")
    with pytest.raises(ValidationError, match="one of DEBUG"):
        Settings()


def test_what_nobody_reads_is_named_wherever_it_was_set_and_its_value_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "PALIMPSEST_ENCRYPTON_KEY").write_text("hunter2")
    (secrets / "PALIMPSEST_API_KEY").write_text("hunter2" * 3)
    (tmp_path / ".env").write_text("PALIMPSEST_QUADRANT_URL=hunter2\nSERVICE_KEY=hunter2\n")
    monkeypatch.setenv("PALIMPSEST_SECRETS_DIRECTORY", str(secrets))
    monkeypatch.setenv("PALIMPSEST_KAKFA_USER", "hunter2")
    monkeypatch.setenv("PALIMPSEST_TEST_KAFKA", "hunter2")
    found = describe_unknown_settings()
    assert [words for words in found if "ENCRYPTON" in words] == [
        "PALIMPSEST_ENCRYPTON_KEY is no setting; is PALIMPSEST_ENCRYPTION_KEY meant?"
    ]
    assert {words.partition(" ")[0] for words in found} == {
        "PALIMPSEST_ENCRYPTON_KEY",
        "PALIMPSEST_QUADRANT_URL",
        "PALIMPSEST_KAKFA_USER",
    }
    assert not any("hunter2" in words for words in found)


def test_a_task_without_a_model_of_its_own_has_the_one_that_extracts() -> None:
    assert [Settings().model_of(task) for task in ModelTask] == [None] * len(ModelTask)
    named = {"extraction_model": "openai/large", "summary_model": "openai/small"}
    mixed = Settings.model_validate({**named, "reflection_model": "local"})
    assert [mixed.model_of(task) for task in ModelTask] == [
        "openai/large",
        "openai/small",
        "openai/large",
        "openai/large",
        None,
        "openai/large",
    ]
