"""`bench tokens`: how much of the evidence stands in the block of a prompt, by its size."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.client import PalimpsestClient
from palimpsest_lab.datasets.locomo import DialogueQuestion, DialogueTurn, LocomoDialogue
from palimpsest_lab.instances.dialogue_import import import_dialogues
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.recall.evidence_recall import ANSWERABLE
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_mean, compute_percentiles
from palimpsest_server.models.token_counter import get_token_counter

BUDGETS = (250, 500, 1_000)

DOLLARS_PER_MILLION = 0.15
"""Of input tokens: what the second of the design documents reckons with."""

DEFINITION = (
    "recall: the mean, over questions of categories 1 to 4 with evidence, of the share of the "
    "evidence messages whose whole text, and what its picture is said to show, stands in the block "
    "that /v1/context returns; tokens: of that block, marks and headings and all, by o200k_base; "
    "full_context: of all messages of the conversation, with the speakers' names; dollars: for the "
    "input of 1,000 questions at the price given, the block's and beside it the full context's"
)


@dataclass(frozen=True, kw_only=True)
class ContextMeasurement:
    """The block of one question under one budget."""

    budget: int
    recall: float
    tokens: int
    milliseconds: float


async def run_benchmark(
    dialogues: Sequence[LocomoDialogue],
    *,
    embedder: str | None,
    dollars_per_million: float = DOLLARS_PER_MILLION,
) -> BenchmarkReport:
    """Import the conversations into a Palimpsest of their own, and ask for blocks."""
    async with run_embedded_instance(embedder) as subject:
        await import_dialogues(subject, dialogues)
        told = await measure_contexts(subject, dialogues)
    full = compute_mean(
        [format_full_context(dialogue) for dialogue in dialogues for _ in _asked(dialogue)]
    )
    rows = build_table(told, full, dollars_per_million)
    return BenchmarkReport(
        title="Evidence in the block of a prompt",
        rows=rows,
        figures={
            "rows": rows,
            "full_context_tokens": round(full, 1),
            "dollars_per_million_tokens": dollars_per_million,
            "context_ms": compute_percentiles(
                [measurement.milliseconds for measurement in told], 50, 95, 99
            ),
            "definition": DEFINITION,
        },
        remark=(
            f"The whole conversation would take {full:,.0f} tokens a question: 1,000 questions "
            f"${_dollars(full, dollars_per_million):,.2f} at ${dollars_per_million:g} a million."
        ),
    )


async def measure_contexts(
    subject: MeasuredInstance, dialogues: Sequence[LocomoDialogue]
) -> list[ContextMeasurement]:
    asked = [(dialogue, question) for dialogue in dialogues for question in _asked(dialogue)]
    told: list[ContextMeasurement] = []
    with show_progress("asking", len(asked) * len(BUDGETS)) as progress:
        async with subject.over_http() as client:
            for dialogue, question in asked:
                turns = {turn.id: turn for turn in dialogue.turns}
                evidence = [
                    turns[dialogue_turn]
                    for dialogue_turn in question.evidence
                    if dialogue_turn in turns
                ]
                for budget in BUDGETS:
                    told.append(await _tell(client, dialogue.id, question, evidence, budget))
                    progress(1)
    return told


def build_table(
    told: Sequence[ContextMeasurement],
    full_context_tokens: float,
    dollars_per_million: float = DOLLARS_PER_MILLION,
) -> list[dict[str, Any]]:
    rows = []
    for budget in sorted({measurement.budget for measurement in told}):
        under = [measurement for measurement in told if measurement.budget == budget]
        tokens = compute_mean([measurement.tokens for measurement in under])
        rows.append(
            {
                "budget": budget,
                "recall": round(compute_mean([measurement.recall for measurement in under]), 4),
                "tokens": round(tokens, 1),
                "most_tokens": max(measurement.tokens for measurement in under),
                "share_of_full_context": round(tokens / full_context_tokens, 4)
                if full_context_tokens
                else None,
                "dollars": round(_dollars(tokens, dollars_per_million), 4),
                "dollars_full_context": round(
                    _dollars(full_context_tokens, dollars_per_million), 4
                ),
                "questions": len(under),
            }
        )
    return rows


def _dollars(tokens: float, per_million: float) -> float:
    """Return dollars for 1,000 questions that take so many tokens each."""
    return tokens * 1_000 * per_million / 1_000_000


def compute_evidence_share(block: str, evidence: Sequence[DialogueTurn]) -> float:
    """The share of these messages whose whole text stands in the block, line breaks apart."""
    told = _plain(block)
    whole = [
        all(_plain(part) in told for part in (turn.text, turn.caption or "")) for turn in evidence
    ]
    return sum(whole) / len(whole) if whole else 0.0


def format_full_context(dialogue: LocomoDialogue) -> int:
    lines = [
        f"{turn.speaker}: {' '.join(filter(None, (turn.text, turn.caption)))}"
        for turn in dialogue.turns
    ]
    return get_token_counter()("\n".join(lines))


async def _tell(
    client: PalimpsestClient,
    user_id: str,
    question: DialogueQuestion,
    evidence: Sequence[DialogueTurn],
    budget: int,
) -> ContextMeasurement:
    told = await client.context(question.text, user_id=user_id, token_budget=budget)
    return ContextMeasurement(
        budget=budget,
        recall=compute_evidence_share(told.block, evidence),
        tokens=get_token_counter()(told.block),
        milliseconds=told.took_ms,
    )


def _asked(dialogue: LocomoDialogue) -> list[DialogueQuestion]:
    return [
        question
        for question in dialogue.questions
        if question.evidence and question.category in ANSWERABLE
    ]


def _plain(text: str) -> str:
    return " ".join(text.split())
