"""What is about a topic, and how sure that is."""

import pytest

from palimpsest.model.topic_match import TopicRelevance, TopicRelevanceReason
from palimpsest_language.topic_relevance import MAXIMUM_MEANING_RELEVANCE, assess_topic_relevance


@pytest.mark.parametrize(
    ("topic", "names", "texts", "expected"),
    [
        ("Kim", ["kim", None], ["She likes tea"], (1.0, TopicRelevanceReason.NAMED)),
        (
            "my divorce",
            [],
            ["I talked about my divorce, again."],
            (0.95, TopicRelevanceReason.SAID),
        ),
        ("离婚", ["工作"], ["上周我和他离婚了。"], (0.95, TopicRelevanceReason.SAID)),
        ("小白", ["小白"], ["猫很可爱"], (1.0, TopicRelevanceReason.NAMED)),
        (
            "my weight",
            [],
            ["The user's weight is 78 kg"],
            (0.95, TopicRelevanceReason.SAID),
        ),
        ("我的体重", [], ["用户体重78公斤"], (0.95, TopicRelevanceReason.SAID)),
        ("我的体重", [], ["我体重78公斤，该吃多少"], (0.95, TopicRelevanceReason.SAID)),
        ("my name", [], ["The user's cat's name is Bruno"], (0.0, TopicRelevanceReason.MEANT)),
        ("我的名字", [], ["用户的猫名字叫布布"], (0.0, TopicRelevanceReason.MEANT)),
        ("art", [], ["I start on Monday"], (0.0, TopicRelevanceReason.MEANT)),
        ("C++", [], ["I write C#"], (0.0, TopicRelevanceReason.MEANT)),
        ("Tea", [], ["I like TEA!"], (0.95, TopicRelevanceReason.SAID)),
    ],
)
def test_names_are_surer_than_words(
    topic: str,
    names: list[str | None],
    texts: list[str],
    expected: tuple[float, TopicRelevanceReason],
) -> None:
    found = assess_topic_relevance(topic, names=names, texts=texts)
    assert found == TopicRelevance(sure=expected[0], because=expected[1])


def test_meaning_alone_is_never_as_sure_as_words() -> None:
    found = assess_topic_relevance("divorce", names=(), texts=["we separated"], relevance=1.0)
    assert (found.sure, found.because) == (MAXIMUM_MEANING_RELEVANCE, TopicRelevanceReason.MEANT)
    assert assess_topic_relevance("divorce", names=(), texts=["x"], relevance=0.7).sure == 0.7
