"""Canaries that one scope was told and nobody else: a word in everything that is kept, with the ids of all of it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from palimpsest.model.profile import Profile, profile_id
from palimpsest.model.scope import Scope
from palimpsest.model.turn import turn_id
from palimpsest.model.user import Language
from palimpsest_server.stores.mongo.profiles import MongoProfiles
from tests.support.services.host.guarded_routes import ServedRoute, write_scope_headers
from tests.support.services.host.in_process_product import InProcessProduct

QUESTION = "What is the songbird called?"
_NAME = re.compile(r"songbird\d\d")


@dataclass(frozen=True)
class ScopeCanary:
    name: str
    scope: Scope
    ids: Mapping[str, str]
    """Ids by the name of the parameter in a path."""


def found_canaries(text: str) -> set[str]:
    return set(_NAME.findall(text))


async def plant(product: InProcessProduct, number: int, scope: Scope) -> ScopeCanary:
    """Tell a scope something in every way there is, and leave traces of it everywhere."""
    name, session = f"songbird{number:02}", f"session {number}"
    whose = scope.model_dump(exclude_none=True)

    async def tell(path: str, body: Any, **more: str) -> dict[str, Any]:
        answer = await product.ask("POST", path, params={**whose, **more}, json=body)
        assert answer.status_code in {200, 201}, (path, answer.status_code, answer.text)
        return dict(answer.json())

    memory = await tell(
        "/v1/memories", {"content": f"The songbird is called {name}", "entities": [name]}
    )
    todo = await tell("/v1/todos", {"content": f"Feed the songbird {name}"})
    question = await tell("/v1/questions", {"query": f"Does {name} sing?"})
    ids = {
        "question_id": question["id"],
        "memory_id": memory["memory"]["id"],
        "change_set_id": memory["change_set_id"],
        "todo_id": todo["todo"]["id"],
        "session_id": session,
        "turn_id": turn_id(scope.user_id, session, "1"),
        "project_id": scope.project_id or "none",
    }
    if scope.agent_id is None and scope.project_id is None:
        hook = await tell("/v1/webhooks", {"url": f"https://{name}.example/"})
        ids["webhook_id"] = hook["id"]
    said = {**whose, "session_id": session, "occurred_at": product.clock().isoformat()}
    message = {**said, "type": "MessageAdded", "role": "user"}
    events = [
        {**message, "message_id": "1", "text": f"The songbird at home is called {name}."},
        {**message, "message_id": "2", "text": f"Does {name}, the songbird, eat seeds?"},
        {**said, "type": "SummaryPublished", "text": f"They spoke of the songbird {name}"},
    ]
    answer = await product.ask("POST", "/v1/events", json={"events": events})
    assert answer.status_code == 202, answer.text
    await product.settle()
    if scope.project_id is None:
        await MongoProfiles(product.platform.database).write([_profile(product, scope, name)])
    recalled = await product.ask("POST", "/v1/recall", json={**whose, "query": f"songbird {name}"})
    assert name in recalled.text
    await product.settle()
    return ScopeCanary(name, scope, ids)


def _profile(product: InProcessProduct, scope: Scope, name: str) -> Profile:
    return Profile(
        id=profile_id(scope.user_id, 0, 1, scope.agent_id),
        user_id=scope.user_id,
        agent_id=scope.agent_id,
        isolated=True,
        version=1,
        narrative=f"They have a songbird, {name}.",
        basic_info={},
        summaries_through=product.clock(),
        revision=1,
        language=Language.ENGLISH,
        made_by="local",
        made_at=product.clock(),
        epoch=0,
    )


@dataclass(frozen=True)
class Attempt:
    """A request for the things of one canary, as seen from a scope."""

    route: ServedRoute
    canary: ScopeCanary
    named: Scope

    async def send(self, product: InProcessProduct, key: str) -> Any:
        named = self.named.model_dump(exclude_none=True)
        path = self.route.path
        for parameter, value in self.canary.ids.items():
            path = path.replace(f"{{{parameter}}}", value)
        for parameter in ("user_id", "agent_id"):
            path = path.replace(f"{{{parameter}}}", named.get(parameter, "none"))
        path = path.replace("{webhook_id}", "none").replace("{key_id}", "none")
        query = {name: value for name, value in named.items() if name in self.route.query}
        if "dry_run" in self.route.query:
            query["dry_run"] = "true"
        request: dict[str, Any] = {"params": query}
        if self.route.need.in_headers:
            request["headers"] = write_scope_headers(**named)
        if self.route.path.startswith("/mcp/"):
            request["headers"] = {"accept": "application/json, text/event-stream"}
        if self.route.name in _BODIES:
            body = _BODIES[self.route.name](self.canary)
            request["json"] = {**body, **named} if self.route.need.in_body else body
            if self.route.name == "POST /v1/events":
                request["json"] = {"events": [{**body, **named}]}
        return await product.ask(self.route.method, path, key=key, **request)


def _message(canary: ScopeCanary) -> dict[str, Any]:
    return {
        "type": "MessageAdded",
        "session_id": canary.ids["session_id"],
        "message_id": "told later",
        "role": "user",
        "text": "I was told this by somebody else.",
        "occurred_at": "2026-03-02T09:30:00Z",
    }


def _tool_call(name: str, **arguments: str) -> dict[str, Any]:
    call = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}


def _exported(canary: ScopeCanary) -> dict[str, Any]:
    """A memory of an export, of whom this canary is."""
    said = "Somebody else has exported this"
    at = "2026-03-02T09:30:00Z"
    return {
        "id": f"exported by {canary.scope.user_id}",
        "scope": canary.scope.model_dump(),
        "kind": "fact",
        "content": said,
        "summary": said,
        "importance": 0.5,
        "confidence": 1.0,
        "lifetime": "working",
        "source": "user_input",
        **dict.fromkeys(("occurred_at", "valid_from", "recorded_at"), at),
        "evidence": [{"quote": said, "origin": "command"}],
        "status": "active",
        "epoch": 0,
    }


_BODIES: Mapping[str, Any] = {
    "POST /v1/events": _message,
    "POST /v1/feedback": lambda c: {"verdict": "wrong", "memory_ids": [c.ids["memory_id"]]},
    "POST /mcp/{user_id}": lambda _: _tool_call("recall", query=QUESTION),
    "POST /mcp/{user_id}/{agent_id}": lambda _: _tool_call("list_memories"),
    "POST /v1/chat/completions": lambda _: {"messages": [{"role": "user", "content": QUESTION}]},
    "POST /v1/messages": lambda _: {"messages": [{"role": "user", "content": QUESTION}]},
    "POST /v1/memories/bulk": lambda c: {
        "memory_ids": [c.ids["memory_id"]],
        "action": "forget",
    },
    "POST /v1/import": lambda c: {"memories": [{"memory": _exported(c)}]},
    "POST /v1/extractions/preview": lambda _: {"messages": [{"text": "I moved to Oslo."}]},
    "POST /v1/extractions/answer": lambda c: {
        "query": QUESTION,
        "memory_ids": [c.ids["memory_id"]],
    },
    "POST /v1/questions": lambda _: {"query": QUESTION},
    "POST /v1/recall": lambda _: {
        "query": QUESTION,
        "include": ["history", "graph", "explanation"],
    },
    "POST /v1/context": lambda c: {"query": QUESTION, "session_id": c.ids["session_id"]},
    "POST /v1/memories": lambda _: {"content": "Somebody else has written this"},
    "POST /v1/memories/merge": lambda c: {
        "memory_ids": [c.ids["memory_id"], c.ids["todo_id"]],
        "content": "merged by somebody else",
    },
    "PATCH /v1/memories/{memory_id}": lambda _: {"content": "edited by somebody else"},
    "POST /v1/memories/{memory_id}/relations": lambda c: {
        "other_id": c.ids["todo_id"],
        "relation": "supports",
    },
    "POST /v1/todos": lambda _: {"content": "Do what somebody else has asked"},
    "POST /v1/todos/{todo_id}/snooze": lambda _: {"until": "2030-01-01T09:00:00Z"},
    "PUT /v1/settings": lambda _: {"citations": True},
    "PUT /v1/settings/tier": lambda _: {"tier": "growth"},
    "POST /v1/forget-everything": lambda _: {"dry_run": True},
    "POST /v1/forget-topic": lambda _: {"topic": "songbird", "at_least": 0.6, "dry_run": True},
    "POST /v1/webhooks": lambda _: {"url": "https://somebody.example/", "content": True},
    "PATCH /v1/webhooks/{webhook_id}": lambda _: {"url": "https://somebody.example/"},
    "POST /v1/webhooks/{webhook_id}/replay": lambda _: {},
    "POST /v1/dead-letters/replay": lambda _: {},
    "POST /v1/keys": lambda _: {"name": "a key of somebody else"},
    "POST /v1/tokens": lambda c: {"user_id": c.scope.user_id},
}
"""Bodies that make a request valid; a route that needs a body and has none here fails the test."""


def visible_names(canaries: Iterable[ScopeCanary], user_id: str, agent_id: str | None) -> set[str]:
    """The canaries that a key of this user, or of this agent, may see."""
    return {
        canary.name
        for canary in canaries
        if canary.scope.user_id == user_id
        and (agent_id is None or canary.scope.agent_id in {None, agent_id})
    }
