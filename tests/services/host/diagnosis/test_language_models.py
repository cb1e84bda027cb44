"""The doctor on language models: what would keep them from being asked, without asking."""

from typing import Any

from pydantic import SecretStr

from palimpsest_server.runtime.settings import Settings
from services.host.diagnosis.finding import Finding, FindingState
from services.host.diagnosis.language_models import check_language_models


def told(**settings: Any) -> Finding:
    return check_language_models(Settings(_env_file=None, **settings))


def test_without_models_all_is_well() -> None:
    assert told().state is FindingState.WELL


def test_a_missing_key_is_named_before_anything_is_started() -> None:
    finding = told(extraction_model="openai/a")
    assert finding.state is FindingState.ILL
    assert "PALIMPSEST_OPENAI_API_KEY" in finding.words


def test_each_tasks_model_is_told() -> None:
    key = SecretStr("sk-very-secret")
    finding = told(extraction_model="anthropic/a", profile_model="local", anthropic_api_key=key)
    assert finding.state is FindingState.WELL
    assert "extraction by anthropic/a" in finding.words
    assert "profile by local rules" in finding.words
    assert "secret" not in finding.words
