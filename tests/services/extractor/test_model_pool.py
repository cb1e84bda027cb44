"""Models by the settings: one for each task, shared, with prices and limits."""

from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.runtime.settings import ModelFallback, Settings
from palimpsest_server.stores.spending import InMemorySpending
from services.extractor.model_pool import ModelPool
from services.extractor.task_providers import build_task_providers

KEY = "sk-very-secret"


def models(clock: Clock, **settings: Any) -> ModelPool:
    return ModelPool(
        configured(**settings),
        spending=InMemorySpending(),
        registry=CollectorRegistry(),
        clock=clock,
    )


def configured(**settings: Any) -> Settings:
    return Settings(_env_file=None, **{"openai_api_key": SecretStr(KEY), **settings})


def test_without_a_word_about_models_there_are_none(clock: Clock) -> None:
    assert all(models(clock).of(task) is None for task in ModelTask)
    assert build_task_providers(configured(), models(clock)).first.name == "local"


def test_each_task_has_its_own_model_or_the_one_that_extracts(clock: Clock) -> None:
    chosen = models(
        clock, extraction_model="openai/a", profile_model="openai/b", judgement_model="local"
    )
    names = {task: model.name if (model := chosen.of(task)) else None for task in ModelTask}
    assert names == {
        ModelTask.EXTRACTION: "openai/a",
        ModelTask.SUMMARY: "openai/a",
        ModelTask.PROFILE: "openai/b",
        ModelTask.JUDGEMENT: None,
        ModelTask.REFLECTION: "openai/a",
        ModelTask.ANSWER: "openai/a",
    }


def test_tasks_of_one_model_share_its_guard(clock: Clock) -> None:
    chosen = models(clock, extraction_model="openai/a")
    extraction, summary = chosen.of(ModelTask.EXTRACTION), chosen.of(ModelTask.SUMMARY)
    assert extraction is not None
    assert summary is not None
    assert extraction._model is summary._model


def test_the_rules_stand_in_only_if_the_settings_say_so(clock: Clock) -> None:
    chosen: dict[str, Any] = {"extraction_model": "openai/a"}
    assert build_task_providers(configured(**chosen), models(clock, **chosen)).rules is None
    with_rules = {**chosen, "extraction_fallback": ModelFallback.LOCAL}
    providers = build_task_providers(configured(**with_rules), models(clock, **with_rules))
    assert providers.first.name == "openai/a"
    assert providers.fallback is providers.rules is not None


@pytest.mark.parametrize("limit", ["model_user_daily_cost", "model_deployment_daily_cost"])
def test_where_money_is_limited_every_model_has_a_price(clock: Clock, limit: str) -> None:
    limited: dict[str, Any] = {"extraction_model": "openai/a", limit: 5.0}
    with pytest.raises(PermanentError, match="no price for openai/a"):
        models(clock, **limited).of(ModelTask.EXTRACTION)
    priced = {**limited, "model_prices": {"openai/a": {"input": 1.0, "output": 4.0}}}
    assert models(clock, **priced).of(ModelTask.EXTRACTION)


def test_a_server_of_ones_own_costs_nothing(clock: Clock) -> None:
    own: dict[str, Any] = {
        "extraction_model": "compatible/a",
        "compatible_base_url": "http://127.0.0.1:9/v1",
        "model_user_daily_cost": 1.0,
    }
    assert models(clock, **own).of(ModelTask.EXTRACTION)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_EXTRACTION_MODEL", "openai/a")
    monkeypatch.setenv("PALIMPSEST_OPENAI_API_KEY", KEY)
    monkeypatch.setenv("PALIMPSEST_MODEL_PRICES", '{"openai/a": {"input": 0.25, "output": 2}}')
    settings = Settings(_env_file=None)
    assert settings.model_prices["openai/a"].output == 2
    assert KEY not in repr(settings)
    assert KEY not in settings.model_dump_json()
