"""Checks of language models by the settings alone. No model is asked, because that costs money."""

from prometheus_client import CollectorRegistry

from palimpsest.model.clock import system_clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.spending import InMemorySpending
from services.extractor.model_pool import ModelPool
from services.host.diagnosis.finding import Finding, report_failure, report_ok


def check_language_models(settings: Settings) -> Finding:
    models = ModelPool(
        settings, spending=InMemorySpending(), registry=CollectorRegistry(), clock=system_clock
    )
    try:
        named = {task: models.of(task) for task in ModelTask}
    except PermanentError as error:
        return report_failure("models", str(error), "Set it, or PALIMPSEST_EXTRACTION_MODEL=local.")
    if not any(named.values()):
        return report_ok("models", "none: the local rules extract")
    words = (f"{task} by {model.name if model else 'local rules'}" for task, model in named.items())
    return report_ok("models", ", ".join(words))
