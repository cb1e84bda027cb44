"""All services under load, scraped: no metric is silent, unexplained, or grows with the users."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import httpx
import pytest
import pytest_asyncio
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from deploy.grafana.chat_load import AGENT, run_chat_load, user_id
from deploy.grafana.load_model import build_load_model_settings, run_load_model
from palimpsest_lab.instances.measured_instance import run_embedded_instance
from tests.support.deploy.metrics_of_code import metrics_of_code
from tests.support.lab.forked_instances import forked_instances

pytestmark = pytest.mark.embedded

ROUNDS = 3
MOST_SERIES = 60
"""Of one metric, a histogram's buckets not counted; several times what there are."""

AWAITED = ("palimpsest_extractor_fallbacks_total{", "palimpsest_consolidator_memories{")
"""Samples that come in their own time: when windows are due, and when the reconciler's turn is."""

BOUNDED = frozenset(
    {"stage", "topic", "reason", "way", "type", "outcome", "kind", "trigger", "what", "step",
     "state", "provider", "model", "task", "direction", "budget", "flaw", "record", "verdict", "why", "method", "route", "status"}
)  # fmt: skip
"""Labels whose values are words of the code, of which there are few."""

ONLY_AFTER_FAULTS = {
    "palimpsest_consolidator_dropped_total": "an erasure overtakes events, or nobody has vectors",
    "palimpsest_console_reconciled_total": "a command's change was not heard of in time",
    "palimpsest_extractor_dropped_requests_total": "an erasure overtakes a request",
    "palimpsest_extractor_held_back_total": "a model is away, or its budget spent",
    "palimpsest_extractor_set_aside_requests_total": "a model fails for good",
    "palimpsest_ingest_collisions_total": "two processes have one session for a moment",
    "palimpsest_recall_dropped_hits_total": "the projection is behind",
    "palimpsest_model_budget_waits_total": "a budget is set, and spent",
    "palimpsest_model_held_calls_total": "a model is away",
    "palimpsest_model_repairs_total": "a model answers in another form",
    "palimpsest_stage_dropped_batches_total": "partitions are taken away during a batch",
}
"""Counters with labels that have nothing to count before something goes wrong, and what."""

MAY_BE_SILENT = {
    "palimpsest_console_proxied_chats_total": "nobody chats through the proxies",
    "palimpsest_console_proxied_exchanges_total": "nobody chats through the proxies",
    "palimpsest_console_webhook_tries_total": "nobody named a webhook",
    "palimpsest_extractor_reconciled_requests_total": "the reconciler had nothing to move on yet",
    "palimpsest_extractor_summaries_total": "no session was over yet",
    "palimpsest_ingest_reconciled_total": "the reconciler had nothing to look at yet",
}


@dataclass(frozen=True)
class Scraped:
    text: str
    families: Mapping[str, Metric]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scraped() -> AsyncIterator[Scraped]:
    """What Prometheus would read after some rounds of everything."""
    with pytest.MonkeyPatch.context() as environment:
        async with run_load_model() as model:
            often = {"PALIMPSEST_RECONCILE_INTERVAL_SECONDS": "1"}
            for variable, value in (build_load_model_settings(model) | often).items():
                environment.setenv(variable, value)
            with forked_instances():
                async with (
                    run_embedded_instance("hashing") as subject,
                    run_chat_load(subject.http_url, subject.kafka_bootstrap_servers) as load,
                ):
                    await load.until(ROUNDS)
                    text = await _scraped_once_all_had_time(subject.http_url)
    yield Scraped(text, {metric.name: metric for metric in text_string_to_metric_families(text)})


async def _scraped_once_all_had_time(http_url: str) -> str:
    """Scrape when a model has failed and a full round has counted: no round of the load waits for them."""
    async with asyncio.timeout(60), httpx.AsyncClient(trust_env=False, timeout=60) as http:
        while True:
            text = (await http.get(f"{http_url}/metrics")).text
            if all(sample in text for sample in AWAITED):
                return text
            await asyncio.sleep(0.2)


@pytest.mark.asyncio(loop_scope="module")
async def test_every_metric_of_the_code_has_samples_and_words(scraped: Scraped) -> None:
    excused = set(ONLY_AFTER_FAULTS) | set(MAY_BE_SILENT)
    silent = []
    for name, family in (await metrics_of_code()).items():
        metric = scraped.families.get(name.removesuffix("_total"))
        assert metric is not None, f"{name} is not scraped"
        assert len(metric.documentation) > 10, f"{name} has no words"
        assert metric.documentation == family.words
        if not any(not sample.name.endswith("_created") for sample in metric.samples):
            silent.append(name)
    assert set(silent) <= excused


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_excused_exists(scraped: Scraped) -> None:
    assert set(ONLY_AFTER_FAULTS) | set(MAY_BE_SILENT) <= set(await metrics_of_code())


@pytest.mark.asyncio(loop_scope="module")
async def test_no_label_grows_with_what_people_do(scraped: Scraped) -> None:
    for name, family in (await metrics_of_code()).items():
        assert family.labels <= BOUNDED, name
        samples = scraped.families[name.removesuffix("_total")].samples
        series = {
            tuple(sorted((k, v) for k, v in sample.labels.items() if k != "le"))
            for sample in samples
        }
        assert len(series) <= MOST_SERIES, name


@pytest.mark.asyncio(loop_scope="module")
async def test_nobody_and_nothing_that_was_said_is_in_it(scraped: Scraped) -> None:
    for canary in (user_id(0)[:-5], AGENT, "morning-", "Lisbon", "咖啡", "sk-proj", "peanuts"):
        assert canary not in scraped.text
