"""A vector backend that is added to the settings and the table is taken up, or missed by name."""

from pathlib import Path

from palimpsest_server.runtime import settings, vector_backends
from tests.support.altered_program import (
    Alteration,
    AlteredProgram,
    read_source,
    replace_once,
)

MEMBER = '    QDRANT = "qdrant"\n'
SETTING = '    qdrant_url: str = "http://127.0.0.1:6333"\n'
ROW = """
    VectorsBackend.CEDAR: VectorBackendProperties(
        subject="Cedar",
        is_server=True,
        settings=("cedar_address",),
        locate=lambda settings: settings.cedar_address,
        create=lambda settings, model, database: InMemoryVectorStore(model),
        inspect=_inspect_cedar,
    ),
}
"""
INSPECTION = """
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore

async def _inspect_cedar(settings, model):
    return {"vectors": CollectionHealth.BUSY}


VECTOR_BACKENDS: Mapping"""
SCRIPT = """
import asyncio
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.vector_backends import describe_server_backends
from services.host.diagnosis.vectors import check_turn_tracking, check_vectors
from services.host.platform import build_platform
from services.host.service_processes import check_multiple_processes

settings = Settings(_env_file=None, mode=Mode.SERVER, vectors="cedar", cedar_address="cedar:1")
platform = build_platform(settings, ["ingest"], HashingEmbedder())
found["store"] = type(platform.vectors).__name__
found["advised"] = describe_server_backends()
found["turns"] = len(check_turn_tracking(settings))
check_multiple_processes(settings, ["recall"])
found["doctor"] = asyncio.run(check_vectors(settings)).model_dump(mode="json")
"""


def altered(directory: Path, *, row: str) -> AlteredProgram:
    text = replace_once(read_source(settings), MEMBER, MEMBER + '    CEDAR = "cedar"\n')
    text = replace_once(text, SETTING, SETTING + '    cedar_address: str = ""\n')
    table = replace_once(read_source(vector_backends), "\nVECTOR_BACKENDS: Mapping", INSPECTION)
    table = replace_once(table, "    ),\n}\n", "    )," + row)
    return AlteredProgram(directory, Alteration(settings, text), Alteration(vector_backends, table))


def test_a_new_backend_is_taken_up_by_its_row(tmp_path: Path) -> None:
    found = altered(tmp_path, row=ROW).run(SCRIPT)
    assert found["store"] == "InMemoryVectorStore"
    assert "PALIMPSEST_VECTORS=cedar with PALIMPSEST_CEDAR_ADDRESS" in found["advised"]
    assert found["turns"] == 0
    assert (found["doctor"]["subject"], found["doctor"]["state"]) == ("Cedar", "doubtful")
    assert "cedar:1" in found["doctor"]["words"]


def test_a_backend_without_a_row_stops_the_program(tmp_path: Path) -> None:
    refusal = altered(tmp_path, row="\n}\n").refusal("")
    assert "VECTOR_BACKENDS has no row for cedar" in refusal


def test_a_row_that_names_no_setting_stops_the_program(tmp_path: Path) -> None:
    row = replace_once(ROW, '("cedar_address",)', '("cedar_port",)')
    assert "Settings lacks cedar_port" in altered(tmp_path, row=row).refusal("")
