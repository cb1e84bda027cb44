"""Examples of requests, shown in the description of the API, in an order in which they can be sent.

They tell one story of one user. Ids follow from the keys of the requests before, so that all of them work
as they stand.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import Field

from palimpsest.model.value_types import Value

_TEA = "d89e2cc1-145c-5496-ba8f-2f7be363b412"
_TODO = "8d556bc1-177b-53da-8e2f-b40253ac5818"
_QUESTION = "1693aa2a-9f5b-55ef-8e4b-a448bc559e9d"
_WEBHOOK = "e9731a2d-3d35-5c6b-9e6f-35d89303a632"
_PINNING = "9c2ddeb9-6a74-5120-9886-fde4c1b6dd49"
_ADDING = "5a9330f6-4e95-5540-a6d4-50e374ea9d0d"
_TURN = "511d64cd-aa09-507a-a7a7-fef144ef5ad9"

_RUNNING = "da93c9c9-cda8-5b1c-911a-2570df6902d1"
_JOGGING = "94b22f49-a4c8-5979-ac23-bbe5afeee53f"
_PORTUGUESE = "ffaab8c7-b1cd-5825-a515-9023d0535672"
_CELLO = "6525bfb0-cb02-52fb-a15b-7a5d4331ad7b"

_WEBHOOK_OF_USER = {"user_id": "nadia", "webhook_id": _WEBHOOK}
_MONDAY = {"session_id": "monday"}


class OperationExample(Value):
    """An example of one operation. Parameters that are required have examples by their names alone."""

    parameters: Mapping[str, Any] = Field(default_factory=dict)
    body: Any = None


def _exported(memory_id: str, content: str, status: str = "active") -> Mapping[str, Any]:
    """Return a memory as a line of an export has it."""
    said = "2026-02-07T10:00:00Z"
    quote = {"quote": content, "said_by": "user", "origin": "import", "said_at": said}
    return {
        "memory": {
            "id": memory_id,
            "scope": {"user_id": "nadia"},
            "kind": "fact",
            "content": content,
            "summary": content,
            "evidence": [quote],
            "importance": 0.5,
            "confidence": 0.9,
            "lifetime": "working",
            "source": "discussion",
            "status": status,
            "occurred_at": said,
            "valid_from": said,
            "recorded_at": said,
            "epoch": 0,
        }
    }


REQUIRED_PARAMETERS: Mapping[str, str] = MappingProxyType({"user_id": "nadia"})
"""Examples of parameters that operations require, by their names."""

OPERATION_EXAMPLES: Mapping[str, OperationExample] = MappingProxyType(
    {
        "POST /v1/events": OperationExample(
            body={
                "events": [
                    {
                        "type": "MessageAdded",
                        "occurred_at": "2026-03-02T09:00:00Z",
                        "user_id": "nadia",
                        "session_id": "monday",
                        "message_id": "1",
                        "role": "user",
                        "text": "I moved to Lisbon. I'm allergic to peanuts.",
                    },
                    {
                        "type": "SessionEnded",
                        "occurred_at": "2026-03-02T09:05:00Z",
                        "user_id": "nadia",
                        "session_id": "monday",
                    },
                ]
            }
        ),
        "POST /v1/memories": OperationExample(
            parameters={"idempotency-key": "tea"},
            body={"content": "Nadia prefers tea to coffee", "kind": "preference", "tags": ["food"]},
        ),
        "POST /v1/todos": OperationExample(
            parameters={"idempotency-key": "dentist"},
            body={
                "content": "Call the dentist",
                "due_at": "2027-01-11T09:00:00Z",
                "remind_at": "2027-01-11T08:00:00Z",
            },
        ),
        "POST /v1/import": OperationExample(
            body={
                "memories": [
                    _exported("running", "Nadia runs along the river on Saturdays"),
                    _exported("jogging", "Nadia goes jogging at weekends"),
                    _exported("portuguese", "Nadia speaks some Portuguese", "pending"),
                    _exported("cello", "Nadia plays the cello", "pending"),
                ]
            }
        ),
        "POST /v1/memories/merge": OperationExample(
            body={
                "memory_ids": [_RUNNING, _JOGGING],
                "content": "Nadia runs along the river at weekends",
            }
        ),
        "POST /v1/questions": OperationExample(
            parameters={"idempotency-key": "drinks"},
            body={"query": "What does Nadia like to drink?", "limit": 3},
        ),
        "POST /v1/webhooks": OperationExample(
            parameters={"user_id": "nadia", "idempotency-key": "changes"},
            body={
                "url": "https://example.com/hooks/memory",
                "types": ["memory.created", "memory.forgotten"],
                "description": "Changes of what is remembered of Nadia",
            },
        ),
        "POST /v1/keys": OperationExample(
            body={"name": "Nadia's phone", "user_id": "nadia", "permissions": ["read", "write"]}
        ),
        "POST /v1/tokens": OperationExample(
            body={"user_id": "nadia", "permissions": ["read"], "expires_in_seconds": 900}
        ),
        "PUT /v1/settings": OperationExample(
            body={"time_zone": "Europe/Lisbon", "language": "en", "review": "sensitive"}
        ),
        "PUT /v1/settings/tier": OperationExample(body={"tier": "growth"}),
        "GET /v1/namespaces": OperationExample(parameters={"limit": 20}),
        "GET /v1/dead-letters": OperationExample(
            parameters={"stage": "extractor", "reason": "model_refused", "limit": 20}
        ),
        "POST /v1/dead-letters/replay": OperationExample(
            body={"stage": "extractor", "reason": "model_refused", "dry_run": True}
        ),
        "POST /v1/extractions/preview": OperationExample(
            body={
                "user_id": "nadia",
                "messages": [{"role": "user", "text": "我对花生过敏，下周一去里斯本。"}],
            }
        ),
        "POST /v1/extractions/answer": OperationExample(
            body={
                "user_id": "nadia",
                "query": "What does Nadia like to drink?",
                "memory_ids": [_TEA],
            }
        ),
        "POST /v1/recall": OperationExample(
            body={"user_id": "nadia", "query": "What does Nadia like to drink?", "limit": 5}
        ),
        "POST /v1/context": OperationExample(
            body={"user_id": "nadia", "query": "What could I cook?", "token_budget": 500}
        ),
        "POST /v1/feedback": OperationExample(
            body={"user_id": "nadia", "verdict": "helpful", "memory_id": _TEA}
        ),
        "GET /v1/memories": OperationExample(parameters={"kind": "preference", "limit": 20}),
        "GET /v1/memories/{memory_id}": OperationExample(parameters={"memory_id": _TEA}),
        "PATCH /v1/memories/{memory_id}": OperationExample(
            parameters={"memory_id": _TEA},
            body={"content": "Nadia prefers green tea to coffee", "importance": 0.8},
        ),
        "POST /v1/memories/{memory_id}/relations": OperationExample(
            parameters={"memory_id": _TEA},
            body={"other_id": _TODO, "relation": "supports", "strength": 0.5},
        ),
        "POST /v1/memories/{memory_id}/pin": OperationExample(
            parameters={"memory_id": _TEA, "idempotency-key": "pin tea"}
        ),
        "POST /v1/memories/{memory_id}/forget": OperationExample(
            parameters={"memory_id": _TEA}, body={"reason": "Nadia asked for it"}
        ),
        "POST /v1/memories/{memory_id}/restore": OperationExample(parameters={"memory_id": _TEA}),
        "POST /v1/memories/{memory_id}/confirm": OperationExample(
            parameters={"memory_id": _PORTUGUESE}
        ),
        "POST /v1/memories/{memory_id}/reject": OperationExample(parameters={"memory_id": _CELLO}),
        "POST /v1/memories/bulk": OperationExample(
            body={"memory_ids": [_TEA], "action": "confirm"}
        ),
        "GET /v1/graph": OperationExample(parameters={"limit": 50}),
        "GET /v1/changes": OperationExample(parameters={"memory_id": _TEA}),
        "GET /v1/changes/{change_set_id}": OperationExample(parameters={"change_set_id": _ADDING}),
        "POST /v1/changes/{change_set_id}/undo": OperationExample(
            parameters={"change_set_id": _PINNING}
        ),
        "GET /v1/turns/{turn_id}": OperationExample(parameters={"turn_id": _TURN}),
        "GET /v1/conversations": OperationExample(parameters={"limit": 20}),
        "GET /v1/conversations/{session_id}": OperationExample(parameters=_MONDAY),
        "GET /v1/conversations/{session_id}/changes": OperationExample(parameters=_MONDAY),
        "POST /v1/conversations/{session_id}/undo": OperationExample(
            parameters={**_MONDAY, "dry_run": True}
        ),
        "GET /v1/sessions/summaries": OperationExample(parameters={"limit": 5}),
        "POST /v1/sessions/{session_id}/extract": OperationExample(parameters=_MONDAY),
        "GET /v1/todos": OperationExample(parameters={"state": "open"}),
        "POST /v1/todos/{todo_id}/snooze": OperationExample(
            parameters={"todo_id": _TODO}, body={"until": "2027-01-12T08:00:00Z"}
        ),
        "POST /v1/todos/{todo_id}/complete": OperationExample(parameters={"todo_id": _TODO}),
        "POST /v1/todos/{todo_id}/reopen": OperationExample(parameters={"todo_id": _TODO}),
        "GET /v1/questions/{question_id}": OperationExample(parameters={"question_id": _QUESTION}),
        "DELETE /v1/questions/{question_id}": OperationExample(
            parameters={"question_id": _QUESTION}
        ),
        "GET /v1/webhooks/{webhook_id}": OperationExample(parameters=_WEBHOOK_OF_USER),
        "PATCH /v1/webhooks/{webhook_id}": OperationExample(
            parameters=_WEBHOOK_OF_USER, body={"enabled": False}
        ),
        "GET /v1/webhooks/{webhook_id}/deliveries": OperationExample(parameters=_WEBHOOK_OF_USER),
        "DELETE /v1/webhooks/{webhook_id}": OperationExample(parameters=_WEBHOOK_OF_USER),
        "GET /v1/export": OperationExample(),
        "POST /v1/memories/{memory_id}/purge": OperationExample(
            parameters={"memory_id": _TEA, "dry_run": True}
        ),
        "POST /v1/projects/{project_id}/close": OperationExample(
            parameters={"project_id": "kitchen"}
        ),
        "DELETE /v1/projects/{project_id}": OperationExample(
            parameters={"project_id": "kitchen", "dry_run": True}
        ),
        "POST /v1/forget-topic": OperationExample(body={"topic": "peanuts", "dry_run": True}),
        "POST /v1/forget-everything": OperationExample(
            body={"confirm_user_id": "nadia", "dry_run": True}
        ),
    }
)
