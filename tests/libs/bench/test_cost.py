"""What a thousand conversations cost: counted in what was sent, and worked out from that."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.bench import clerk
from palimpsest.bench.cost import HISTORY_OF_002, Chat, figures, settings_for, talkers_of
from palimpsest.bench.extraction_dialogues import read_dialogues
from palimpsest.bench.extraction_providers import ProviderName, reader_of
from palimpsest.bench.extraction_windows import windows_of
from palimpsest.bench.model_server import Asked, ModelServer, asked_in, model_server
from palimpsest.contracts.questions import ProfileRequested
from palimpsest.domain.evolution.judging import Ruling
from palimpsest.domain.usage import UsageSum
from palimpsest.domain.user import Language
from palimpsest.providers.extraction.messages import ExtractionRequest, numbered, request_of
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


def taken(calls: int, tokens: int) -> UsageSum:
    return UsageSum(
        calls=calls,
        input_tokens=tokens,
        output_tokens=tokens // 10,
        cost_millionths=round(tokens * 0.15 + tokens // 10 * 0.6),
    )


def test_what_was_taken_is_told_for_a_thousand_conversations() -> None:
    chat = Chat(messages=40, full_context=400_000, recent=8_000, blocks=[300] * 40)
    tasks = {"extraction": taken(12, 12_000), "summary": taken(10, 8_000)}
    one = figures(tasks, chat, conversations=10, prices=PRICES)
    rows = one["per_thousand"]
    assert rows["extraction"]["calls"] == 1_200
    assert rows["extraction"]["input_tokens"] == 1_200_000
    assert rows["all"]["input_tokens"] == 2_000_000
    assert rows["all"]["cost"] == pytest.approx(0.42)
    against = one["against_full_context"]
    assert against["full_context_cost"] == pytest.approx(40_000_000 * 0.15 / 1e6)
    assert against["with_memory_tokens"] == 2_000_000
    assert against["saving_cost"] == pytest.approx(1 - (0.3 + 0.42) / 6, abs=1e-4)
    assert against["saving_cost_of_memory_alone"] == pytest.approx(1 - 0.42 / 6, abs=1e-4)
    # 0.72 for 4,000 messages is 1,200 tokens of input each.
    assert against["break_even_history_tokens"] == 1_200
    assert against["saving_at_002"] == pytest.approx(1 - 1_200 / HISTORY_OF_002, abs=1e-4)


def test_without_a_price_there_are_tokens_and_no_cost() -> None:
    chat = Chat(messages=4, full_context=10_000, recent=500, blocks=[100] * 4)
    one = figures({"summary": taken(1, 1_000)}, chat, conversations=1, prices=None)
    assert one["per_thousand"]["all"]["cost"] is None
    assert one["against_full_context"]["saving_cost"] is None
    assert one["against_full_context"]["saving_tokens"] == pytest.approx(0.8)


def test_each_file_is_a_user_whose_conversations_follow_one_another() -> None:
    talkers = talkers_of([GOLDEN / "zh_open.jsonl", GOLDEN / "en_open.jsonl"], limit=3)
    assert [talker.user_id for talker in talkers] == ["zh_open", "en_open"]
    for talker in talkers:
        assert len(talker.talks) == 3
        begun = [talk.messages[0].occurred_at for talk in talker.talks]
        assert begun == sorted(begun, key=lambda each: each or NOON - timedelta(days=9_999))
