"""`bench recall`: how much of the evidence for each question the first results hold."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.bench.figures import (
    estimated_tokens,
    in_words,
    mean,
    percentiles,
    recall_at,
    reciprocal_rank,
)
from palimpsest.bench.importing import Imported, import_dialogues
from palimpsest.bench.locomo import Dialogue, Question
from palimpsest.bench.report import Report, progress_of
from palimpsest.bench.subject import Subject, embedded_subject
from palimpsest.bench.words_alone import bm25_rankings
from palimpsest.client import PalimpsestClient
from palimpsest.contracts.recall import RecallResponse

DEPTH = 20
"""As many results are asked for. Each adds a message as long as there are new ones to be had."""

TOKENS_OF_FIRST = 10

ANSWERABLE = (1, 2, 3, 4)
UNANSWERABLE = 5
"""Questions with a false premise: reported apart."""

DEFINITION = (
    "r_at_k: the mean, over questions with evidence, of the share of the evidence messages that "
    "are among the first k distinct source messages of the answer; mrr: the mean of 1 / rank of "
    "the first of them; tokens: estimated, of the first ten results, per question"
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question, and what its answer held."""

    category: int
    recall_at: dict[int, float]
    reciprocal_rank: float
    tokens: int
    milliseconds: float


async def bench(
    dialogues: Sequence[Dialogue], *, embedder: str | None, beside_bm25: bool = False
) -> Report:
    """Import the conversations into a Palimpsest of their own, and ask it their questions.

    Raises:
        LibraryMissing: what words alone find is asked for, and cannot be told.
    """
    words_alone = bm25(dialogues) if beside_bm25 else None
    async with embedded_subject(embedder) as subject:
        imported = await import_dialogues(subject, dialogues)
        asked = await ask_all(subject, dialogues)
    found = figures(asked, imported)
    if words_alone is not None:
        found["bm25"] = words_alone
    return Report(
        title="Evidence among the first messages recalled",
        rows=table(found),
        figures=found,
        remark=(
            f"{imported.turns_per_second:.0f} turns imported a second; recalls took, in ms, "
            f"{in_words(found['recall_ms'])}; the first ten results hold {found['tokens']:.0f} tokens."
        ),
    )


async def ask_all(subject: Subject, dialogues: Sequence[Dialogue]) -> list[Asked]:
    """Ask every question that has evidence, one after another, with nothing but the question."""
    questions = [
        (dialogue.id, question)
        for dialogue in dialogues
        for question in dialogue.questions
        if question.evidence
    ]
    asked: list[Asked] = []
    with progress_of("asking", len(questions)) as progress:
        async with subject.over_http() as client:
            for user_id, question in questions:
                asked.append(await _ask(client, user_id, question))
                progress(1)
    return asked


def bm25(dialogues: Sequence[Dialogue]) -> dict[str, Any]:
    """The same figures for what words alone find.

    Raises:
        LibraryMissing: bm25s is not installed.
    """
    asked: list[Asked] = []
    for dialogue in dialogues:
        rankings = bm25_rankings(dialogue, DEPTH)
        asked += [
            _counted(question, rankings[question.text], tokens=0, milliseconds=0)
            for question in dialogue.questions
            if question.evidence and question.category in ANSWERABLE
        ]
    return _retrieval(asked)


def figures(asked: Sequence[Asked], imported: Imported) -> dict[str, Any]:
    answerable = [one for one in asked if one.category in ANSWERABLE]
    return {
        **_retrieval(answerable),
        "by_category": {
            str(category): _retrieval([one for one in answerable if one.category == category])
            for category in sorted({one.category for one in answerable})
        },
        "category_5": _retrieval([one for one in asked if one.category == UNANSWERABLE]),
        "tokens": round(mean([one.tokens for one in answerable]), 1),
        "import_turns": imported.turns,
        "import_turns_per_second": round(imported.turns_per_second, 1),
        "recall_ms": percentiles([one.milliseconds for one in asked], 50, 95, 99),
        "definition": DEFINITION,
    }


def table(found: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [("all of 1 to 4", found)]
    rows += [(f"category {name}", row) for name, row in found["by_category"].items()]
    if found["category_5"]["questions"]:
        rows.append(("category 5", found["category_5"]))
    if "bm25" in found:
        rows.append(("1 to 4, BM25", found["bm25"]))
    names = ("questions", "r_at_5", "r_at_10", "r_at_20", "mrr")
    return [{"questions of": title, **{name: row[name] for name in names}} for title, row in rows]


def source_messages(answer: RecallResponse) -> list[str]:
    """The ids of the messages that the results rest on, best first, each once."""
    return list(
        dict.fromkeys(
            evidence.message_id
            for result in answer.results
            for evidence in result.evidence
            if evidence.message_id is not None
        )
    )


async def _ask(client: PalimpsestClient, user_id: str, question: Question) -> Asked:
    started = time.perf_counter()
    answer = await client.recall(question.text, user_id=user_id, limit=DEPTH)
    took = time.perf_counter() - started
    return _counted(
        question,
        source_messages(answer),
        tokens=sum(estimated_tokens(one.content) for one in answer.results[:TOKENS_OF_FIRST]),
        milliseconds=took * 1000,
    )


def _counted(
    question: Question, messages: Sequence[str], *, tokens: int, milliseconds: float
) -> Asked:
    return Asked(
        category=question.category,
        recall_at={k: recall_at(messages, question.evidence, k) for k in (5, 10, 20)},
        reciprocal_rank=reciprocal_rank(messages, question.evidence),
        tokens=tokens,
        milliseconds=milliseconds,
    )


def _retrieval(asked: Sequence[Asked]) -> dict[str, Any]:
    return {
        **{f"r_at_{k}": round(mean([one.recall_at[k] for one in asked]), 4) for k in (5, 10, 20)},
        "mrr": round(mean([one.reciprocal_rank for one in asked]), 4),
        "questions": len(asked),
    }
