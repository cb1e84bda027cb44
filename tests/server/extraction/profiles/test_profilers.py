"""Profiles from memories' own sentences, and from a model that is checked."""

from datetime import UTC, datetime
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.events.extractor_requests import ProfileFact, ProfileRequested, ReplacedStatement
from palimpsest.model.kinds import Kind
from palimpsest.model.profile import COLD_START
from palimpsest.model.user import Language
from palimpsest_server.extraction.profiles.local_profiles import LocalProfiles
from palimpsest_server.extraction.profiles.model_profiles import (
    ModelProfiles,
    ProfileFactsLost,
    ProfileFormError,
)
from palimpsest_server.extraction.profiles.profile_event import propose_profile
from palimpsest_server.extraction.profiles.profiler import ProfileAnswer
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.stores.spending import InMemorySpending
from services.extractor.model_pool import ModelPool
from tests.support.clock import SettableClock
from tests.support.models.model_server import ModelServer, Says, answers, model_server
from tests.support.services.extractor.modelled import Options, settings_for

NOW = datetime(2026, 3, 10, tzinfo=UTC)


def asked(language: Language = Language.ENGLISH, **fields: Any) -> ProfileRequested:
    return ProfileRequested.model_validate(
        {
            "event_id": "q",
            "occurred_at": NOW,
            "epoch": 0,
            "user_id": "ann",
            "question_id": "q",
            "version": 0,
            "revision": 3,
            "narrative": "",
            "basic_info": {},
            "summaries": (),
            "facts": (),
            "summaries_through": NOW,
            "language": language,
            **fields,
        }
    )


FACTS = (
    ProfileFact(kind=Kind.FACT, content="The user lives in Bergen"),
    ProfileFact(kind=Kind.PREFERENCE, content="The user likes short answers."),
    ProfileFact(kind=Kind.GOAL, content="The user wants to sail to Shetland"),
)


async def test_local_paragraphs_are_sentences_of_memories_without_lists() -> None:
    answer = await LocalProfiles().describe(
        asked(
            facts=FACTS,
            changes=(
                ReplacedStatement(
                    before="The user lives in Oslo.", after="The user moved to Bergen"
                ),
            ),
            open_todos=("The user has to paint the boat",),
        )
    )
    assert answer.narrative.split("\n\n") == [
        "The user lives in Bergen.",
        "The user likes short answers.",
        "The user wants to sail to Shetland.",
        "Still to be done: The user has to paint the boat.",
        "No longer so: The user lives in Oslo. Now: The user moved to Bergen.",
    ]


async def test_local_paragraphs_in_chinese() -> None:
    answer = await LocalProfiles().describe(
        asked(
            Language.CHINESE,
            facts=(
                ProfileFact(kind=Kind.FACT, content="用户住在杭州"),
                ProfileFact(kind=Kind.FACT, content="用户住在杭州。"),
                ProfileFact(kind=Kind.PREFERENCE, content="用户喜欢简短的回答"),
            ),
            changes=(ReplacedStatement(before="用户住在上海", after="用户搬到了杭州。"),),
        )
    )
    assert answer.narrative.split("\n\n") == [
        "用户住在杭州。",
        "用户喜欢简短的回答。",
        "过去：用户住在上海；现在：用户搬到了杭州。",
    ]


async def test_what_another_fact_says_word_for_word_is_told_once() -> None:
    facts = (
        ProfileFact(kind=Kind.FACT, content="离西湖走路十分钟"),
        ProfileFact(kind=Kind.EVENT, content="用户搬到了杭州，离西湖走路十分钟"),
        ProfileFact(kind=Kind.FACT, content="用户搬到了杭州，离西湖走路十分钟。"),
        ProfileFact(kind=Kind.PREFERENCE, content="用户喜欢茶"),
        ProfileFact(kind=Kind.PREFERENCE, content="用户喜欢茶叶蛋"),
    )
    answer = await LocalProfiles().describe(asked(Language.CHINESE, facts=facts))
    assert answer.narrative.split("\n\n") == [
        "用户喜欢茶。用户喜欢茶叶蛋。",
        "用户搬到了杭州，离西湖走路十分钟。",
    ]


@pytest.mark.parametrize("language", list(Language))
async def test_of_whom_nothing_is_known_that_is_said(language: Language) -> None:
    assert (await LocalProfiles().describe(asked(language))).narrative == COLD_START[language]


def test_the_answer_is_the_next_version_and_the_same_each_time() -> None:
    question = asked(version=4, basic_info={"name": "Ann"})
    answer = ProfileAnswer(narrative="Ann sails.")
    first = propose_profile(question, answer, provider="local", now=NOW)
    assert first == propose_profile(question, answer, provider="local", now=NOW)
    assert (first.profile.version, first.profile.revision) == (5, 3)
    assert first.profile.basic_info == {"name": "Ann"}
    assert first.texts() == ()


def wrote(*paragraphs: str) -> Says:
    return answers({"paragraphs": list(paragraphs)})


BEFORE = "The user works at TechCorp.\n\nThe user has 2 cats."
GOOD = (
    "The user worked at TechCorp until recently and is at Nautica now.",
    "The user has 2 cats.",
    "The user wants to sail.",
)


async def described(server: ModelServer, clock: SettableClock, question: ProfileRequested) -> str:
    models = ModelPool(
        settings_for(server, Options()),
        spending=InMemorySpending(),
        registry=CollectorRegistry(),
        clock=clock,
    )
    model = models.of(ModelTask.PROFILE)
    assert model is not None
    try:
        return (await ModelProfiles(model).describe(question)).narrative
    finally:
        await models.close()


async def test_a_model_keeps_a_trace_of_what_has_changed(clock: SettableClock) -> None:
    question = asked(
        narrative=BEFORE, changes=(ReplacedStatement(before="TechCorp", after="Nautica"),)
    )
    async with model_server() as server:
        server.script.append(wrote(*GOOD))
        assert await described(server, clock, question) == "\n\n".join(GOOD)
        assert '"before": "TechCorp"' in server.asked[0].last


async def test_what_is_lost_is_asked_for_once_and_then_refused(clock: SettableClock) -> None:
    question = asked(narrative=BEFORE)
    async with model_server() as server:
        server.script += [wrote("The user works at TechCorp."), wrote(*GOOD)]
        assert await described(server, clock, question) == "\n\n".join(GOOD)
        assert "missing: 2" in server.asked[1].last
        server.script += [wrote("The user works."), wrote("The user works.")]
        with pytest.raises(ProfileFactsLost):
            await described(server, clock, question)


async def test_after_a_topic_was_forgotten_it_is_written_from_what_remains(
    clock: SettableClock,
) -> None:
    question = asked(narrative=BEFORE, facts=FACTS, unchecked=True)
    async with model_server() as server:
        server.script.append(wrote("The user lives in Bergen."))
        assert await described(server, clock, question) == "The user lives in Bergen."
        assert "TechCorp" not in server.asked[0].last


@pytest.mark.parametrize(
    "paragraphs",
    [
        ("- The user sails.\n- The user has 2 cats.",),
        ("1. The user sails.",),
        (),
        ("The user.",) * 6,
    ],
)
async def test_lists_and_essays_are_refused(
    clock: SettableClock, paragraphs: tuple[str, ...]
) -> None:
    async with model_server() as server:
        server.script += [wrote(*paragraphs), wrote(*paragraphs)]
        with pytest.raises(ProfileFormError):
            await described(server, clock, asked())
