"""What tells in which language somebody writes, and what is written alike in all of them."""

import pytest

from palimpsest.model.user import Language
from palimpsest_language.language_detection import detect_written_language

CHINESE = [
    "我喜欢什么茶？",
    "上海？",
    "Kafka 和 Redis",
    "React 组件怎么测？",
    "嗯",
    "好的 ok",
    "@小明",
    "npm run build 报错了怎么办",
    "Docker Compose 启动不了",
    "我的 dog 叫什么",
]
ENGLISH = [
    "what tea do I like?",
    "Who am I?",
    "Thank you",
    "Where is my dog?",
    "tell me about Kafka",
    "my allergies",
    "What's for dinner?",
    "Does Ana live in Kiel?",
    "remind me tomorrow",
    "Who is 小明?",
]
NEITHER = [
    "",
    "ok",
    "OK!",
    "12345",
    "Kafka?",
    "Kafka, Redis, MongoDB",
    "thanks",
    "ok thanks",
    "hi",
    "lol haha",
    "👍",
    "...",
    "https://example.com/what/is/this",
    "ana@example.com",
    "src/main/app.py",
    "user_id",
    "TypeScript",
    "API",
    "2026-03-02",
    "KPI 12%",
]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *((text, Language.CHINESE) for text in CHINESE),
        *((text, Language.ENGLISH) for text in ENGLISH),
        *((text, None) for text in NEITHER),
    ],
)
def test_what_a_text_tells_of_its_language(text: str, language: Language | None) -> None:
    assert detect_written_language(text) is language
