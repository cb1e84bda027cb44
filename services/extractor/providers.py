"""Who understands windows: the first, and whoever stands in for it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from palimpsest.contracts.questions import (
    ExtractionRequested,
    JudgementRequested,
    ProfileRequested,
    ReflectionRequested,
    SummaryRequested,
)
from palimpsest.domain.clock import Clock
from palimpsest.providers.extraction.judging import Judge, KeepingBoth, ModelJudge
from palimpsest.providers.extraction.profiles.local import LocalProfiles
from palimpsest.providers.extraction.profiles.profiler import Profiler
from palimpsest.providers.extraction.profiles.with_model import ModelProfiles
from palimpsest.providers.extraction.provider import ExtractionProvider
from palimpsest.providers.extraction.reflecting import FindingNothing, ModelReflector, Reflector
from palimpsest.providers.extraction.rules.process import LocalRulesProcess
from palimpsest.providers.extraction.summaries.local import LocalSummaries
from palimpsest.providers.extraction.summaries.summariser import Summariser
from palimpsest.providers.extraction.summaries.with_model import ModelSummaries
from palimpsest.providers.extraction.with_model import ModelExtraction
from palimpsest.providers.models.asking import TaskModel
from palimpsest.providers.models.language_model import Task
from palimpsest.runtime.settings import Fallback, Settings
from services.extractor.answering import (
    Extracting,
    Judging,
    Profiling,
    Reflecting,
    Summarising,
    Way,
    Ways,
)
from services.extractor.models import Models
from services.extractor.sessions import SessionsRead

Room = Callable[[], int | None]
"""How many requests may be begun now; None is any number."""


@dataclass(frozen=True, kw_only=True)
class Providers:
    """`rules` and `models` are what runs behind the two."""

    first: ExtractionProvider
    fallback: ExtractionProvider | None = None
    summariser: Summariser
    summariser_fallback: Summariser | None = None
    profiler: Profiler = field(default_factory=LocalProfiles)
    profiler_fallback: Profiler | None = None
    judge: Judge = field(default_factory=KeepingBoth)
    reflector: Reflector = field(default_factory=FindingNothing)
    rules: LocalRulesProcess | None = None
    models: Models | None = None
    room: Room = lambda: None

    async def start(self) -> None:
        if self.rules is not None:
            await self.rules.start()

    async def stop(self) -> None:
        if self.rules is not None:
            await self.rules.stop()
        if self.models is not None:
            await self.models.close()

    async def check(self) -> None:
        """Return when windows can be understood. A model that is away only makes them wait.

        Raises:
            TransientError: the rules are being started.
        """
        if self.rules is not None:
            await self.rules.check()


def providers_of(settings: Settings, models: Models) -> Providers:
    """By the settings: a model, with or without the rules to stand in for it, or the rules alone.

    Raises:
        PermanentError: the settings name a model that cannot be had.
    """
    model, summing_up = models.of(Task.EXTRACTION), models.of(Task.SUMMARY)
    judging, reflecting = models.of(Task.JUDGEMENT), models.of(Task.REFLECTION)
    falls_back = settings.extraction_fallback is not Fallback.NONE
    local = LocalRulesProcess()
    sums_up = LocalSummaries(local)
    describing = models.of(Task.PROFILE)
    summariser = sums_up if summing_up is None else ModelSummaries(summing_up)
    needed = falls_back or model is None or summing_up is None
    common = Providers(
        first=local,
        summariser=summariser,
        summariser_fallback=sums_up if falls_back and summing_up is not None else None,
        profiler=LocalProfiles() if describing is None else ModelProfiles(describing),
        profiler_fallback=LocalProfiles() if falls_back and describing is not None else None,
        judge=KeepingBoth() if judging is None else ModelJudge(judging),
        reflector=FindingNothing() if reflecting is None else ModelReflector(reflecting),
        rules=local if needed else None,
        models=models,
    )
    if model is None:
        return common
    first = ModelExtraction(model, sees=settings.extraction_sees_images)
    if not falls_back:
        return replace(common, first=first, room=model.room)
    return replace(common, first=first, fallback=local, room=room_with_fallback(model))


def ways_of(providers: Providers, sessions: SessionsRead, clock: Clock) -> Ways:
    def summarising(summariser: Summariser) -> Summarising:
        return Summarising(summariser, sessions, clock)

    understands, sums_up = providers.fallback, providers.summariser_fallback
    describes = providers.profiler_fallback
    return {
        ExtractionRequested: Way(
            Extracting(providers.first), None if understands is None else Extracting(understands)
        ),
        JudgementRequested: Way(Judging(providers.judge)),
        ReflectionRequested: Way(Reflecting(providers.reflector)),
        SummaryRequested: Way(
            summarising(providers.summariser), None if sums_up is None else summarising(sums_up)
        ),
        ProfileRequested: Way(
            Profiling(providers.profiler, clock),
            None if describes is None else Profiling(describes, clock),
        ),
    }


def room_with_fallback(model: TaskModel) -> Room:
    """As much as the model has; any number while it is away for long, for others do it then."""

    def room() -> int | None:
        held = model.held()
        return None if held is not None and held.may_last else model.room()

    return room
