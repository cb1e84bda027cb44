"""Who understands windows: the first, and whoever stands in for it."""

from collections.abc import Callable
from dataclasses import dataclass

from palimpsest.providers.extraction.provider import ExtractionProvider
from palimpsest.providers.extraction.rules.process import LocalRulesProcess
from palimpsest.providers.extraction.with_model import ModelExtraction
from palimpsest.providers.models.asking import TaskModel
from palimpsest.providers.models.language_model import Task
from palimpsest.runtime.settings import Fallback, Settings
from services.extractor.models import Models

Room = Callable[[], int | None]
"""How many requests may be begun now; None is any number."""


@dataclass(frozen=True, kw_only=True)
class Providers:
    """`rules` and `models` are what runs behind the two."""

    first: ExtractionProvider
    fallback: ExtractionProvider | None = None
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
    model = models.of(Task.EXTRACTION)
    if model is None:
        rules = LocalRulesProcess()
        return Providers(first=rules, rules=rules, models=models)
    first = ModelExtraction(model)
    if settings.extraction_fallback is Fallback.NONE:
        return Providers(first=first, models=models, room=model.room)
    rules = LocalRulesProcess()
    room = room_with_fallback(model)
    return Providers(first=first, fallback=rules, rules=rules, models=models, room=room)


def room_with_fallback(model: TaskModel) -> Room:
    """As much as the model has; any number while it is away for long, for others do it then."""

    def room() -> int | None:
        held = model.held()
        return None if held is not None and held.may_last else model.room()

    return room
