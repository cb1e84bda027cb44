"""Texts on a topic by meaning alone stand out of what the topic has in common with any text."""

import pytest

from palimpsest.model.vectors import EmbeddableText, dot
from palimpsest_server.embedders.local_embedder import LocalEmbedder
from palimpsest_server.embedders.topic_background import TOPIC_DEVIATIONS, TopicBackground

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("topic", "text", "on_topic"),
    [
        ("job change", "I want to switch to another employer", True),
        ("换工作", "我想辞职", True),
        ("travel to Japan", "We went to Osaka", True),
        ("travel to Japan", "I booked a hotel in Kyoto", True),
        ("去日本旅行", "我订了京都的酒店", True),
        ("my divorce", "My wife and I are splitting up", True),
        ("my health", "I have diabetes", True),
        ("健康", "我有糖尿病", True),
        ("my name", "My cat is called Bruno.", False),
        ("my name", "Hi!", False),
        ("my name", "ok", False),
        ("我的名字", "我的猫叫布鲁诺", False),
        ("我的名字", "我住在北京", False),
        ("quantum biscuits", "I like green tea.", False),
        ("换工作", "好的", False),
        ("job change", "I bought a car", False),
        ("my health", "I bought a bike", False),
        ("去日本旅行", "我的猫病了", False),
    ],
)
async def test_what_stands_out_is_on_the_topic(
    embedder: LocalEmbedder, topic: str, text: str, on_topic: bool
) -> None:
    question = await embedder.embed_query(topic)
    background = await TopicBackground(embedder).measure(question.dense)
    (told,) = await embedder.embed_documents([EmbeddableText(dense=text, sparse=text)])
    assert background is not None
    deviations = background.deviations(dot(question.dense, told.dense_values()))
    assert (deviations >= TOPIC_DEVIATIONS) is on_topic
