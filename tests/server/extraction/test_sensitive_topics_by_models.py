"""A model names the sensitive topic of a memory, also where no rule would see it."""

import pytest

from palimpsest.model.clock import Clock
from palimpsest.model.user import SensitiveTopic
from palimpsest_language.topics.sensitive_topics import find_sensitive_topics
from palimpsest_server.models.vendors import Vendor
from tests.support.models.model_server import ModelServer, answers
from tests.support.server.extraction.modelled import found, only, understood
from tests.support.windows import window


@pytest.mark.parametrize("topic", [*SensitiveTopic, None])
async def test_the_topic_that_a_model_names_comes_with_the_candidate(
    server: ModelServer, clock: Clock, topic: SensitiveTopic | None
) -> None:
    words = "I count every cent until the end of the month."
    answer = found("The user counts every cent until the end of the month.", words, seen=None)
    answer["memories"][0]["sensitive"] = topic
    server.script.append(answers(answer))
    proposed = await understood(server, Vendor.OPENAI, clock, window(words), sees=False)
    assert only(proposed).sensitive is topic
    assert find_sensitive_topics(words) == frozenset(), "no rule knows it"
