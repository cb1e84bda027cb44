"""Each question is analyzed into one intent."""

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.api.recall import RecallRequest, RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.turn import Role
from services.recall.analyze import QuestionAnalyzer
from services.recall.intents import (
    AttributeIntent,
    EarlierConversationIntent,
    GeneralIntent,
    LastWordsIntent,
    TimeIntent,
    TodoIntent,
)
from services.recall.metrics import RecallMetrics
from services.recall.question import Question
from tests.support.services.recall.stand_ins import States, shared_embedder, shared_topics


@pytest.fixture
def analyzer(clock: Clock) -> QuestionAnalyzer:
    metrics = RecallMetrics(CollectorRegistry())
    return QuestionAnalyzer(States(), shared_embedder(), shared_topics(), metrics, clock)


async def analyze(analyzer: QuestionAnalyzer, query: str, **fields: object) -> Question:
    request = {"user_id": "ada", "query": query, **fields}
    return await analyzer.analyze(RecallRequest.model_validate(request))


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("Which boat is mine?", GeneralIntent),
        ("Where do I live?", AttributeIntent),
        ("我住在哪里？", AttributeIntent),
        ("What happened last week?", TimeIntent),
        ("What did we talk about last time?", EarlierConversationIntent),
        ("Do you remember where I live?", EarlierConversationIntent),
        ("What did I just say?", LastWordsIntent),
        ("What do I still have to do?", TodoIntent),
        ("还有什么事要做？", TodoIntent),
    ],
)
async def test_a_question_has_one_intent(
    analyzer: QuestionAnalyzer, query: str, intent: type
) -> None:
    assert isinstance((await analyze(analyzer, query)).intent, intent)


async def test_a_question_about_the_past_has_no_attribute_and_sees_what_was(
    analyzer: QuestionAnalyzer,
) -> None:
    question = await analyze(analyzer, "Where did I live before?")
    assert question.intent == GeneralIntent()
    assert question.visibility.past
    assert question.visibility.looks_back


async def test_an_attribute_that_it_asks_to_be_reminded_of_goes_along(
    analyzer: QuestionAnalyzer,
) -> None:
    question = await analyze(analyzer, "Do you remember where I live?")
    assert question.attribute is not None


async def test_only_its_times_are_seen_where_it_asks_for_nothing_else(
    analyzer: QuestionAnalyzer,
) -> None:
    question = await analyze(analyzer, "What happened last week?")
    assert question.is_within_times
    assert question.visibility.within == question.times != ()
    assert question.with_intent(GeneralIntent()).visibility.within == ()


async def test_a_list_is_answered_by_the_default_policy_alone(analyzer: QuestionAnalyzer) -> None:
    question = await analyze(analyzer, "What did I just say?")
    assert isinstance(question.intent, LastWordsIntent)
    assert question.intent.speaker is Role.USER
    by_policy = await analyze(analyzer, "What did I just say?", policy=PolicyName.GATED)
    assert isinstance(by_policy.intent, GeneralIntent)


async def test_messages_alone_have_no_attribute_and_no_todos(analyzer: QuestionAnalyzer) -> None:
    for query in ("Where do I live?", "What do I still have to do?"):
        question = await analyze(analyzer, query, records=[RecordType.TURN])
        assert question.intent == GeneralIntent()
