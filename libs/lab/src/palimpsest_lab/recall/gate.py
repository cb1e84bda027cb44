"""`bench gate`: which questions are let through that nothing answers, and which that something does."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from palimpsest.api.recall import RecallDetail
from palimpsest.client import PalimpsestClient
from palimpsest_lab.datasets.locomo import LocomoDialogue, UnreadableData
from palimpsest_lab.instances.dialogue_import import import_dialogues
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.recall.evidence_recall import ANSWERABLE, list_source_messages
from palimpsest_lab.reporting.charts import Diagram
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_mean, compute_recall_at

DEPTH = 10
MAXIMUM_LOSS = 0.03
"""Of the recall that the gate may cost, where a threshold is chosen."""

NOTHING_FOUND = -100.0
"""The margin where there was nothing to judge by."""

CURVE_STEPS = 25

DEFINITION = (
    "margin: by how much the gate was open, as the explanation of a recall tells it; at a threshold "
    "everything below is refused, and 0 is where the gate stands. loss: of R@10 over the questions of "
    "categories 1 to 4, one that is refused now counting as the others do on average. others: "
    "questions of the other conversations. nonsense: fluent, about nothing. held_out: for each "
    "conversation with the threshold that loses at most 3 % on the other conversations"
)

QuestionOrigin = Literal["own", "other", "nonsense"]


@dataclass(frozen=True, kw_only=True)
class GateMeasurement:
    """One question to one user, and the gate's decision."""

    user_id: str
    sort: QuestionOrigin
    language: str | None = None
    margin: float
    recall: float | None = None
    """Of its evidence among the first ten; None where it was refused or has none."""


async def run_benchmark(
    dialogues: Sequence[LocomoDialogue],
    nonsense: Sequence[Mapping[str, str]],
    *,
    embedder: str | None,
) -> BenchmarkReport:
    """Import the conversations, and ask each user their own questions, others' and nonsense."""
    async with run_embedded_instance(embedder) as subject:
        await import_dialogues(subject, dialogues)
        judged = await ask_all(subject, dialogues, nonsense)
    found = compute_gate_figures(judged)
    return BenchmarkReport(
        title="What the gate lets through",
        rows=found["curve"],
        figures=found,
        remark=(
            f"Where it stands: {found['now']}. With thresholds chosen on the other conversations: "
            f"{found['held_out']}."
        ),
        diagrams=[build_curve(found["curve"])],
    )


def read_nonsense(path: Path) -> list[dict[str, str]]:
    """Read nonsense: one object with `text` and `language` a line.

    Raises:
        UnreadableData: the file is not like that.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        read = [json.loads(line) for line in lines if line.strip()]
        return [{"text": one["text"], "language": one["language"]} for one in read]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadableData(f"{path.name} cannot be read: {type(error).__name__}") from error


async def ask_all(
    subject: MeasuredInstance,
    dialogues: Sequence[LocomoDialogue],
    nonsense: Sequence[Mapping[str, str]],
) -> list[GateMeasurement]:
    questions = {
        dialogue.id: [
            question
            for question in dialogue.questions
            if question.evidence and question.category in ANSWERABLE
        ]
        for dialogue in dialogues
    }
    whole = len(dialogues) * (sum(map(len, questions.values())) + len(nonsense))
    judged: list[GateMeasurement] = []
    with show_progress("asking", whole) as progress:
        async with subject.over_http() as client:
            for user_id in questions:
                for asker, asked in questions.items():
                    for dialogue_question in asked:
                        evidence = dialogue_question.evidence if asker == user_id else ()
                        judged.append(
                            await _judge(client, user_id, dialogue_question.text, evidence)
                        )
                        progress(1)
                for strange in nonsense:
                    judged.append(
                        await _judge(client, user_id, strange["text"], None, strange["language"])
                    )
                    progress(1)
    return judged


async def _judge(
    client: PalimpsestClient,
    user_id: str,
    text: str,
    evidence: tuple[str, ...] | None,
    language: str | None = None,
) -> GateMeasurement:
    answer = await client.recall(
        text, user_id=user_id, limit=DEPTH, include=[RecallDetail.EXPLANATION], preview=True
    )
    recall = compute_recall_at(list_source_messages(answer), evidence, DEPTH) if evidence else None
    return GateMeasurement(
        user_id=user_id,
        sort="nonsense" if evidence is None else "own" if evidence else "other",
        language=language,
        margin=NOTHING_FOUND if answer.gate_margin is None else answer.gate_margin,
        recall=None if answer.gated else recall,
    )


def compute_gate_figures(judged: Sequence[GateMeasurement]) -> dict[str, Any]:
    margins = sorted(
        gate_measurement.margin for gate_measurement in judged if gate_measurement.sort == "own"
    )
    steps = [margins[len(margins) * n // (4 * CURVE_STEPS)] for n in range(CURVE_STEPS)]
    thresholds = sorted({round(step, 3) for step in steps} | {0.0}) if margins else [0.0]
    return {
        "now": compute_at_threshold(judged, 0.0),
        "held_out": compute_held_out(judged),
        "curve": [compute_at_threshold(judged, threshold) for threshold in thresholds],
        "definition": DEFINITION,
    }


def build_curve(rows: Sequence[Mapping[str, Any]]) -> Diagram:
    refused = {"others' questions": "others_refused", "nonsense": "nonsense_refused"}
    return Diagram(
        title="What the gate refuses, by what that costs",
        across="share of R@10 lost",
        up="share refused",
        curves={
            name: sorted((row["loss"], row[key]) for row in rows if row[key] is not None)
            for name, key in refused.items()
        },
    )


def compute_at_threshold(judged: Sequence[GateMeasurement], threshold: float) -> dict[str, Any]:
    """Compute what is lost and what is refused with the gate at this margin."""
    return {
        "threshold": round(threshold, 3),
        "loss": round(compute_recall_loss(judged, threshold), 4),
        "own_refused": _refused(judged, threshold, "own"),
        "others_refused": _refused(judged, threshold, "other"),
        "nonsense_refused": _refused(judged, threshold, "nonsense"),
        "nonsense_en": _refused(judged, threshold, "nonsense", "en"),
        "nonsense_zh": _refused(judged, threshold, "nonsense", "zh"),
    }


def compute_recall_loss(judged: Sequence[GateMeasurement], threshold: float) -> float:
    """The share of the recall that is lost to refusals."""
    own = [gate_measurement for gate_measurement in judged if gate_measurement.sort == "own"]
    average = compute_mean(
        [measurement.recall for measurement in own if measurement.recall is not None]
    )
    recalls = [
        (average if measurement.recall is None else measurement.recall, measurement.margin)
        for measurement in own
    ]
    whole = sum(recall for recall, _ in recalls)
    lost = sum(recall for recall, margin in recalls if margin < threshold)
    return lost / whole if whole else 0.0


def compute_held_out(judged: Sequence[GateMeasurement]) -> dict[str, Any] | None:
    """Each conversation at the threshold that the others allow; None where there is only one."""
    users = sorted({gate_measurement.user_id for gate_measurement in judged})
    if len(users) < 2:
        return None
    rows = []
    for user_id in users:
        others = [
            gate_measurement for gate_measurement in judged if gate_measurement.user_id != user_id
        ]
        mine = [
            gate_measurement for gate_measurement in judged if gate_measurement.user_id == user_id
        ]
        rows.append(compute_at_threshold(mine, find_highest_threshold(others)))
    return {name: round(compute_mean([row[name] or 0.0 for row in rows]), 4) for name in rows[0]}


def find_highest_threshold(
    judged: Sequence[GateMeasurement], most_loss: float = MAXIMUM_LOSS
) -> float:
    """The highest margin at which no more of the recall is lost than that."""
    own = [gate_measurement for gate_measurement in judged if gate_measurement.sort == "own"]
    allowed = [0.0] if compute_recall_loss(own, 0.0) <= most_loss else []
    allowed += [
        measurement.margin
        for measurement in own
        if compute_recall_loss(own, measurement.margin) <= most_loss
    ]
    return max(allowed, default=0.0)


def _refused(
    judged: Sequence[GateMeasurement],
    threshold: float,
    sort: QuestionOrigin,
    language: str | None = None,
) -> float | None:
    asked = [
        gate_measurement
        for gate_measurement in judged
        if gate_measurement.sort == sort
        and (language is None or gate_measurement.language == language)
    ]
    if not asked:
        return None
    return round(compute_mean([float(measurement.margin < threshold) for measurement in asked]), 4)
