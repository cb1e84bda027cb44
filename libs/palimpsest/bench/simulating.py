"""`palimpsest simulate`: a year of invented users through everything, and what is right after it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from palimpsest.bench.report import Report, progress_of
from palimpsest.bench.simulation.acts import Form, Person, Year
from palimpsest.bench.simulation.figures import Counts, Figures, together
from palimpsest.bench.simulation.generating import FIRST_DAY, year
from palimpsest.bench.simulation.judging import Held, Judging
from palimpsest.bench.simulation.playing import evening, playing_on
from palimpsest.bench.simulation.reading import read
from palimpsest.bench.simulation.truth import Truth
from palimpsest.bench.simulation.watching import Mirror
from palimpsest.bench.subject import Subject, embedded_subject
from palimpsest.domain.quotas import LIMITS
from palimpsest.domain.user import Tier

MOMENTS = 8
"""Of the past, at which each user is asked about everything."""

ASKED_AT_ONCE = 4
"""People."""

MISTAKES = 400
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
    f"listed as of {MOMENTS} moments of the year for each user, but for plain sentences not within "
    "10 days of a change. wrongly_retired: of what is so and was known, the share that no active "
    "memory names, though neither its user nor a policy's rule let it go. near_duplicates: of active "
    "memories the share that says nothing but what another one says. exact_duplicates: active "
    "memories in the words of another one of their user. quota_overruns: how often after a change a "
    "user had more active memories than the tier seed allows, in a second run on that tier."
)


@dataclass(frozen=True, kw_only=True)
class Extent:
    seed: int
    days: int = 365
    users: int = 20
    messages: int = 10_000


CROWD = Extent(seed=0, days=60, users=8, messages=2_000)
"""The second run, at most."""


async def bench(extent: Extent, *, embedder: str | None = None) -> Report:
    """All at once, the users of each form and the second run on a Palimpsest of their own.

    One alone mostly waits, and nobody meets anybody else.
    """
    began = time.perf_counter()
    played = year(seed=extent.seed, users=extent.users, messages=extent.messages, days=extent.days)
    crowd = year(
        seed=extent.seed,
        users=min(extent.users, CROWD.users),
        messages=min(extent.messages, CROWD.messages),
        days=min(extent.days, CROWD.days),
    )
    with progress_of("living", played.messages + crowd.messages) as progress:
        async with asyncio.TaskGroup() as together:
            lived = {
                form: together.create_task(_lived(played.of(form), extent, embedder, progress))
                for form in Form
            }
            crowded = together.create_task(_crowded(crowd, embedder, progress))
    figures = {form: task.result()[form] for form, task in lived.items()}
    mirror = crowded.result()
    seconds = {"seconds": round(time.perf_counter() - began, 1)}
    found = {
        **form_figures(figures[Form.REMEMBERED]),
        "quota_overruns": mirror.overruns,
        "most_active_on_seed": mirror.most,
        "plain": form_figures(figures[Form.PLAIN]),
        **seconds,
        "messages": played.messages,
        "days": extent.days,
        "users": extent.users,
        "seed": extent.seed,
        "definition": DEFINITION,
    }
    return Report(
        title=f"A simulated year: {played.messages:,} messages of {extent.users} users, {extent.days} days",
        rows=table(found),
        figures=found,
        remark=(
            f"On tier seed never more than {mirror.most} active memories were seen, with "
            f"{mirror.overruns} overruns; all runs took {seconds['seconds']:.0f} s."
        ),
    )


@asynccontextmanager
async def simulated_subject(
    embedder: str | None = None, settings: Mapping[str, str] | None = None
) -> AsyncIterator[Subject]:
    """An instance that begins on the morning of the first day and stands there."""
    morning = datetime(FIRST_DAY.year, FIRST_DAY.month, FIRST_DAY.day, tzinfo=UTC)
    async with embedded_subject(
        embedder,
        arguments=("--simulated-from", morning.isoformat()),
        settings={**SETTINGS, **(settings or {})},
    ) as subject:
        yield subject


async def _lived(
    played: Year, extent: Extent, embedder: str | None, progress: Callable[[int], None]
) -> Mapping[Form, Figures]:
    async with simulated_subject(embedder) as subject:
        await play(subject, played, Mirror(), progress)
        return await asked(subject, played, seed=extent.seed)


async def _crowded(played: Year, embedder: str | None, progress: Callable[[int], None]) -> Mirror:
    """Fewer users who say more in less time: what counts is that there is never room enough."""
    mirror = Mirror(limit=LIMITS[Tier.SEED])
    settings = {"PALIMPSEST_QUOTA_TIER": Tier.SEED.value}
    async with simulated_subject(embedder, settings) as subject:
        await play(subject, played, mirror, progress)
    return mirror


async def play(
    subject: Subject, played: Year, mirror: Mirror, progress: Callable[[int], None]
) -> None:
    """To the end of the year; tells how many messages each day had.

    Raises:
        TransientError: something was not handled within a minute.
    """
    async with playing_on(subject, mirror) as playing:
        async for _, messages in playing.play(played):
            progress(messages)


async def asked(subject: Subject, played: Year, *, seed: int) -> Mapping[Form, Figures]:
    """What everybody's memories are worth on the last evening."""
    truth = Truth.after(played.acts)
    acts = {act.id: act for act in played.acts}
    now = evening(played.days[-1])
    figures = {form: Figures() for form in Form}
    async with subject.over_http() as client:

        async def ask(person: Person) -> Held:
            moments = moments_of(person, seed=seed, days=len(played.days))
            return await read(client, person, now=now, moments=moments)

        # Some at once, for the one who asks and the one who answers work in turn otherwise.
        for start in range(0, len(played.people), ASKED_AT_ONCE):
            together = played.people[start : start + ASKED_AT_ONCE]
            for held in await asyncio.gather(*map(ask, together)):
                Judging(held, truth, acts, figures[held.person.form]).judge()
    return figures


def moments_of(person: Person, *, seed: int, days: int) -> list[datetime]:
    """Of the past, spread over the days by chance."""
    random = Random(f"{seed} moments {person.user_id}")  # noqa: S311 - to be repeated
    first = evening(FIRST_DAY)
    return sorted(
        first + timedelta(seconds=random.randrange(max(days - 1, 1) * 24 * 60 * 60))
        for _ in range(MOMENTS)
    )


def form_figures(figures: Figures) -> dict[str, Any]:
    return {
        "current_accuracy": _share(together(figures.current.values())),
        "as_of_accuracy": _share(together(figures.as_of.values())),
        "wrongly_retired": _share(figures.wrongly_retired),
        "near_duplicates": _share(figures.near_duplicates),
        "exact_duplicates": figures.exact_duplicates,
        "outdated_beside": _share(figures.outdated_beside),
        "forgotten_kept": _share(figures.forgotten_kept),
        "current_by_sort": _by_sort(figures.current),
        "as_of_by_sort": _by_sort(figures.as_of),
        "active_memories": figures.near_duplicates.asked,
        "mistakes": [
            {**asdict(one), "at": one.at and one.at.isoformat()}
            for one in figures.mistakes[:MISTAKES]
        ],
    }


def table(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = (
        *("current_accuracy", "as_of_accuracy", "wrongly_retired"),
        *("near_duplicates", "exact_duplicates"),
    )
    halves = (("RememberRequested", found), ("plain sentences", found["plain"]))
    return [
        {"statements": title, **{name.replace("_", " "): half[name] for name in names}}
        for title, half in halves
    ]


def _share(counts: Counts) -> float | None:
    return None if counts.share is None else round(counts.share, 4)


def _by_sort(counts: Mapping[str, Counts]) -> dict[str, Any]:
    return {
        sort: {"asked": one.asked, "right": one.yes, "share": _share(one)}
        for sort, one in sorted(counts.items())
    }
