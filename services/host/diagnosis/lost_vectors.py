"""Checks for messages and memories without vectors: by an instance's count, or in a sample."""

import re
from uuid import uuid4

import httpx

from palimpsest.model.errors import PalimpsestError
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.database import open_database
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.vector_backends import build_vector_store, find_vector_backend
from palimpsest_server.stores.mongo.turn_pages import MongoTurnPages
from palimpsest_server.stores.turns import ConfirmedTurns
from palimpsest_server.stores.vectors import VectorStore
from services.host.diagnosis.finding import Finding, report_doubt, report_ok

_SECONDS = 6.0
_METRIC = re.compile(r"^palimpsest_consolidator_drift_(memories|turns) (\S+)$", re.MULTILINE)
_NAMES = {"memories": "memories", "turns": "messages"}
_ADVICE = (
    "The consolidator makes them again, round by round. Where they do not get fewer within a day,"
    " make all again: `palimpsest reindex`."
)


async def check_instance(http_url: str) -> list[Finding]:
    """Report the counts of a running instance from its last full comparison."""
    try:
        async with httpx.AsyncClient(timeout=_SECONDS) as client:
            text = (await client.get(f"{http_url}/metrics")).text
    except httpx.HTTPError:
        return []  # That it does not answer is a finding of its own.
    lost = {_NAMES[what]: int(float(count)) for what, count in _METRIC.findall(text)}
    words = " and ".join(f"{count} {what}" for what, count in lost.items() if count)
    if words:
        return [report_doubt("lost vectors", f"{words} lack theirs", _ADVICE)]
    return [report_ok("lost vectors", "none, as far as was looked")] if lost else []


async def check_sample(settings: Settings) -> list[Finding]:
    """Report how many messages of a random sample lack vectors on a server."""
    backend = find_vector_backend(settings)
    if backend is None or not backend.is_server:
        return []
    database = open_database(settings)
    model = build_embedder(settings).model
    vectors = build_vector_store(settings, model, database, searching=True)
    assert vectors is not None  # noqa: S101 - a server's is there for every process
    try:
        await vectors.open()
        return await look_at_sample(MongoTurnPages(database), vectors, after=str(uuid4()))
    except PalimpsestError as error:
        words = f"cannot be counted: {describe_error(error)}"
        return [report_doubt("lost vectors", words, "Mend what is said of Qdrant first.")]
    finally:
        await vectors.close()
        database.close()


async def look_at_sample(
    turns: ConfirmedTurns, vectors: VectorStore, *, after: str
) -> list[Finding]:
    """Check the messages whose ids follow `after`; the first messages if there are none."""
    scopes = (await turns.confirmed(after=after)).scopes
    scopes = scopes or (await turns.confirmed(after=None)).scopes
    if not scopes:
        return []
    lost = len(scopes.keys() - (await vectors.versions(scopes)).keys())
    if lost:
        words = f"{lost} of {len(scopes)} messages lack theirs"
        return [report_doubt("lost vectors", words, _ADVICE)]
    return [report_ok("lost vectors", f"none of {len(scopes)} messages")]
