"""How many memories there are, and how many users want any."""

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.model.memory import Memory, Status
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.stores.user_settings import InMemoryUserSettings, SettingsRevision
from services.consolidator.memory_counts import MemoryCensus
from services.consolidator.metrics import ConsolidatorMetrics
from tests.support.server.domain.consolidation.samples import candidate, day


def of_status(status: Status) -> Memory:
    stated = build_memory(candidate("I live in Oslo"), received_at=day(1), epoch=0)
    return stated.model_copy(update={"status": status})


async def test_figures_are_of_the_last_full_round_and_none_is_left_over() -> None:
    registry = CollectorRegistry()
    settings = InMemoryUserSettings()
    without = UserSettings(memory_enabled=False)
    await settings.write([SettingsRevision(user_id="ben", revision=1, settings=without)])
    census = MemoryCensus(settings, ConsolidatorMetrics(registry))

    def memories(status: str) -> float | None:
        labels = {"kind": "fact", "status": status}
        return registry.get_sample_value("palimpsest_consolidator_memories", labels)

    census.count([of_status(Status.ACTIVE), of_status(Status.FORGOTTEN)])
    census.count([of_status(Status.ACTIVE)])
    assert memories("active") is None
    await census.close({"ada", "ben", "cem"})
    assert (memories("active"), memories("forgotten")) == (2, 1)
    assert registry.get_sample_value("palimpsest_consolidator_average_importance") == pytest.approx(
        of_status(Status.ACTIVE).importance
    )
    assert [
        registry.get_sample_value("palimpsest_consolidator_users", {"state": each})
        for each in ("on", "off")
    ] == [2, 1]

    census.count([of_status(Status.ACTIVE)])
    await census.close({"ada"})
    assert (memories("active"), memories("forgotten")) == (1, 0)
