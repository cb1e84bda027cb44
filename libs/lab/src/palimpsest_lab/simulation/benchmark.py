"""`palimpsest simulate`: a year of invented users through everything, and what is right after it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from palimpsest.model.user import Tier
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.simulation.answer_scoring import AnswerScorer, ProductAnswers
from palimpsest_lab.simulation.change_watcher import MemoryMirror
from palimpsest_lab.simulation.ground_truth import GroundTruth
from palimpsest_lab.simulation.product_reader import read_product_answers
from palimpsest_lab.simulation.simulation_figures import SimulationFigures, YesCounts, sum_counts
from palimpsest_lab.simulation.user_actions import SimulatedUser, SimulatedYear, StatementForm
from palimpsest_lab.simulation.year_generator import FIRST_DAY, generate_year
from palimpsest_lab.simulation.year_player import connect_year_player, get_evening
from palimpsest_server.domain.quotas import ACTIVE_MEMORY_LIMITS

PAST_MOMENTS_PER_USER = 8
"""Of the past, at which each user is asked about everything."""

USERS_ASKED_AT_ONCE = 4
"""People."""

MAXIMUM_SHOWN_MISTAKES = 400
"""So many are written down for each form; the counts count all."""

SETTINGS = {
    # A day of a year takes a second: whose turn it is is looked after at once.
    "PALIMPSEST_MAINTENANCE_INTERVAL_SECONDS": "0.4",
    # Reports are read by nobody here, and make as much work as a month of messages.
    "PALIMPSEST_MAINTENANCE_REPORT_DAYS": "365",
}

DEFINITION = (
    "after the last day everything that is remembered of each user is listed, and compared with what "
    "the generator says is so. current_accuracy: of one question for each attribute with one value "
    "(right: the most recent of the active memories about it names the value that holds), for each of "
    "several values ever stated (right: an active memory names it, or none does and it is known to "
    "have ended) and for each thing told that no rule lets go (right: an active memory rests on it), "
    "the share answered rightly; no answer is a wrong one. as_of_accuracy: the same of attributes, "
    f"listed as of {PAST_MOMENTS_PER_USER} moments of the year for each user, but for plain sentences not within "
    "10 days of a change. wrongly_retired: of what is so and was known, the share that no active "
    "memory names, though neither its user nor a policy's rule let it go. near_duplicates: of active "
    "memories the share that says nothing but what another one says. exact_duplicates: active "
    "memories in the words of another one of their user. quota_overruns: how often after a change a "
    "user had more active memories than the tier seed allows, in a second run on that tier."
)


@dataclass(frozen=True, kw_only=True)
class SimulationExtent:
    seed: int
    days: int = 365
    users: int = 20
    messages: int = 10_000


CROWD_EXTENT = SimulationExtent(seed=0, days=60, users=8, messages=2_000)
"""The second run, at most."""


async def run_benchmark(
    extent: SimulationExtent, *, embedder: str | None = None
) -> BenchmarkReport:
    """Play and score everything.

    The users of each form and the second run have a Palimpsest each.

    One alone mostly waits, and nobody meets anybody else.
    """
    began = time.perf_counter()
    played = generate_year(
        seed=extent.seed, users=extent.users, messages=extent.messages, days=extent.days
    )
    crowd = generate_year(
        seed=extent.seed,
        users=min(extent.users, CROWD_EXTENT.users),
        messages=min(extent.messages, CROWD_EXTENT.messages),
        days=min(extent.days, CROWD_EXTENT.days),
    )
    with show_progress("living", played.messages + crowd.messages) as progress:
        async with asyncio.TaskGroup() as together:
            lived = {
                form: together.create_task(_lived(played.of(form), extent, embedder, progress))
                for form in StatementForm
            }
            crowded = together.create_task(_crowded(crowd, embedder, progress))
    figures = {form: task.result()[form] for form, task in lived.items()}
    mirror = crowded.result()
    seconds = {"seconds": round(time.perf_counter() - began, 1)}
    found = {
        **format_form_figures(figures[StatementForm.REMEMBERED]),
        "quota_overruns": mirror.overruns,
        "most_active_on_seed": mirror.most,
        "plain": format_form_figures(figures[StatementForm.PLAIN]),
        **seconds,
        "messages": played.messages,
        "days": extent.days,
        "users": extent.users,
        "seed": extent.seed,
        "definition": DEFINITION,
    }
    return BenchmarkReport(
        title=f"A simulated year: {played.messages:,} messages of {extent.users} users, {extent.days} days",
        rows=build_table(found),
        figures=found,
        remark=(
            f"On tier seed never more than {mirror.most} active memories were seen, with "
            f"{mirror.overruns} overruns; all runs took {seconds['seconds']:.0f} s."
        ),
    )


@asynccontextmanager
async def run_simulated_instance(
    embedder: str | None = None, settings: Mapping[str, str] | None = None
) -> AsyncIterator[MeasuredInstance]:
    """An instance that begins on the morning of the first day and stands there."""
    morning = datetime(FIRST_DAY.year, FIRST_DAY.month, FIRST_DAY.day, tzinfo=UTC)
    async with run_embedded_instance(
        embedder,
        arguments=("--simulated-from", morning.isoformat()),
        settings={**SETTINGS, **(settings or {})},
    ) as subject:
        yield subject


async def _lived(
    played: SimulatedYear,
    extent: SimulationExtent,
    embedder: str | None,
    progress: Callable[[int], None],
) -> Mapping[StatementForm, SimulationFigures]:
    async with run_simulated_instance(embedder) as subject:
        await play_year(subject, played, MemoryMirror(), progress)
        return await score_users(subject, played, seed=extent.seed)


async def _crowded(
    played: SimulatedYear, embedder: str | None, progress: Callable[[int], None]
) -> MemoryMirror:
    """Fewer users who say more in less time: what counts is that there is never room enough."""
    mirror = MemoryMirror(limit=ACTIVE_MEMORY_LIMITS[Tier.SEED])
    settings = {"PALIMPSEST_QUOTA_TIER": Tier.SEED.value}
    async with run_simulated_instance(embedder, settings) as subject:
        await play_year(subject, played, mirror, progress)
    return mirror


async def play_year(
    subject: MeasuredInstance,
    played: SimulatedYear,
    mirror: MemoryMirror,
    progress: Callable[[int], None],
) -> None:
    """Play to the end of the year, and tell how many messages each day had.

    Raises:
        TransientError: something was not handled within a minute.
    """
    async with connect_year_player(subject, mirror) as playing:
        async for _, messages in playing.play(played):
            progress(messages)


async def score_users(
    subject: MeasuredInstance, played: SimulatedYear, *, seed: int
) -> Mapping[StatementForm, SimulationFigures]:
    """Score everybody's memories on the last evening."""
    truth = GroundTruth.after(played.acts)
    acts = {act.id: act for act in played.acts}
    now = get_evening(played.days[-1])
    figures = {form: SimulationFigures() for form in StatementForm}
    async with subject.over_http() as client:

        async def ask(person: SimulatedUser) -> ProductAnswers:
            moments = choose_past_moments(person, seed=seed, days=len(played.days))
            return await read_product_answers(client, person, now=now, moments=moments)

        # Some at once, for the one who asks and the one who answers work in turn otherwise.
        for start in range(0, len(played.people), USERS_ASKED_AT_ONCE):
            together = played.people[start : start + USERS_ASKED_AT_ONCE]
            for held in await asyncio.gather(*map(ask, together)):
                AnswerScorer(held, truth, acts, figures[held.person.form]).judge()
    return figures


def choose_past_moments(person: SimulatedUser, *, seed: int, days: int) -> list[datetime]:
    """Choose past moments, spread over the days by chance."""
    random = Random(f"{seed} moments {person.user_id}")  # noqa: S311 - to be repeated
    first = get_evening(FIRST_DAY)
    return sorted(
        first + timedelta(seconds=random.randrange(max(days - 1, 1) * 24 * 60 * 60))
        for _ in range(PAST_MOMENTS_PER_USER)
    )


def format_form_figures(figures: SimulationFigures) -> dict[str, Any]:
    return {
        "current_accuracy": _share(sum_counts(figures.current.values())),
        "as_of_accuracy": _share(sum_counts(figures.as_of.values())),
        "wrongly_retired": _share(figures.wrongly_retired),
        "near_duplicates": _share(figures.near_duplicates),
        "exact_duplicates": figures.exact_duplicates,
        "outdated_beside": _share(figures.outdated_beside),
        "forgotten_kept": _share(figures.forgotten_kept),
        "current_by_sort": _by_sort(figures.current),
        "as_of_by_sort": _by_sort(figures.as_of),
        "active_memories": figures.near_duplicates.asked,
        "mistakes": [
            {**asdict(mistake), "at": mistake.at and mistake.at.isoformat()}
            for mistake in figures.mistakes[:MAXIMUM_SHOWN_MISTAKES]
        ],
    }


def build_table(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = (
        *("current_accuracy", "as_of_accuracy", "wrongly_retired"),
        *("near_duplicates", "exact_duplicates"),
    )
    halves = (("RememberRequested", found), ("plain sentences", found["plain"]))
    return [
        {"statements": title, **{name.replace("_", " "): half[name] for name in names}}
        for title, half in halves
    ]


def _share(counts: YesCounts) -> float | None:
    return None if counts.share is None else round(counts.share, 4)


def _by_sort(counts: Mapping[str, YesCounts]) -> dict[str, Any]:
    return {
        sort: {"asked": one.asked, "right": one.yes, "share": _share(one)}
        for sort, one in sorted(counts.items())
    }
