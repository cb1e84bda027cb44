"""Whatever is sent by POST may be sent again: under an idempotency key, or because it changes nothing."""

from collections.abc import Mapping

from palimpsest_server.runtime.settings import Settings
from services.host.specifications import build_openapi_document

REPEATABLE: Mapping[str, str] = {
    "/v1/events": "events are told apart by their ids",
    "/v1/feedback": "feedback is told apart by its id, or by what it is about",
    "/v1/recall": "only reads",
    "/v1/context": "only reads",
    "/v1/extractions/preview": "stores nothing",
    "/v1/extractions/answer": "stores nothing",
    "/v1/sessions/{session_id}/extract": "answers the same windows again",
    "/v1/tokens": "a second token opens the same as the first",
    "/v1/keys": "answers a secret, which is stored nowhere to be answered again",
    "/v1/keys/{key_id}/rotate": "answers a secret, which is stored nowhere to be answered again",
    "/v1/webhooks/{webhook_id}/test": "a second test is another one",
    "/v1/webhooks/{webhook_id}/replay": "deliveries keep their ids",
    "/v1/dead-letters/replay": "a replayed letter does not wait any more",
    "/v1/chat/completions": "OpenAI's wire: known by place and words",
    "/v1/messages": "Anthropic's wire: known by place and words",
}


async def test_every_post_route_takes_an_idempotency_key_or_needs_none() -> None:
    document = await build_openapi_document(Settings(_env_file=None, embedder="hashing"))
    without = {
        path
        for path, methods in document["paths"].items()
        if "post" in methods
        and not any(
            parameter["name"].lower() == "idempotency-key"
            for parameter in methods["post"].get("parameters", ())
        )
    }
    assert without - REPEATABLE.keys() == {path for path in without if path.startswith("/mcp")}
    assert REPEATABLE.keys() <= without
