"""`bench tokens`: how much of the evidence stands in the block of a prompt, by its size."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.bench.figures import mean, percentiles
from palimpsest.bench.importing import import_dialogues
from palimpsest.bench.locomo import Dialogue, DialogueTurn, Question
from palimpsest.bench.recall import ANSWERABLE
from palimpsest.bench.report import Report, progress_of
from palimpsest.bench.subject import Subject, embedded_subject
from palimpsest.client import PalimpsestClient
from palimpsest.providers.tokens import token_counter

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
class Told:
    """One question's block under one budget."""

    budget: int
    recall: float
    tokens: int
    milliseconds: float


async def bench(
    dialogues: Sequence[Dialogue],
    *,
    embedder: str | None,
    dollars_per_million: float = DOLLARS_PER_MILLION,
) -> Report:
    """Import the conversations into a Palimpsest of their own, and ask for blocks."""
    async with embedded_subject(embedder) as subject:
        await import_dialogues(subject, dialogues)
        told = await tell_all(subject, dialogues)
    full = mean([full_context(dialogue) for dialogue in dialogues for _ in _asked(dialogue)])
    rows = table(told, full, dollars_per_million)
    return Report(
        title="Evidence in the block of a prompt",
        rows=rows,
        figures={
            "rows": rows,
            "full_context_tokens": round(full, 1),
            "dollars_per_million_tokens": dollars_per_million,
            "context_ms": percentiles([one.milliseconds for one in told], 50, 95, 99),
            "definition": DEFINITION,
        },
        remark=(
            f"The whole conversation would take {full:,.0f} tokens a question: 1,000 questions "
            f"${_dollars(full, dollars_per_million):,.2f} at ${dollars_per_million:g} a million."
        ),
    )


async def tell_all(subject: Subject, dialogues: Sequence[Dialogue]) -> list[Told]:
    asked = [(dialogue, question) for dialogue in dialogues for question in _asked(dialogue)]
    told: list[Told] = []
    with progress_of("asking", len(asked) * len(BUDGETS)) as progress:
        async with subject.over_http() as client:
            for dialogue, question in asked:
                turns = {turn.id: turn for turn in dialogue.turns}
                evidence = [turns[one] for one in question.evidence if one in turns]
                for budget in BUDGETS:
                    told.append(await _tell(client, dialogue.id, question, evidence, budget))
                    progress(1)
    return told


def table(
    told: Sequence[Told],
    full_context_tokens: float,
    dollars_per_million: float = DOLLARS_PER_MILLION,
) -> list[dict[str, Any]]:
    rows = []
    for budget in sorted({one.budget for one in told}):
        under = [one for one in told if one.budget == budget]
        tokens = mean([one.tokens for one in under])
        rows.append(
            {
                "budget": budget,
                "recall": round(mean([one.recall for one in under]), 4),
                "tokens": round(tokens, 1),
                "most_tokens": max(one.tokens for one in under),
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
    """Of 1,000 questions that take so many tokens each."""
    return tokens * 1_000 * per_million / 1_000_000


def evidence_in(block: str, evidence: Sequence[DialogueTurn]) -> float:
    """The share of these messages whose whole text stands in the block, line breaks apart."""
    told = _plain(block)
    whole = [
        all(_plain(part) in told for part in (turn.text, turn.caption or "")) for turn in evidence
    ]
    return sum(whole) / len(whole) if whole else 0.0


def full_context(dialogue: Dialogue) -> int:
    lines = [
        f"{turn.speaker}: {' '.join(filter(None, (turn.text, turn.caption)))}"
        for turn in dialogue.turns
    ]
    return token_counter()("\n".join(lines))


async def _tell(
    client: PalimpsestClient,
    user_id: str,
    question: Question,
    evidence: Sequence[DialogueTurn],
    budget: int,
) -> Told:
    told = await client.context(question.text, user_id=user_id, token_budget=budget)
    return Told(
        budget=budget,
        recall=evidence_in(told.block, evidence),
        tokens=token_counter()(told.block),
        milliseconds=told.took_ms,
    )


def _asked(dialogue: Dialogue) -> list[Question]:
    return [one for one in dialogue.questions if one.evidence and one.category in ANSWERABLE]


def _plain(text: str) -> str:
    return " ".join(text.split())
