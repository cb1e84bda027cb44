"""The bench of costs: every task of every vendor is answered, and what was sent is counted."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.events.extractor_requests import ProfileRequested
from palimpsest.model.judgement import JudgementVerdict
from palimpsest.model.user import Language
from palimpsest_lab.cost.benchmark import build_instance_settings, format_saving
from palimpsest_lab.extraction.dialogue_readers import ReaderName, build_reader
from palimpsest_lab.extraction.dialogue_windows import cut_dialogue_windows
from palimpsest_lab.extraction.golden_dialogues import read_golden_dialogues
from palimpsest_lab.instances import scripted_model
from palimpsest_lab.instances.model_server import (
    ModelServerRequest,
    ScriptedModelServer,
    parse_model_request,
    run_model_server,
)
from palimpsest_language.dialogue import ExtractionRequest, number_messages
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.profiles.model_profiles import ModelProfiles
from palimpsest_server.extraction.prompts.judgement import build_judgement_prompt
from palimpsest_server.extraction.prompts.reflection import build_reflection_prompt
from palimpsest_server.extraction.summaries.model_summaries import ModelSummaries
from palimpsest_server.extraction.summaries.summariser import SummaryInput
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.model_metrics import ModelMetrics
from palimpsest_server.models.prices import ModelPrices
from palimpsest_server.models.task_model import TaskModel
from palimpsest_server.models.token_counter import get_token_counter
from palimpsest_server.runtime.settings import Settings
from tests.support.server.extraction.reflection_questions import question

GOLDEN = Path("tests/golden/extraction")
PRICES = ModelPrices(input=0.15, output=0.6)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedModelServer]:
    async with run_model_server(scripted_model.answer_model_request) as server:
        yield server


@pytest.mark.parametrize(
    "provider", [reader_name for reader_name in ReaderName if reader_name != "local"]
)
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_clerk_answers_every_task_of_every_vendor(
    server: ScriptedModelServer, provider: ReaderName, language: str
) -> None:
    environment = build_instance_settings(provider, "m", server, PRICES)
    fields = {
        name.removeprefix("PALIMPSEST_").lower(): value
        for name, value in environment.items()
        if not name.endswith("_PRICES")
    }
    settings = Settings(_env_file=None, **fields)  # type: ignore[arg-type]
    reader = build_reader(provider, model="m", base_url=None, settings=settings)
    dialogue = read_golden_dialogues(GOLDEN / f"{language}_open.jsonl")[0]
    [window, *_] = cut_dialogue_windows(dialogue, rounds=5, context_messages=10)
    assert reader.model is not None
    metrics = ModelMetrics(CollectorRegistry())

    def task(which: ModelTask) -> TaskModel:
        assert reader.model is not None
        return TaskModel(reader.model, which, metrics=metrics)

    try:
        answer = await reader.provider.extract(build_extraction_request(window))
        assert answer.proposals
        summary = await ModelSummaries(task(ModelTask.SUMMARY)).summarise(
            SummaryInput(
                conversation=ExtractionRequest(
                    user_id="ann",
                    messages=number_messages(window.fresh),
                    participants=(),
                    language=None,
                    time_zone="UTC",
                ),
                published=None,
            )
        )
        assert summary is not None
        described = await ModelProfiles(task(ModelTask.PROFILE)).describe(
            _profile(Language(language))
        )
        assert "1984" in described.narrative
        judged = await task(ModelTask.JUDGEMENT).ask(
            build_judgement_prompt("tea", ["green tea"], Language(language)), user_id="ann"
        )
        assert judged.verdict is JudgementVerdict.KEEP_BOTH
        shown = build_reflection_prompt(question(language=Language(language)))
        assert (await task(ModelTask.REFLECTION).ask(shown, user_id="ann")).reflections == []
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
    found = [parse_model_request(body) for body in bodies]
    assert {model_server_request.tokens for model_server_request in found} == {
        get_token_counter()("be kind")
        + get_token_counter()("hello there")
        + get_token_counter()('{"type": "object", "properties": {"memories": {}}}')
    }
    assert ModelServerRequest(instructions="", said=[], schema={}).tokens == 0


def test_what_costs_more_is_not_told_as_a_saving() -> None:
    assert format_saving(0.8, "cost") == "80% less cost"
    assert format_saving(-3.08, "cost") == "3.1 times more cost"
