"""Checks the room on a Qdrant server for collections of single users and agents."""

from collections.abc import Sequence

from palimpsest.model.errors import PalimpsestError
from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.runtime.database import open_database
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from palimpsest_server.runtime.vector_backends import build_vector_layouts
from palimpsest_server.stores.mongo.vector_layouts import RecordedLayout
from palimpsest_server.stores.qdrant.memory_maps import (
    MemoryMaps,
    compute_needed_limit,
    count_bearable_collections,
    read_memory_maps,
)
from services.host.diagnosis.finding import Finding, report_doubt, report_failure, report_ok

ALARMING_SHARE = 0.8


async def check_vector_room(settings: Settings) -> list[Finding]:
    """Check that the server bears the collections that there are and those that may come."""
    if settings.vectors is not VectorsBackend.QDRANT:
        return []
    key = settings.qdrant_api_key
    database = open_database(settings)
    try:
        maps = await read_memory_maps(settings.qdrant_url, key.get_secret_value() if key else None)
        records = await build_vector_layouts(settings, database).recorded()
    except PalimpsestError as error:
        return [
            report_doubt(
                "collections",
                f"cannot be counted: {describe_error(error)}",
                "Mend what is said of MongoDB and Qdrant first.",
            )
        ]
    finally:
        database.close()
    return report_vector_room(records, settings.qdrant_maximum_collections, maps)


def report_vector_room(
    records: Sequence[RecordedLayout], maximum: int, maps: MemoryMaps
) -> list[Finding]:
    """Report on collections, at most `maximum`, moves and memory maps of a server."""
    own = sum(record.slot is not None for record in records)
    return [*_unfinished(records), _collections(own, maximum, maps), *_maps(own, maximum, maps)]


def _unfinished(records: Sequence[RecordedLayout]) -> list[Finding]:
    moving = [record.physical_name for record in records if len(record.where.held) > 1]
    if not moving:
        return []
    words = f"{len(moving)} are on their way, {moving[0]} among them; they are written twice"
    return [
        report_doubt(
            "moves", words, "Where no `palimpsest layout` is at work: `palimpsest layout finish`."
        )
    ]


def _collections(own: int, maximum: int, maps: MemoryMaps) -> Finding:
    words = f"{own} users and agents have one of their own, of at most {maximum}"
    if own == 0 or own < ALARMING_SHARE * maximum:
        return report_ok("collections", words)
    bears = (
        ""
        if maps.limit is None
        else f"; this server bears {count_bearable_collections(maps.limit)}"
    )
    return report_doubt(
        "collections",
        f"{words}; those that come later share the pooled one",
        f"Nothing to do, or set PALIMPSEST_QDRANT_MAXIMUM_COLLECTIONS{bears}.",
    )


def _maps(own: int, maximum: int, maps: MemoryMaps) -> list[Finding]:
    if maps.limit is None:
        if not own:
            return []
        words = "it does not say how many it may have, and runs elsewhere"
        advice = f"vm.max_map_count of its host should be {compute_needed_limit(maximum)} or more."
        return [report_doubt("memory maps", words, advice)]
    words = f"Qdrant may have {maps.limit}"
    if maps.open is not None:
        words = f"Qdrant has {maps.open} of {maps.limit}"
    if maps.open is not None and maps.open >= ALARMING_SHARE * maps.limit:
        return [
            report_failure(
                "memory maps",
                f"{words}, and aborts when they end",
                f"Set `sysctl vm.max_map_count={2 * maps.limit}` on its host, or pool who needs no"
                " collection: `palimpsest layout move --to pooled`.",
            )
        ]
    bears = count_bearable_collections(maps.limit)
    if own and maximum > bears:
        return [
            report_doubt(
                "memory maps",
                f"{words}: too few for {maximum} collections while `palimpsest reindex` doubles them",
                f"Set `sysctl vm.max_map_count={compute_needed_limit(maximum)}` on its host, or"
                f" PALIMPSEST_QDRANT_MAXIMUM_COLLECTIONS={bears}.",
            )
        ]
    return [report_ok("memory maps", f"{words}: enough for {bears} collections of single users")]
