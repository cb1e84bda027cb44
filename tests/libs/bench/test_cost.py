"""The bench of costs: every task of every vendor is answered, and what was sent is counted."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.bench import clerk
from palimpsest.bench.cost import settings_for
from palimpsest.bench.extraction_dialogues import read_dialogues
from palimpsest.bench.extraction_providers import ProviderName, reader_of
from palimpsest.bench.extraction_windows import windows_of
from palimpsest.bench.model_server import Asked, ModelServer, asked_in, model_server
from palimpsest.contracts.questions import ProfileRequested
from palimpsest.domain.user import Language
from palimpsest.model.judgement import Ruling
from palimpsest.providers.extraction.dialogue import ExtractionRequest, numbered
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.profiles.with_model import ModelProfiles
from palimpsest.providers.extraction.prompts.judgement import judgement_prompt
from palimpsest.providers.extraction.prompts.reflection import reflection_prompt
from palimpsest.providers.extraction.summaries.summariser import SummaryAsked
from palimpsest.providers.extraction.summaries.with_model import ModelSummaries
from palimpsest.providers.models.asking import TaskModel
from palimpsest.providers.models.language_model import Task
from palimpsest.providers.models.metrics import ModelMetrics
from palimpsest.providers.models.prices import ModelPrices
from palimpsest.providers.tokens import token_counter
from palimpsest.runtime.settings import Settings
from tests.libs.providers.extraction.test_reflecting import question

GOLDEN = Path("tests/golden/extraction")
PRICES = ModelPrices(input=0.15, output=0.6)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server(clerk.answered) as server:
        yield server


@pytest.mark.parametrize("provider", [each for each in ProviderName if each != "local"])
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_clerk_answers_every_task_of_every_vendor(
    server: ModelServer, provider: ProviderName, language: str
) -> None:
    environment = settings_for(provider, "m", server, PRICES)
    fields = {
        name.removeprefix("PALIMPSEST_").lower(): value
        for name, value in environment.items()
        if not name.endswith("_PRICES")
    }
    settings = Settings(_env_file=None, **fields)  # type: ignore[arg-type]
    reader = reader_of(provider, model="m", base_url=None, settings=settings)
    dialogue = read_dialogues(GOLDEN / f"{language}_open.jsonl")[0]
    [window, *_] = windows_of(dialogue, rounds=5, context_messages=10)
    assert reader.model is not None
    metrics = ModelMetrics(CollectorRegistry())

    def task(which: Task) -> TaskModel:
        assert reader.model is not None
        return TaskModel(reader.model, which, metrics=metrics)

    try:
        found = await reader.provider.extract(request_of(window))
        assert found.proposals
        summary = await ModelSummaries(task(Task.SUMMARY)).summarise(
            SummaryAsked(
                conversation=ExtractionRequest(
                    user_id="ann",
                    messages=numbered(window.fresh),
                    participants=(),
                    language=None,
                    time_zone="UTC",
                ),
                published=None,
            )
        )
        assert summary is not None
        described = await ModelProfiles(task(Task.PROFILE)).describe(_profile(Language(language)))
        assert "1984" in described.narrative
        judged = await task(Task.JUDGEMENT).ask(
            judgement_prompt("tea", ["green tea"], Language(language)), user_id="ann"
        )
        assert judged.verdict is Ruling.KEEP_BOTH
        shown = reflection_prompt(question(language=Language(language)))
        assert (await task(Task.REFLECTION).ask(shown, user_id="ann")).reflections == []
    finally:
        await reader.stop()
    assert server.asked == 5
    assert (reader.spent() or {})["tokens"]["input"] > 0


def _profile(language: Language) -> ProfileRequested:
    words = {
        Language.ENGLISH: "The user was born in 1984 and lives in Porto.",
        Language.CHINESE: "用户1984年出生，住在波尔图。",
    }
    return ProfileRequested.model_validate(
        {
            "event_id": "e",
            "occurred_at": NOON,
            "user_id": "ann",
            "question_id": "q",
            "version": 1,
            "revision": 1,
            "narrative": words[language],
            "basic_info": {},
            "summaries": (),
            "facts": ({"kind": "fact", "content": words[language]},),
            "summaries_through": NOON,
            "language": language,
        }
    )


def test_tokens_are_of_all_that_was_sent_wherever_a_vendor_wants_it() -> None:
    schema = {"type": "object", "properties": {"memories": {}}}
    said = [{"role": "user", "content": "hello there"}]
    bodies = [
        {"instructions": "be kind", "input": said, "text": {"format": {"schema": schema}}},
        {"system": "be kind", "messages": said, "output_config": {"format": {"schema": schema}}},
        {"messages": [{"role": "system", "content": "be kind"}, *said], "response_format": {"json_schema": {"schema": schema}}},
    ]  # fmt: skip
    found = [asked_in(body) for body in bodies]
    assert {each.tokens for each in found} == {
        token_counter()("be kind")
        + token_counter()("hello there")
        + token_counter()('{"type": "object", "properties": {"memories": {}}}')
    }
    assert Asked(instructions="", said=[], schema={}).tokens == 0
