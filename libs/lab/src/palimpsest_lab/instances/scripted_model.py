"""A clerk in the place of a language model: it notes what was said as it was said. Pure.

Its answers are of the shape each task asks for, and of about the size that a
model's are: every statement of a user's becomes a memory in the user's own
words, a summary is a sentence or two of the conversation, a profile is what it
was and what is new, of two memories that resemble each other both are kept,
and many memories together show it nothing.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from palimpsest_lab.instances.model_server import ModelServerRequest
from palimpsest_language.summaries.text_sentences import split_text

MAXIMUM_PARAGRAPHS = 5
MAXIMUM_FACTS = 3
_QUESTION_MARKS = ("?", "？")


async def answer_model_request(asked: ModelServerRequest) -> str:
    """The answer to any of the tasks, told by the shape that is wanted."""
    wanted = asked.schema.get("properties", {})
    if "memories" in wanted:
        answer: Mapping[str, Any] = {
            "memories": [_memory(statement) for statement in _statements(asked)]
        }
    elif "substance" in wanted:
        answer = _summary(asked)
    elif "paragraphs" in wanted:
        answer = {"paragraphs": _profile(asked)}
    elif "verdict" in wanted:
        answer = {"verdict": "keep_both", "n": None, "content": None}
    elif "reflections" in wanted:
        answer = {"reflections": []}
    else:
        answer = {}
    return json.dumps(answer, ensure_ascii=False)


def _messages(asked: ModelServerRequest) -> Iterator[Mapping[str, Any]]:
    for line in "\n".join(asked.said).splitlines():
        if line.startswith('{"n"'):
            yield json.loads(line)


def _statements(asked: ModelServerRequest) -> list[Mapping[str, Any]]:
    """New messages of the user that are no questions."""
    return [
        message
        for message in _messages(asked)
        if message.get("new")
        and message["from"] == "user"
        and not message["text"].rstrip().endswith(_QUESTION_MARKS)
    ]


def _memory(message: Mapping[str, Any]) -> Mapping[str, Any]:
    text = message["text"]
    return {
        "kind": "fact",
        "content": text,
        "subject": "user",
        "attribute": None,
        "value": None,
        "replaces": None,
        "importance": None,
        "confidence": 0.9,
        "tags": [],
        "entities": [],
        "evidence": [{"n": message["n"], "quote": text}],
    }


def _summary(asked: ModelServerRequest) -> Mapping[str, Any]:
    people = [message for message in _messages(asked) if message["from"] == "user"] or [
        *_messages(asked)
    ]
    if not people:
        return {**dict.fromkeys(("user_intent", "emotional_tone", "unresolved")), "substance": False, "summary": "", "topics": [], "key_facts": []}  # fmt: skip
    first, last = split_text(people[0]["text"])[:1], split_text(people[-1]["text"])[:1]
    sentences = list(dict.fromkeys([*first, *last])) or [people[0]["text"]]
    facts = [person for person in people if not person["text"].rstrip().endswith(_QUESTION_MARKS)]
    return {
        "substance": True,
        "summary": " ".join(sentences),
        "topics": [sentence[:24] for sentence in sentences],
        "user_intent": sentences[0],
        "emotional_tone": None,
        "key_facts": [
            {"fact": fact["text"], "n": fact["n"], "quote": fact["text"]}
            for fact in facts[:MAXIMUM_FACTS]
        ],
        "unresolved": None,
    }


def _profile(asked: ModelServerRequest) -> Sequence[str]:
    """The paragraphs that stand, and behind the last of them what is new."""
    # Some vendors have their instructions said first, which hold no JSON.
    text = next(each for each in asked.said if "{" in each)
    known = json.loads(text[text.index("{") : text.rindex("}") + 1])
    standing = [part for part in known.get("profile", "").split("\n\n") if part]
    new = [each["summary"] for each in known.get("sessions", [])] or known.get("memories", [])
    paragraphs = [*standing, " ".join(new)]
    kept, over = paragraphs[: MAXIMUM_PARAGRAPHS - 1], paragraphs[MAXIMUM_PARAGRAPHS - 1 :]
    return [*kept, " ".join(over)] if over else kept
