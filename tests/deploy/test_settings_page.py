"""deploy/SETTINGS.md is what the settings say, and every setting says enough."""

import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.settings_reference import (
    list_documented_settings,
    render_settings_page,
)
from tests.support.paths import ROOT


def test_the_page_is_what_the_command_prints() -> None:
    page = (ROOT / "deploy" / "SETTINGS.md").read_text()
    assert page == render_settings_page(), (
        "run `palimpsest settings --markdown > deploy/SETTINGS.md`"
    )


def test_every_setting_is_in_it_once_and_no_secret_is_shown() -> None:
    rows = {
        documented_setting.variable: documented_setting
        for documented_setting in list_documented_settings()
    }
    assert len(rows) == len(Settings.model_fields) + 1
    for name, field in Settings.model_fields.items():
        if SecretStr in (field.annotation, *getattr(field.annotation, "__args__", ())):
            assert rows[f"PALIMPSEST_{name.upper()}"].default == ""


def test_every_setting_says_what_it_is_for_beside_its_choices() -> None:
    words = {
        documented_setting.variable: documented_setting.words
        for documented_setting in list_documented_settings()
    }
    said = {name: re.sub(r"^One of [^.]*\.", "", text).strip() for name, text in words.items()}
    assert [name for name, text in said.items() if len(text.split()) < 3] == []


@pytest.mark.parametrize(
    ("variable", "words"),
    [
        ("PALIMPSEST_KAFKA_SECURITY_PROTOCOL", "One of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL."),
        ("PALIMPSEST_API_KEY", "The key that opens everything"),
    ],
)
def test_what_stands_below_a_setting_is_what_is_said_of_it(variable: str, words: str) -> None:
    (row,) = (
        documented_setting
        for documented_setting in list_documented_settings()
        if documented_setting.variable == variable
    )
    assert row.words.startswith(words)


def test_a_secret_can_be_a_file_and_the_environment_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "PALIMPSEST_API_KEY").write_text("from-a-file-of-secrets\n")
    (tmp_path / "PALIMPSEST_KAFKA_PASSWORD").write_text("from-a-file")
    monkeypatch.setenv("PALIMPSEST_SECRETS_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("PALIMPSEST_KAFKA_PASSWORD", "from-the-environment")
    settings = Settings(_env_file=None)
    assert settings.api_key == SecretStr("from-a-file-of-secrets")
    assert settings.kafka_password == SecretStr("from-the-environment")
