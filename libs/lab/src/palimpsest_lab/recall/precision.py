"""`bench precision`: how many of the first three memories recalled matter to the question."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import RememberRequested
from palimpsest.model.kinds import Kind
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.user import Language
from palimpsest.model.value_types import Identifier, Value
from palimpsest_lab.datasets.locomo import UnreadableData
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.reporting.statistics import compute_mean
from palimpsest_lab.speed.latency_memories import wait_until_memories_recalled
from services.host.imports.kafka_backlog import KafkaBacklog

DEPTH = 3
"""As many as the `gated` format puts into a prompt."""

WANTED = 0.75
"""The share that is aimed at."""

DEFINITION = (
    "precision_at_3: the mean, over questions that at least one memory answers, of the share of "
    "the first three memories of the answer that are labelled as mattering to it; where fewer "
    "matter than three, of the first so many; an answer without any counts as 0. of_returned: of "
    "all that was returned to these questions, at most three each, the share that matters. "
    "refused: the share of the questions that nothing answers to which nothing was returned"
)


class LabelledMemory(Value):
    """One labelled memory."""

    id: str
    kind: Kind
    content: str


class LabelledQuestion(Value):
    text: str
    relevant: tuple[str, ...]
    """The ids of all memories that matter to it; none where nothing answers."""


class LabelledPerson(Value):
    """One user: their memories and questions."""

    user: Identifier
    language: Language
    memories: tuple[LabelledMemory, ...]
    questions: tuple[LabelledQuestion, ...]


@dataclass(frozen=True, kw_only=True)
class PrecisionMeasurement:
    """The worth of the first three memories of one answer."""

    policy: PolicyName
    language: Language
    precision: float | None
    """None where nothing answers the question."""
    returned: int
    mattering: int
    """Of those returned."""


def read_labelled_people(paths: Sequence[Path]) -> list[LabelledPerson]:
    """Read all people of these files, each of which is a JSON list of them.

    Raises:
        UnreadableData: a file is not like that.
    """
    return [person for path in paths for person in _read(path)]


def _read(path: Path) -> list[LabelledPerson]:
    try:
        return [
            LabelledPerson.model_validate(load)
            for load in json.loads(path.read_text(encoding="utf-8"))
        ]
    except (OSError, ValueError) as error:
        raise UnreadableData(f"{path.name} cannot be read: {type(error).__name__}") from error


async def run_benchmark(
    people: Sequence[LabelledPerson], policies: Sequence[PolicyName], *, embedder: str | None
) -> BenchmarkReport:
    """Have everything remembered by a Palimpsest of its own, and ask it all by each policy."""
    async with run_embedded_instance(embedder) as subject:
        await _fill(subject, people)
        measurements = await _ask_all(subject, people, policies)
    rows = build_table(measurements)
    return BenchmarkReport(
        title="Of the first three memories, those that matter",
        rows=rows,
        figures={"rows": rows, "wanted": WANTED, "definition": DEFINITION},
    )


def compute_precision(returned: Sequence[str], relevant: Sequence[str]) -> float | None:
    """Return the share of relevant ones among the first three, or among as many as matter.

    None if none does.
    """
    if not relevant:
        return None
    counted = min(DEPTH, len(relevant))
    return sum(one in relevant for one in returned[:counted]) / counted


def build_table(measurements: Sequence[PrecisionMeasurement]) -> list[dict[str, Any]]:
    rows = []
    for policy in dict.fromkeys(measurement.policy for measurement in measurements):
        under = [measurement for measurement in measurements if measurement.policy is policy]
        rows.append({"policy": policy.value, "language": "all", **_row(under)})
        for language in dict.fromkeys(measurement.language for measurement in under):
            spoken = [measurement for measurement in under if measurement.language is language]
            rows.append({"policy": policy.value, "language": language.value, **_row(spoken)})
    return rows


def _row(measurements: Sequence[PrecisionMeasurement]) -> dict[str, Any]:
    answered = [
        measurement.precision for measurement in measurements if measurement.precision is not None
    ]
    none = [measurement for measurement in measurements if measurement.precision is None]
    return {
        "precision_at_3": round(compute_mean(answered), 4),
        "of_returned": _share(
            [measurement for measurement in measurements if measurement.precision is not None]
        ),
        "refused": round(compute_mean([float(not measurement.returned) for measurement in none]), 4)
        if none
        else None,
        "questions": len(measurements),
    }


def _share(measurements: Sequence[PrecisionMeasurement]) -> float | None:
    returned = sum(measurement.returned for measurement in measurements)
    return (
        round(sum(measurement.mattering for measurement in measurements) / returned, 4)
        if returned
        else None
    )


async def _fill(subject: MeasuredInstance, people: Sequence[LabelledPerson]) -> None:
    async with subject.over_kafka() as client, KafkaBacklog(subject) as backlog:
        for person in people:
            await client.publish([_remember(person, memory) for memory in person.memories])
            await backlog.give_way()
    await wait_until_memories_recalled(
        subject, [(person.user, person.memories[-1].content) for person in people]
    )


def _remember(person: LabelledPerson, memory: LabelledMemory) -> RememberRequested:
    return RememberRequested(
        occurred_at=datetime.now(UTC), user_id=person.user, kind=memory.kind, content=memory.content
    )


async def _ask_all(
    subject: MeasuredInstance, people: Sequence[LabelledPerson], policies: Sequence[PolicyName]
) -> list[PrecisionMeasurement]:
    measurements: list[PrecisionMeasurement] = []
    whole = len(policies) * sum(len(person.questions) for person in people)
    with show_progress("asking", whole) as progress:
        async with subject.over_http() as client:
            for person in people:
                ids = {memory.content: memory.id for memory in person.memories}
                for question in person.questions:
                    for policy in policies:
                        measurements.append(await _ask(client, person, ids, question, policy))
                        progress(1)
    return measurements


async def _ask(
    client: PalimpsestClient,
    person: LabelledPerson,
    ids: Mapping[str, str],
    question: LabelledQuestion,
    policy: PolicyName,
) -> PrecisionMeasurement:
    answer = await client.recall(
        question.text,
        user_id=person.user,
        policy=policy,
        limit=DEPTH,
        records=[RecordType.MEMORY],
        preview=True,
    )
    returned = [ids.get(result.content, "") for result in answer.results]
    return PrecisionMeasurement(
        policy=policy,
        language=person.language,
        precision=compute_precision(returned, question.relevant),
        returned=len(returned),
        mattering=sum(one in question.relevant for one in returned),
    )
