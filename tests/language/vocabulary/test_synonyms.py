"""A question finds what was told in another word for the same; what is stored keeps its own."""

from collections import Counter

import pytest

from palimpsest.model.vectors import SparseVector
from palimpsest_language.vocabulary.synonyms import build_synonyms
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder, select_own_terms


def score(question: str, text: str) -> float:
    asked, told = get_sparse_encoder().query(question), get_sparse_encoder().document(text)
    held = dict(zip(told.indices, told.values, strict=True))
    return sum(
        weight * held.get(index, 0.0)
        for index, weight in zip(asked.indices, asked.values, strict=True)
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When is my mother's birthday?", "mum turns 60"),
        ("what does my mom do", "My mam's a dinner lady"),
        ("Who is my grandmother?", "went to see my nan"),
        ("what bicycle do I have", "bought a new bike, a Trek"),
        ("which apartment", "the flat on Mill Road"),
        ("my favorite color", "Their favourite colour is green"),
        ("How many children?", "has two kids"),
        ("母亲多大年纪", "妈妈今年六十"),
        ("单车在哪", "自行车停在楼下"),
        ("我的工资是多少", "月薪八千"),
        ("闺女几岁了", "女儿五岁"),
    ],
)
def test_equals_are_found(question: str, text: str) -> None:
    assert score(question, text) > 0


def test_the_very_word_counts_more() -> None:
    assert score("mother", "her mother") > score("mother", "her mum") > 0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("my mother", "my father"),
        ("my bike", "my car"),
        ("my sister", "my brother"),
        ("flat", "house"),
        ("爷爷", "姥爷"),
    ],
)
def test_no_other_word_is_one(question: str, text: str) -> None:
    assert score(question, text) == 0


def test_what_is_stored_is_as_it_was() -> None:
    """Else all vectors would have to be made anew, under a version of their own."""
    told = get_sparse_encoder().document("mum")
    assert len(told.indices) == 1


def test_only_its_own_words_are_counted_of_a_question() -> None:
    asked = get_sparse_encoder().query("When is my mother's bike repaired?")
    assert select_own_terms(asked) == select_own_terms(select_own_terms(asked))
    assert len(select_own_terms(asked).indices) == 3
    assert isinstance(asked, SparseVector)
    assert len(asked.indices) > 3


def test_no_word_is_in_two_lines() -> None:
    table = build_synonyms(str)
    often = Counter(word for others in table.values() for word in others)
    assert all(often[word] == len(others) for word, others in table.items())
