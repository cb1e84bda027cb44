"""The gate of the default model, measured with it: nonsense stays out, what is meant comes in."""

from collections.abc import Sequence
from typing import cast

import pytest
import pytest_asyncio

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.errors import TransientError
from palimpsest.model.user import Language
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel, dot
from palimpsest_server.domain.ranking.match_pool import SearchMatch, TurnPosition
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.term_overlap import measure_overlap
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.gate_calibration import GateCalibrator
from palimpsest_server.embedders.local_embedder import LocalEmbedder
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder
from tests.support.server.embedders.flaky_embedder import FlakyEmbedder
from tests.support.services.recall.stand_ins import shared_embedder

NONSENSE = [
    "asdkjh qwelkj zxcmn", "blorf wug zzyzx", "xyzzy plugh", "dfgjk 3894 lkjf", "咕叽咕叽 噜嘟",
    "Which enzyme unwinds DNA?", "How do I configure a BGP route reflector?", "SELECT * FROM t;",
    "量子色动力学的拉格朗日量", "沪深300指数收盘多少点",
]  # fmt: skip

SAID = [
    "I love my latte without any sugar", "My daughter Lily started school on Monday",
    "We are moving the whole backend to FastAPI", "Our cat is called Dumpling",
    "我对花生过敏，千万别放", "我最喜欢喝不加糖的拿铁", "周末我们全家去爬山了",
]  # fmt: skip

MEANT = [
    ("how do I take my coffee?", "I love my latte without any sugar"),
    ("我对什么东西过敏？", "我对花生过敏，千万别放"),
    ("我爱喝什么咖啡？", "我最喜欢喝不加糖的拿铁"),
    ("what is the name of our pet?", "Our cat is called Dumpling"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def gate(embedder: LocalEmbedder) -> Gate:
    return await GateCalibrator(embedder)()


async def finds(
    embedder: LocalEmbedder, question: str, said: Sequence[str] = SAID
) -> list[SearchMatch]:
    """All that was said, by meaning alone."""
    asked = (await embedder.embed_query(question)).dense
    texts = [EmbeddableText(dense=text, sparse=text) for text in said]
    return [
        SearchMatch(
            text,
            cosine=dot(asked, vectors.dense_values()),
            place=TurnPosition(text, 1),
        )
        for text, vectors in zip(said, await embedder.embed_documents(texts), strict=True)
    ]


async def margin(
    embedder: LocalEmbedder,
    gate: Gate,
    question: str,
    found: Sequence[SearchMatch],
    *,
    other_script: bool = False,
) -> float | None:
    encoder, shared = get_sparse_encoder(), None
    asked = await embedder.embed_query(question)
    if detect_language(question) is Language.CHINESE:
        terms = {
            search_match.id: encoder.document(search_match.id).indices for search_match in found
        }
        shared = measure_overlap(encoder.rarities(question), terms)
    words = len(asked.sparse.indices)
    return gate.margin(
        found, words=words, overlap=shared, question=asked.dense, other_script=other_script
    )


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("question", NONSENSE)
async def test_nonsense_and_strange_questions_open_nothing(
    embedder: LocalEmbedder, gate: Gate, question: str
) -> None:
    found = await finds(embedder, question)
    assert gate.admit(found, await margin(embedder, gate, question, found)) == []


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("question", "text"), MEANT)
async def test_what_is_meant_opens_it_without_a_word_in_common(
    embedder: LocalEmbedder, gate: Gate, question: str, text: str
) -> None:
    found = await finds(embedder, question)
    admitted = gate.admit(found, await margin(embedder, gate, question, found))
    assert text in {match.id for match in admitted}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("我对什么过敏？", "I am allergic to peanuts"),
        ("我最喜欢喝什么？", "My favourite drink is oolong tea"),
        ("我的狗几岁了？", "My dog is called Biscuit and he is three years old"),
        ("我在学什么乐器？", "I am learning to play the cello"),
        ("我害怕什么？", "I am afraid of flying"),
        ("What am I allergic to?", "我对花生过敏"),
        ("What do I like to drink?", "我最喜欢喝乌龙茶"),
        ("Where did we get married?", "我们2015年在威尼斯结婚"),
        ("Which instrument am I learning?", "我在学拉大提琴"),
        ("What do I collect?", "我收集老邮票"),
    ],
)
async def test_who_asks_in_another_language_than_they_wrote_is_answered(
    embedder: LocalEmbedder, gate: Gate, question: str, text: str
) -> None:
    beside = {
        Language.ENGLISH: ["We moved to Austin", "I drive a blue car", "My boss is called Turner"],
        Language.CHINESE: ["我们搬到了深圳", "我开一辆蓝色的车", "我的老板姓特纳"],
    }[detect_language(text)]
    found = await finds(embedder, question, [text, *beside])
    opened = await margin(embedder, gate, question, found, other_script=True)
    admitted = gate.admit(found, opened)
    assert max(admitted, key=lambda one: one.cosine or 0.0).id == text


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("question", NONSENSE)
async def test_nonsense_opens_nothing_by_being_in_another_language(
    embedder: LocalEmbedder, gate: Gate, question: str
) -> None:
    english, chinese = SAID[:4], SAID[4:]
    english += [
        "I am afraid of flying",
        "We got married in Venice",
        "I drive a blue car",
        "I work as a nurse",
    ]
    chinese += ["我害怕坐飞机", "我们在威尼斯结婚", "我开一辆蓝色的车", "我是护士", "我收集老邮票"]
    said = english if detect_language(question) is Language.CHINESE else chinese
    found = await finds(embedder, question, said)
    by_words = await margin(embedder, gate, question, found)
    across = await margin(embedder, gate, question, found, other_script=True)
    assert by_words is not None
    assert across is not None
    assert (across >= 0) is (by_words >= 0)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When is the release?", ["The release is on May 3.", "The release is on May 10."]),
        ("什么时候发布？", ["发布定在五月三号。", "发布定在五月十号。"]),
    ],
)
async def test_who_has_said_little_more_than_the_answer_is_answered(
    embedder: LocalEmbedder, gate: Gate, question: str, said: list[str]
) -> None:
    found = await finds(embedder, question, said)
    assert gate.admit(found, await margin(embedder, gate, question, found))


@pytest.mark.asyncio(loop_scope="module")
async def test_its_strangers_are_where_they_were_measured(gate: Gate) -> None:
    assert 0.04 < gate.calibration.average < 0.09
    assert 0.05 < gate.calibration.spread < 0.08


@pytest.mark.asyncio(loop_scope="module")
async def test_only_for_the_model_it_was_fitted_on_does_it_refuse(embedder: LocalEmbedder) -> None:
    class OfAnother:
        model = EmbeddingModel(name="another", dimension=512)
        embed_documents = staticmethod(embedder.embed_documents)
        embed_query = staticmethod(embedder.embed_query)

    assert (await GateCalibrator(embedder)()).openings
    assert not (await GateCalibrator(cast("Embedder", OfAnother()))()).openings


async def test_it_is_measured_once() -> None:
    gate = GateCalibrator(shared_embedder())
    assert await gate() is await gate()


async def test_a_model_that_is_away_is_asked_again() -> None:
    flaky = FlakyEmbedder()
    gate = GateCalibrator(flaky)
    with pytest.raises(TransientError):
        await gate()
    assert (await gate()).calibration.spread > 0
