"""What is about a topic, and how sure that is."""

import pytest

from palimpsest.domain.topics import MEANT_AT_MOST, sureness
from palimpsest.model.topic_match import Because, Sureness


@pytest.mark.parametrize(
    ("topic", "names", "texts", "expected"),
    [
        ("Kim", ["kim", None], ["She likes tea"], (1.0, Because.NAMED)),
        ("my divorce", [], ["I talked about my divorce, again."], (0.95, Because.SAID)),
        ("离婚", ["工作"], ["上周我和他离婚了。"], (0.95, Because.SAID)),
        ("小白", ["小白"], ["猫很可爱"], (1.0, Because.NAMED)),
        ("art", [], ["I start on Monday"], (0.0, Because.MEANT)),
        ("C++", [], ["I write C#"], (0.0, Because.MEANT)),
        ("Tea", [], ["I like TEA!"], (0.95, Because.SAID)),
    ],
)
def test_names_are_surer_than_words(
    topic: str, names: list[str | None], texts: list[str], expected: tuple[float, Because]
) -> None:
    found = sureness(topic, names=names, texts=texts)
    assert found == Sureness(sure=expected[0], because=expected[1])


def test_meaning_alone_is_never_as_sure_as_words() -> None:
    found = sureness("divorce", names=(), texts=["we separated"], relevance=1.0)
    assert (found.sure, found.because) == (MEANT_AT_MOST, Because.MEANT)
    assert sureness("divorce", names=(), texts=["x"], relevance=0.7).sure == 0.7
