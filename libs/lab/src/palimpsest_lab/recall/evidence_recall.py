"""`bench recall`: how much of the evidence for each question the first results hold."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.api.recall import RecallResponse
from palimpsest.client import PalimpsestClient
from palimpsest_lab.datasets.locomo import DialogueQuestion, LocomoDialogue
from palimpsest_lab.instances.dialogue_import import import_dialogues
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.recall.bm25 import rank_with_bm25
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import (
    compute_mean,
    compute_percentiles,
    compute_recall_at,
    compute_reciprocal_rank,
    estimate_text_tokens,
    format_percentiles,
)
from services.host.imports.publish_conversations import ConversationImport

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
class EvidenceMeasurement:
    """One question, and the evidence that its answer held."""

    category: int
    recall_at: dict[int, float]
    reciprocal_rank: float
    tokens: int
    milliseconds: float


async def run_benchmark(
    dialogues: Sequence[LocomoDialogue], *, embedder: str | None, beside_bm25: bool = False
) -> BenchmarkReport:
    """Import the conversations into a Palimpsest of their own, and ask it their questions.

    Raises:
        LibraryMissing: what words alone find is asked for, and cannot be told.
    """
    words_alone = measure_bm25(dialogues) if beside_bm25 else None
    async with run_embedded_instance(embedder) as subject:
        imported = await import_dialogues(subject, dialogues)
        asked = await ask_all(subject, dialogues)
    found = compute_recall_figures(asked, imported)
    if words_alone is not None:
        found["bm25"] = words_alone
    return BenchmarkReport(
        title="Evidence among the first messages recalled",
        rows=build_table(found),
        figures=found,
        remark=(
            f"{imported.turns_per_second:.0f} turns imported a second; recalls took, in ms, "
            f"{format_percentiles(found['recall_ms'])}; the first ten results hold {found['tokens']:.0f} tokens."
        ),
    )


async def ask_all(
    subject: MeasuredInstance, dialogues: Sequence[LocomoDialogue]
) -> list[EvidenceMeasurement]:
    """Ask every question that has evidence, one after another, with nothing but the question."""
    questions = [
        (dialogue.id, question)
        for dialogue in dialogues
        for question in dialogue.questions
        if question.evidence
    ]
    asked: list[EvidenceMeasurement] = []
    with show_progress("asking", len(questions)) as progress:
        async with subject.over_http() as client:
            for user_id, question in questions:
                asked.append(await _ask(client, user_id, question))
                progress(1)
    return asked


def measure_bm25(dialogues: Sequence[LocomoDialogue]) -> dict[str, Any]:
    """The same figures for what words alone find.

    Raises:
        LibraryMissing: bm25s is not installed.
    """
    asked: list[EvidenceMeasurement] = []
    for dialogue in dialogues:
        rankings = rank_with_bm25(dialogue, DEPTH)
        asked += [
            _counted(question, rankings[question.text], tokens=0, milliseconds=0)
            for question in dialogue.questions
            if question.evidence and question.category in ANSWERABLE
        ]
    return _retrieval(asked)


def compute_recall_figures(
    asked: Sequence[EvidenceMeasurement], imported: ConversationImport
) -> dict[str, Any]:
    answerable = [measurement for measurement in asked if measurement.category in ANSWERABLE]
    return {
        **_retrieval(answerable),
        "by_category": {
            str(category): _retrieval(
                [measurement for measurement in answerable if measurement.category == category]
            )
            for category in sorted({measurement.category for measurement in answerable})
        },
        "category_5": _retrieval(
            [measurement for measurement in asked if measurement.category == UNANSWERABLE]
        ),
        "tokens": round(compute_mean([measurement.tokens for measurement in answerable]), 1),
        "import_turns": imported.turns,
        "import_turns_per_second": round(imported.turns_per_second, 1),
        "recall_ms": compute_percentiles(
            [measurement.milliseconds for measurement in asked], 50, 95, 99
        ),
        "definition": DEFINITION,
    }


def build_table(found: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [("all of 1 to 4", found)]
    rows += [(f"category {name}", row) for name, row in found["by_category"].items()]
    if found["category_5"]["questions"]:
        rows.append(("category 5", found["category_5"]))
    if "bm25" in found:
        rows.append(("1 to 4, BM25", found["bm25"]))
    names = ("questions", "r_at_5", "r_at_10", "r_at_20", "mrr")
    return [{"questions of": title, **{name: row[name] for name in names}} for title, row in rows]


def list_source_messages(answer: RecallResponse) -> list[str]:
    """The ids of the messages that the results rest on, best first, each once."""
    return list(
        dict.fromkeys(
            evidence.message_id
            for result in answer.results
            for evidence in result.evidence
            if evidence.message_id is not None
        )
    )


async def _ask(
    client: PalimpsestClient, user_id: str, question: DialogueQuestion
) -> EvidenceMeasurement:
    started = time.perf_counter()
    answer = await client.recall(question.text, user_id=user_id, limit=DEPTH)
    took = time.perf_counter() - started
    return _counted(
        question,
        list_source_messages(answer),
        tokens=sum(
            estimate_text_tokens(result.content) for result in answer.results[:TOKENS_OF_FIRST]
        ),
        milliseconds=took * 1000,
    )


def _counted(
    question: DialogueQuestion, messages: Sequence[str], *, tokens: int, milliseconds: float
) -> EvidenceMeasurement:
    return EvidenceMeasurement(
        category=question.category,
        recall_at={k: compute_recall_at(messages, question.evidence, k) for k in (5, 10, 20)},
        reciprocal_rank=compute_reciprocal_rank(messages, question.evidence),
        tokens=tokens,
        milliseconds=milliseconds,
    )


def _retrieval(asked: Sequence[EvidenceMeasurement]) -> dict[str, Any]:
    return {
        **{
            f"r_at_{k}": round(compute_mean([measurement.recall_at[k] for measurement in asked]), 4)
            for k in (5, 10, 20)
        },
        "mrr": round(compute_mean([measurement.reciprocal_rank for measurement in asked]), 4),
        "questions": len(asked),
    }
