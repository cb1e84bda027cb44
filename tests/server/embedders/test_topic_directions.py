"""The topics in the space of the default model: what bounds an answer stands in its topic."""

import pytest
import pytest_asyncio

from palimpsest.model.errors import TransientError
from palimpsest.model.vectors import EmbeddableText, SparseVector, dot
from palimpsest_language.topics.topic_table import TOPICS
from palimpsest_server.domain.ranking.topic_constraints import TopicMatch
from palimpsest_server.embedders.local_embedder import LocalEmbedder
from palimpsest_server.embedders.topic_directions import TopicDirectionsCalibrator, TopicQuery
from tests.support.server.embedders.flaky_embedder import FlakyEmbedder

NO_WORDS = SparseVector(indices=(), values=())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def topics(embedder: LocalEmbedder) -> TopicDirectionsCalibrator:
    return TopicDirectionsCalibrator(embedder)


async def standing(embedder: LocalEmbedder, query: TopicQuery, memory: str) -> TopicMatch:
    (text,) = await embedder.embed_documents([EmbeddableText(dense=memory, sparse=memory)])
    terms = set(text.sparse().indices)
    return TopicMatch(
        cosine=dot(query.dense, text.dense_values()),
        lexical=float(sum(index in terms for index in query.sparse.indices)) or None,
    )


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("question", "bounds", "stranger"),
    [
        ("Suggest something to cook tonight", "cannot digest shellfish", "drives a blue van"),
        ("What should I tell a new doctor?", "takes warfarin", "collects old maps"),
        ("A sitter comes, what must she know?", "Her toddler fears the dark", "plays chess"),
        ("Find me a gift for my nephew", "Theo loves model trains", "moved to Leeds in May"),
        ("How do we get to Rome?", "hates flying", "keeps receipts in a shoebox"),
        ("Write me a reply to this", "wants it brief, in bullet points", "was born in Turin"),
        ("帮我挑几个菜", "对虾过敏", "开一辆蓝色的车"),
        ("去看病要交代什么", "每天吃阿司匹林", "爱收集旧地图"),
        ("保姆来了要跟她说什么", "小女儿三岁，怕生", "会下围棋"),
        ("给侄子挑件礼物", "侄子迷上了火车模型", "五月搬到了苏州"),
        ("假期怎么走", "晕机，不坐飞机", "在银行上班"),
        ("帮我写封回信", "回答要简短，分点列", "生在南京"),
    ],
)
async def test_what_bounds_the_answer_stands_in_its_topic(
    embedder: LocalEmbedder,
    topics: TopicDirectionsCalibrator,
    question: str,
    bounds: str,
    stranger: str,
) -> None:
    query = await topics.find_query(question)
    assert query is not None
    near = await standing(embedder, query, bounds)
    far = await standing(embedder, query, stranger)
    assert query.directions.is_match(near)
    assert not query.directions.is_match(far)
    assert query.directions.promotion(near) > query.directions.promotion(far)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("What can I do about my headache?", "The house has a big heart on its door."),
        ("Which laptop should I get?", "The windows of the flat face north."),
        ("Suggest something to do with the kids.", "The school was painted green."),
        ("今晚做点什么菜", "河边的泥很甜。"),
        ("给姑姑送点什么好？", "小李爱下雨天。"),
    ],
)
async def test_a_word_of_the_topic_in_a_memory_of_anything_else_does_not_make_it_stand_there(
    embedder: LocalEmbedder, topics: TopicDirectionsCalibrator, question: str, memory: str
) -> None:
    query = await topics.find_query(question)
    assert query is not None
    assert not query.directions.is_match(await standing(embedder, query, memory))


@pytest.mark.asyncio(loop_scope="module")
async def test_most_of_what_each_tells_stands_in_it_in_both_languages(
    embedder: LocalEmbedder, topics: TopicDirectionsCalibrator
) -> None:
    directions = await topics()
    for topic in TOPICS:
        query = TopicQuery(directions.combine([topic.name]), NO_WORDS, directions)
        for told in (
            topic.examples[: len(topic.examples) // 2],
            topic.examples[len(topic.examples) // 2 :],
        ):
            found = [await standing(embedder, query, one) for one in told]
            assert sum(map(directions.is_match, found)) > len(told) / 2, topic.name


async def test_a_question_of_no_topic_leads_nowhere_and_has_nothing_embedded() -> None:
    topics = TopicDirectionsCalibrator(FlakyEmbedder())
    assert await topics.find_query("Who is she?") is None
    with pytest.raises(TransientError):
        await topics()


async def test_a_question_is_led_nowhere_while_the_model_is_away() -> None:
    topics = TopicDirectionsCalibrator(FlakyEmbedder())
    assert await topics.find_query("What should I cook?") is None
    assert await topics.find_query("What should I cook?") is not None


async def test_they_are_embedded_once_and_again_where_the_model_was_away() -> None:
    topics = TopicDirectionsCalibrator(FlakyEmbedder())
    with pytest.raises(TransientError):
        await topics()
    assert await topics() is await topics()
