"""The same words of two days are two proposals, of one day one."""

from datetime import timedelta

import pytest

from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from tests.support.language.statements.saying import asked


@pytest.mark.parametrize(
    "text", ["明天要交报告", "我今天早上去跑步了", "Remind me to call mom tomorrow at 3pm"]
)
@pytest.mark.parametrize(("apart", "kept"), [(timedelta(minutes=5), 1), (timedelta(days=3), 2)])
async def test_the_same_words_count_with_the_day_they_mean(
    text: str, apart: timedelta, kept: int
) -> None:
    request = asked(text, text)
    first, second = request.messages
    later = second.model_copy(update={"occurred_at": first.occurred_at + apart})
    answer = await LocalExtractor().extract(request.model_copy(update={"messages": (first, later)}))
    assert len(answer.proposals) == kept
