"""The providers of each task: a first one and its fallback."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from palimpsest.events.extractor_requests import (
    ExtractionRequested,
    JudgementRequested,
    ProfileRequested,
    ReflectionRequested,
    SummaryRequested,
)
from palimpsest.model.clock import Clock
from palimpsest_server.extraction.local_extractor_pool import LocalExtractorPool
from palimpsest_server.extraction.memory_judge import KeepBothJudge, MemoryJudge, ModelMemoryJudge
from palimpsest_server.extraction.model_extraction import ModelExtraction
from palimpsest_server.extraction.profiles.local_profiles import LocalProfiles
from palimpsest_server.extraction.profiles.model_profiles import ModelProfiles
from palimpsest_server.extraction.profiles.profiler import Profiler
from palimpsest_server.extraction.provider import ExtractionProvider
from palimpsest_server.extraction.question_answers import ModelAnswers
from palimpsest_server.extraction.reflector import EmptyReflector, ModelReflector, Reflector
from palimpsest_server.extraction.summaries.local_summaries import LocalSummaries
from palimpsest_server.extraction.summaries.model_summaries import ModelSummaries
from palimpsest_server.extraction.summaries.summariser import Summariser
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.task_model import TaskModel
from palimpsest_server.runtime.settings import ModelFallback, Settings
from services.extractor.answer_routes import (
    AnswerRoute,
    AnswerRoutes,
    JudgementAnswerer,
    ProfileAnswerer,
    ReflectionAnswerer,
    SummaryAnswerer,
    WindowAnswerer,
)
from services.extractor.model_pool import ModelPool
from services.extractor.session_transcript import TranscriptReader

Capacity = Callable[[], int | None]
"""Returns how many requests may be begun now; None without a limit."""


@dataclass(frozen=True, kw_only=True)
class TaskProviders:
    """Providers by task. `rules` and `models` are the processes and models that they use."""

    first: ExtractionProvider
    fallback: ExtractionProvider | None = None
    summariser: Summariser
    summariser_fallback: Summariser | None = None
    profiler: Profiler = field(default_factory=LocalProfiles)
    profiler_fallback: Profiler | None = None
    judge: MemoryJudge = field(default_factory=KeepBothJudge)
    reflector: Reflector = field(default_factory=EmptyReflector)
    answers: ModelAnswers | None = None
    """Words answers of questions; without it they are not worded."""
    rules: LocalExtractorPool | None = None
    owns_rules: bool = True
    """False if the rules are stopped by their owner, not by the extractor."""
    models: ModelPool | None = None
    room: Capacity = lambda: None

    async def start(self) -> None:
        if self.rules is not None:
            await self.rules.start()

    async def stop(self) -> None:
        if self.rules is not None and self.owns_rules:
            await self.rules.stop()
        if self.models is not None:
            await self.models.close()

    async def check(self) -> None:
        """Return if windows can be understood. A model that is away only makes them wait.

        Raises:
            TransientError: the rules are still starting.
        """
        if self.rules is not None:
            await self.rules.check()


def build_task_providers(
    settings: Settings, models: ModelPool, rules: LocalExtractorPool | None = None
) -> TaskProviders:
    """Build the providers that the settings name.

    They are a model, with or without the rules as fallback, or the rules alone. The rules run in
    the given pool, which its owner stops, or in a new one.

    Raises:
        PermanentError: the settings name an unavailable model.
    """
    model, summing_up = models.of(ModelTask.EXTRACTION), models.of(ModelTask.SUMMARY)
    judging, reflecting = models.of(ModelTask.JUDGEMENT), models.of(ModelTask.REFLECTION)
    falls_back = settings.extraction_fallback is not ModelFallback.NONE
    local = rules or LocalExtractorPool(settings.extractor_rules_processes)
    sums_up = LocalSummaries(local)
    describing, answering = models.of(ModelTask.PROFILE), models.of(ModelTask.ANSWER)
    summariser = sums_up if summing_up is None else ModelSummaries(summing_up)
    needed = falls_back or model is None or summing_up is None
    common = TaskProviders(
        first=local,
        summariser=summariser,
        summariser_fallback=sums_up if falls_back and summing_up is not None else None,
        profiler=LocalProfiles() if describing is None else ModelProfiles(describing),
        profiler_fallback=LocalProfiles() if falls_back and describing is not None else None,
        judge=KeepBothJudge() if judging is None else ModelMemoryJudge(judging),
        reflector=EmptyReflector() if reflecting is None else ModelReflector(reflecting),
        answers=None if answering is None else ModelAnswers(answering),
        rules=local if needed else None,
        owns_rules=rules is None,
        models=models,
    )
    if model is None:
        return common
    first = ModelExtraction(model, sees=settings.extraction_sees_images)
    if not falls_back:
        return replace(common, first=first, room=model.room)
    return replace(common, first=first, fallback=local, room=build_capacity_with_fallback(model))


def build_answer_routes(
    providers: TaskProviders, sessions: TranscriptReader, clock: Clock
) -> AnswerRoutes:
    def summarising(summariser: Summariser) -> SummaryAnswerer:
        return SummaryAnswerer(summariser, sessions, clock)

    understands, sums_up = providers.fallback, providers.summariser_fallback
    describes = providers.profiler_fallback
    return {
        ExtractionRequested: AnswerRoute(
            WindowAnswerer(providers.first),
            None if understands is None else WindowAnswerer(understands),
        ),
        JudgementRequested: AnswerRoute(JudgementAnswerer(providers.judge)),
        ReflectionRequested: AnswerRoute(ReflectionAnswerer(providers.reflector)),
        SummaryRequested: AnswerRoute(
            summarising(providers.summariser), None if sums_up is None else summarising(sums_up)
        ),
        ProfileRequested: AnswerRoute(
            ProfileAnswerer(providers.profiler, clock),
            None if describes is None else ProfileAnswerer(describes, clock),
        ),
    }


def build_capacity_with_fallback(model: TaskModel) -> Capacity:
    """Return the model's capacity; unlimited while the model is away for long and the fallback works."""

    def room() -> int | None:
        held = model.held()
        return None if held is not None and held.may_last else model.room()

    return room
