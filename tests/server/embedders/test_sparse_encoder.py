import jieba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.vectors import SparseVector
from palimpsest_server.embedders.sparse_encoder import (
    AVERAGE_TOKENS,
    K1,
    get_sparse_encoder,
    parse_frequencies,
)


def shared(question: str, text: str) -> int:
    """How many terms of the question the text has."""
    return len(
        set(get_sparse_encoder().query(question).indices)
        & set(get_sparse_encoder().document(text).indices)
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("running", "She runs every morning"),
        ("Café", "we met at the CAFÉ"),
        ("GPT", "ＧＰＴ很好用"),
        ("Kafka", "我们项目决定用Kafka做消息队列"),
        ("咖啡", "我喜欢喝咖啡"),
        ("猫", "我养了一只小猫咪"),
        ("狗打疫苗了吗", "小狗豆豆上周打了疫苗"),
        ("李娜", "同事李娜负责前端开发"),
        ("カタカナ", "カタカナで書く"),
        ("Анна", "анна приехала"),
        ("don't panic", "Don’t panic"),
    ],
)
def test_a_question_meets_the_text_that_answers_it(question: str, text: str) -> None:
    assert shared(question, text) >= 1


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("7", "on the 7th"),
        ("May 7", "07 May 2023"),
        ("5月7号", "2023年05月07日"),
        ("1000", "it cost 1,000"),
        ("3.5", "version 3.5"),
        ("10:30", "at 10:30am"),
        ("2023", "2023年"),
        ("gpt4o", "I use gpt4o"),
    ],
)
def test_numbers_and_dates_are_kept_and_written_one_way(question: str, text: str) -> None:
    assert shared(question, text) == len(get_sparse_encoder().query(question).indices)


@pytest.mark.parametrize("text", ["the and of it", "我的了吗", "!!! … 👍", "", "   \n"])
def test_what_says_nothing_has_no_terms(text: str) -> None:
    nothing = SparseVector(indices=(), values=())
    assert get_sparse_encoder().document(text) == nothing
    assert get_sparse_encoder().query(text) == nothing


def test_characters_in_passing_do_not_make_strangers_meet() -> None:
    assert shared("请证明勾股定理", "我们公司的股东都很讲道理") == 0


def test_a_question_weighs_each_word_once() -> None:
    assert get_sparse_encoder().query("tea tea tea 茶 茶").values == (1.0, 1.0)


def test_a_repeated_word_weighs_more_but_ever_less_so() -> None:
    once, twice, often = (
        dict(zip(vector.indices, vector.values, strict=True))
        for vector in (
            get_sparse_encoder().document("tea " + "filler " * 7),
            get_sparse_encoder().document("tea tea " + "filler " * 6),
            get_sparse_encoder().document("tea tea tea " + "filler " * 5),
        )
    )
    tea = get_sparse_encoder().query("tea").indices[0]
    assert once[tea] < twice[tea] < often[tea] < K1 + 1
    assert often[tea] - twice[tea] < twice[tea] - once[tea]


def test_a_word_of_a_long_text_weighs_less() -> None:
    tea = get_sparse_encoder().query("tea").indices[0]

    def weight(length: int) -> float:
        vector = get_sparse_encoder().document(
            "tea " + " ".join(f"word{n}" for n in range(length - 1))
        )
        return dict(zip(vector.indices, vector.values, strict=True))[tea]

    assert weight(5) > weight(int(AVERAGE_TOKENS)) > weight(500)
    assert weight(int(AVERAGE_TOKENS)) == pytest.approx(1.0)


@given(st.text(max_size=200))
def test_indices_ascend_are_unique_and_fit_32_bits_whatever_the_text(text: str) -> None:
    for vector in (get_sparse_encoder().document(text), get_sparse_encoder().query(text)):
        assert list(vector.indices) == sorted(set(vector.indices))
        assert all(0 <= index < 2**32 for index in vector.indices)
        assert all(value > 0 for value in vector.values)
        assert len(vector.indices) == len(vector.values)


@given(st.text(max_size=80))
def test_whatever_a_question_asks_for_the_same_text_has(text: str) -> None:
    assert set(get_sparse_encoder().query(text).indices) <= set(
        get_sparse_encoder().document(text).indices
    )


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("用户对花生过敏", True), ("Bo: 我们周日去 Ikea 买了沙发\n25 November 2026 2026年11月25日", True), ("I am allergic to peanuts", False),
        ("Ada met 小明 in Oslo\n25 November 2026 2026年11月25日", False), ("", False), ("42", False),
    ],
)  # fmt: skip
def test_a_text_is_known_as_chinese_by_its_terms(text: str, chinese: bool) -> None:
    encoder = get_sparse_encoder()
    assert encoder.is_chinese(encoder.document(text).indices) is chinese


def test_the_dictionary_is_read_as_the_library_reads_it() -> None:
    library = jieba.Tokenizer()
    with library.get_dict_file() as dictionary:
        read = parse_frequencies(dictionary.read().decode())
    assert read == library.gen_pfdict(library.get_dict_file())
