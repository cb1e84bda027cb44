"""Whether the language models of the settings can be asked. Nobody is asked: that costs money."""

from prometheus_client import CollectorRegistry

from palimpsest.domain.clock import system_clock
from palimpsest.domain.errors import PermanentError
from palimpsest.providers.models.language_model import Task
from palimpsest.runtime.settings import Settings
from palimpsest.stores.spending import InMemorySpending
from services.extractor.models import Models
from services.host.diagnosis.finding import Finding, ill, well


def language_models(settings: Settings) -> Finding:
    models = Models(
        settings, spending=InMemorySpending(), registry=CollectorRegistry(), clock=system_clock
    )
    try:
        named = {task: models.of(task) for task in Task}
    except PermanentError as error:
        return ill("models", str(error), "Set it, or PALIMPSEST_EXTRACTION_MODEL=local.")
    if not any(named.values()):
        return well("models", "none: the local rules extract")
    words = (f"{task} by {model.name if model else 'local rules'}" for task, model in named.items())
    return well("models", ", ".join(words))
