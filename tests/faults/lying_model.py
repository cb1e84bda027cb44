"""A language model as a process, slow, failing and lying: `python -m tests.faults.lying_model`.

What it finally answers depends on nothing but the prompt, and so do its lies.
How often a prompt goes wrong first is drawn from the seed and the prompt; it
forgets that when it is killed, as servers do.
"""

import argparse
import asyncio
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.judgement import JudgementVerdict
from palimpsest.model.user import Language
from palimpsest_server.extraction.prompts.judgement import FoundJudgement
from palimpsest_server.extraction.prompts.profile import FoundProfile
from palimpsest_server.extraction.prompts.reflection import FoundReflections
from palimpsest_server.extraction.prompts.summary import FoundSummary
from services.host.http_server import HttpServer, bind_http_port
from tests.faults.sayings import understood
from tests.support.models.model_server import Asked, Fails, ModelServer, Says, Sends, answers

NAME = "compatible/lying"
LIES = {Language.ENGLISH: "It is a lie that", Language.CHINESE: "这是谎话："}
"""How its lies begin, in the language that it was spoken to in: another is refused for that alone."""
TALK = {
    Language.ENGLISH: "The user talks about things and about tastes.",
    Language.CHINESE: "用户谈到了东西和口味。",
}
"""Of whatever session, of whomever: no name and no number that a later one would have to keep."""
SLOW_SECONDS = 6.0
"""Longer than whoever asks has patience."""

SHARE_IN_TROUBLE = 0.35
MOST_FAILURES = 1
"""Of one prompt: each makes the next attempt wait twice as long, and so do kills and stalls."""


class LyingModel:
    def __init__(self, seed: int, *, troubled: bool) -> None:
        self._seed = seed
        self._troubled = troubled
        self._failures: Counter[bytes] = Counter()

    def act(self, asked: Asked) -> Says | Fails | Sends:
        if asked.times:
            # Told that its answer was unusable, it comes to its senses.
            return self._truth(asked)
        prompt = hashlib.sha256(asked.text.encode()).digest()
        chances = random.Random(f"{self._seed} {prompt.hex()} {self._failures[prompt]}")
        if (
            self._troubled
            and self._failures[prompt] < MOST_FAILURES
            and chances.random() < SHARE_IN_TROUBLE
        ):
            self._failures[prompt] += 1
            return self._trouble(asked, chances)
        return self._truth(asked)

    def _trouble(self, asked: Asked, chances: random.Random) -> Says | Fails | Sends:
        truth = self._truth(asked)
        return chances.choice(
            (
                Fails(500),
                Fails(503, {"retry-after": "1"}),
                Fails(429, {"retry-after": "1"}),
                Sends(b"<html>a proxy of somebody's</html>", "text/html"),
                Says(truth.text, after_seconds=SLOW_SECONDS),
                Says(truth.text[: len(truth.text) // 2], ending="cut_short"),
                Says("I would rather tell you about something else."),
                Says(json.dumps({"memories": [{"content": "of another shape"}]})),
            )
        )

    def _truth(self, asked: Asked) -> Says:
        words = {each["role"]: each["content"] for each in reversed(asked.body["messages"])}
        language = detect_language(words["system"])
        match asked.body["response_format"]["json_schema"]["name"]:
            case FoundSummary.__name__:
                return answers(_summed_up(language))
            case FoundProfile.__name__:
                return answers({"paragraphs": [TALK[language]]})
            case FoundJudgement.__name__:
                return answers({"verdict": JudgementVerdict.KEEP_BOTH, "n": None, "content": None})
            case FoundReflections.__name__:
                return answers({"reflections": _found_together(language)})
            case _:
                return answers({"memories": [*_found(words["user"])]})


def _found(said: str) -> Iterator[dict[str, Any]]:
    """What the new messages of the user say, and beside it what nobody said."""
    messages = [json.loads(line) for line in said.splitlines() if line.startswith('{"n"')]
    lie = LIES[
        detect_language(
            "".join(message["text"] for message in messages if message["from"] == "user")
        )
    ]
    for message in messages:
        if message["from"] == "agent" and message.get("new"):
            yield _memory(message["n"], f"{lie} {message['text']}", message["text"])
        if message["from"] != "user" or not message.get("new"):
            continue
        words = understood(message["text"])
        if words is None:
            continue
        yield _memory(
            message["n"],
            words.content,
            message["text"],
            attribute=words.attribute,
            value=words.value,
        )
        yield _memory(message["n"], f"{lie} {words.content}", "words that were never said")
        yield _memory(message["n"] + 1000, f"{lie} {words.content}", message["text"])


def _found_together(language: Language) -> list[dict[str, Any]]:
    """What rests on too few memories, and on one that nobody showed it."""
    lie = f"{LIES[language]} {TALK[language]}"
    return [
        {"kind": kind, "content": lie, "rests_on": numbers}
        for kind, numbers in (("insight", [1, 2, 2]), ("pattern", [1, 2, 1000]))
    ]


def _summed_up(language: Language) -> dict[str, Any]:
    """What every talk is about; of its key facts none was said."""
    never_said = {"fact": f"{LIES[language]} {TALK[language]}", "n": 1, "quote": "never said"}
    return {
        "substance": True,
        "summary": TALK[language],
        "topics": [TALK[language]],
        "user_intent": None,
        "emotional_tone": None,
        "key_facts": [never_said],
        "unresolved": None,
    }


def _memory(n: int, content: str, quote: str, **fields: str | None) -> dict[str, Any]:
    unsaid = dict.fromkeys(("summary", "attribute", "value", "replaces", "importance"))
    return {
        **unsaid,
        "kind": "fact",
        "content": content,
        "subject": "user",
        "confidence": 0.9,
        "tags": [],
        "entities": [],
        "evidence": [{"n": n, "quote": quote}],
        **fields,
    }


async def _serve(port: int, seed: int, *, troubled: bool) -> None:
    model = ModelServer()
    model.otherwise = LyingModel(seed, troubled=troubled).act
    application = FastAPI()
    application.add_route("/v1/{path:path}", model.handle, methods=["POST"])
    listening = bind_http_port("127.0.0.1", port)
    listening.listen()
    HttpServer(application, listening).start()
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--honest", action="store_true", help="only lies, and no trouble")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.port, arguments.seed, troubled=not arguments.honest))


if __name__ == "__main__":
    main()
