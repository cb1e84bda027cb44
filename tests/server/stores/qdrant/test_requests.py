"""What is sent to a Qdrant server, by shape: the in-memory one ignores most of it."""

import pytest

from palimpsest.model.errors import TransientError
from palimpsest.model.scope import Layout
from palimpsest_server.stores.qdrant.vectors import QdrantVectorStore
from palimpsest_server.stores.vector_layouts import FixedLayouts
from palimpsest_server.stores.vectors import VectorQuery
from tests.support.server.stores.points import ALICE, MODEL, NORTH, identity, point, words
from tests.support.server.stores.qdrant_requests import MISSING, RecordingServer

OWN, POOLED = "user_alice", "palimpsest"


def collection_info(pooled: bool) -> dict[str, object]:
    """What a server tells of a collection; only its metadata is read."""
    return {
        "status": "green",
        "optimizer_status": "ok",
        "segments_count": 1,
        "config": {
            "params": {},
            "hnsw_config": {
                "m": 0 if pooled else 16,
                "ef_construct": 100,
                "full_scan_threshold": 1,
            },
            "optimizer_config": {
                "deleted_threshold": 0.2,
                "vacuum_min_vector_number": 1000,
                "default_segment_number": 1,
                "flush_interval_sec": 5,
            },
            "metadata": {"embedding_model": MODEL.slug},
        },
        "payload_schema": {},
    }


def server(alias: str, *, there: bool) -> RecordingServer:
    """Return a server on which the collection behind this alias is there, or is not."""
    collection = f"{alias}.{MODEL.slug}.1"
    return RecordingServer(
        {
            ("GET", f"/collections/{alias}"): collection_info(alias == POOLED)
            if there
            else MISSING,
            ("GET", f"/collections/{collection}/exists"): {"exists": there},
            ("GET", "/aliases"): {
                "aliases": [{"alias_name": alias, "collection_name": collection}] if there else []
            },
            ("POST", f"/collections/{alias}/points/query/batch"): lambda sent: [
                {"points": []} for _ in sent.body["searches"]
            ],
            ("POST", f"/collections/{collection}/points/count"): {"count": 0},
        }
    )


def store(server: RecordingServer, layout: Layout, key: str | None = None) -> QdrantVectorStore:
    return QdrantVectorStore(server.client(key), MODEL, layouts=FixedLayouts(layout))


async def test_a_namespaces_own_collection_takes_few_memory_maps() -> None:
    qdrant = server(OWN, there=False)
    await store(qdrant, Layout.PER_AGENT).upsert([point("a")])

    (made,) = qdrant.sent("PUT", f"{OWN}.{MODEL.slug}.1")[:1]
    assert made.body["optimizers_config"] == {"default_segment_number": 1}
    assert made.body["on_disk_payload"] is True
    assert made.body["shard_number"] == 1
    assert "hnsw_config" not in made.body
    indexed = {one.body["field_name"] for one in qdrant.sent("PUT", "/index")}
    assert indexed == {"project", "record", "status", "kind", "version"}
    (switched,) = qdrant.sent("POST", "/collections/aliases")
    assert switched.body["actions"] == [
        {"create_alias": {"alias_name": OWN, "collection_name": f"{OWN}.{MODEL.slug}.1"}}
    ]


async def test_the_pooled_collection_has_a_graph_for_each_namespace_and_an_index_of_them() -> None:
    qdrant = server(POOLED, there=False)
    await store(qdrant, Layout.POOLED).upsert([point("a")])

    (made,) = qdrant.sent("PUT", f"{POOLED}.{MODEL.slug}.1")[:1]
    assert made.body["hnsw_config"] == {"m": 0, "payload_m": 16}
    assert made.body["on_disk_payload"] is True
    assert "optimizers_config" not in made.body
    indexes = {one.body["field_name"]: one.body for one in qdrant.sent("PUT", "/index")}
    assert indexes.keys() == {"project", "record", "status", "kind", "version", "namespace"}
    assert indexes["namespace"]["field_schema"]["is_tenant"] is True


@pytest.mark.parametrize(("layout", "alias"), [(Layout.PER_AGENT, OWN), (Layout.POOLED, POOLED)])
async def test_only_the_pooled_collection_is_asked_for_a_namespace(
    layout: Layout, alias: str
) -> None:
    qdrant = server(alias, there=True)
    query = VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((7, 1.0)))
    await store(qdrant, layout).search(query)

    (asked,) = qdrant.sent("POST", "/query/batch")
    by_arm = {arm["using"]: arm for arm in asked.body["searches"]}
    named = {"key": "namespace", "match": {"value": "user_alice"}}
    for arm in by_arm.values():
        filtered = {condition["key"] for condition in arm["filter"]["must"]}
        assert filtered == {"project", "status"} | ({"namespace"} if alias == POOLED else set())
    if alias == POOLED:
        assert by_arm["sparse"]["params"] == {"idf": {"corpus": {"must": [named]}}}
    assert "params" not in by_arm["dense"]


async def test_a_point_is_written_on_condition_that_an_older_version_stands() -> None:
    qdrant = server(OWN, there=True)
    await store(qdrant, Layout.PER_AGENT).upsert([point("a", version=3)])

    (written,) = qdrant.sent("PUT", "/points")
    assert written.body["update_filter"] == {"must": [{"key": "version", "range": {"lt": 3.0}}]}
    assert [each["id"] for each in written.body["points"]] == [identity("a")]
    assert written.body["points"][0]["vector"].keys() == {"dense", "sparse"}


async def test_an_emptied_collection_goes_with_its_alias() -> None:
    qdrant = server(OWN, there=True)
    await store(qdrant, Layout.PER_AGENT).drop_emptied([ALICE.namespace])

    (retired,) = qdrant.sent("POST", "/collections/aliases")
    assert retired.body["actions"] == [{"delete_alias": {"alias_name": OWN}}]
    assert [one.path for one in qdrant.sent("DELETE")] == [f"/collections/{OWN}.{MODEL.slug}.1"]


async def test_the_pooled_collection_stays_whoever_leaves_it() -> None:
    qdrant = server(POOLED, there=True)
    await store(qdrant, Layout.POOLED).drop_emptied([ALICE.namespace])
    assert qdrant.requests == []


@pytest.mark.parametrize("key", [None, "wrong"])
async def test_a_key_that_is_refused_is_no_readiness(key: str | None) -> None:
    """A server answers `GET /` to anybody: it is no check."""
    qdrant = server(OWN, there=True)
    qdrant.key = "right"
    with pytest.raises(TransientError, match=r"refuses the key.*PALIMPSEST_QDRANT_API_KEY"):
        await store(qdrant, Layout.PER_AGENT, key).check()
    await store(qdrant, Layout.PER_AGENT, "right").check()
