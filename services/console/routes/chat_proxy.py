"""Chats passed on to a vendor with memory, and its list of models.

`POST /v1/chat/completions`, `POST /v1/messages` and `GET /v1/models`.
"""

from typing import Any

from fastapi import APIRouter, Request, Response

from palimpsest.api.resources import Problem
from palimpsest.model.permissions import Permission
from palimpsest_server.runtime.http import declare_permission
from palimpsest_server.runtime.http.body_limit import LARGE_BODIES
from palimpsest_server.runtime.http.scope_headers import (
    INCOGNITO_HEADER,
    KEY_HEADER,
    SCOPE_HEADERS,
)
from services.console.chat_proxy.chat_proxy import ChatProxy

_DESCRIPTION = """
The body and the answer are {vendor}'s own, streams included; both are passed on to the upstream of
the settings and back. With `X-Palimpsest-User` what is remembered of this user and matters for the
last words is put behind the instructions, between marks that keep it from being remembered again;
after the reply what the user said and what was answered are kept as a conversation. Without these
headers, and with `X-Palimpsest-Incognito: true`, nothing is read and nothing kept. `Authorization` is the upstream's: a key of Palimpsest
goes in `X-Palimpsest-Key`.

Where memory does not answer in time the chat goes on without it. Errors of the upstream come as
they are. **409**: no upstream is set. **503**: the upstream does not answer.
"""

_WORDS = {
    "user_id": "The user whose memory this is.",
    "agent_id": "The agent that the user talks to.",
    "project_id": "The project that they talk about.",
    "session_id": "The conversation; else it follows from its first words and the day.",
}


def build_router(openai: ChatProxy, anthropic: ChatProxy) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["proxies"])

    def add(path: str, proxy: ChatProxy, vendor: str) -> None:
        async def pass_on(request: Request) -> Response:
            return await proxy.answer(request)

        router.add_api_route(
            path,
            pass_on,
            methods=["POST"],
            name=f"chat through {vendor}",
            summary=f"Chat through {vendor}, with memory",
            description=_DESCRIPTION.format(vendor=vendor),
            response_class=Response,
            responses={
                200: {"description": f"{vendor}'s answer."},
                409: {"model": Problem, "description": "No upstream is set."},
                "default": {"description": f"{vendor}'s error, as it came."},
            },
            openapi_extra={
                **declare_permission(Permission.READ, scope_in_headers=True),
                LARGE_BODIES: True,
                **_describe_request(),
            },
        )

    add("/chat/completions", openai, "OpenAI")
    add("/messages", anthropic, "Anthropic")

    @router.get(
        "/models",
        summary="List the models of the upstream",
        response_class=Response,
        responses={
            200: {"description": "The upstream's answer."},
            409: {"model": Problem, "description": "No upstream is set."},
            "default": {"description": "The upstream's error, as it came."},
        },
        openapi_extra=declare_permission(Permission.READ, scope_in_headers=True),
    )
    async def list_models(request: Request) -> Response:
        """Pass the list of models on as it is: of Anthropic if its header `anthropic-version` is shown."""
        vendor = anthropic if "anthropic-version" in request.headers else openai
        return vendor.list_models(request)

    return router


def _describe_request() -> dict[str, Any]:
    named = {SCOPE_HEADERS[field]: words for field, words in _WORDS.items()}
    named[INCOGNITO_HEADER] = "`true` to read nothing and keep nothing, whoever is named."
    named[KEY_HEADER] = "A key or token of Palimpsest, where keys are asked for."
    parameters = [
        {"name": name, "in": "header", "schema": {"type": "string"}, "description": words}
        for name, words in named.items()
    ]
    body = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
    return {"parameters": parameters, "requestBody": body}
