"""Playground: talk to a stand-in that says what it recalls, or to the deployment's model, and see what is remembered."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.responses import Response

from palimpsest.api.recall import RecallResponse, RecordType
from palimpsest.client import Message
from palimpsest.client.errors import ClientError, Conflict
from palimpsest.model.turn import Role
from services.page.page_routes import PageRoute
from services.page.session_effects import collect_effects
from services.page.visit import Visit

MAXIMUM_CITATIONS = 5
"""The most memories that a reply cites."""
MAXIMUM_EARLIER = 20
"""The most earlier messages that a model is shown again."""
_SPEAKERS = frozenset({"user", "assistant"})


@dataclass(frozen=True)
class ModelReply:
    """The words of a model."""

    text: str | None = None
    """None if it gave no answer, or none yet."""
    is_coming: bool = False


@dataclass(frozen=True)
class Exchange:
    """A message of the visitor, and what is recalled for it."""

    text: str
    session_id: str
    is_incognito: bool
    answer: RecallResponse
    place: str
    """The id of the element of the reply."""


async def show(visit: Visit) -> Response:
    """Begin a conversation of its own."""
    models, is_away = await _list_models(visit)
    return visit.render(
        "playground.html",
        session_id=f"playground-{uuid4()}",
        remembered=(),
        models=models,
        is_away=is_away,
    )


async def say(visit: Visit) -> Response:
    """Reply with what is recalled, or word by word as the model does; have the message remembered.

    What is incognito is not remembered.
    """
    text, session_id = visit.form.get("text", "").strip(), visit.form.get("session_id", "")
    is_incognito = "incognito" in visit.form
    scope = visit.scope()
    answer = await visit.client.recall(
        text,
        **scope,
        records=(RecordType.MEMORY,),
        limit=MAXIMUM_CITATIONS,
        incognito=is_incognito,
    )
    exchange = Exchange(text, session_id, is_incognito, answer, f"reply-{uuid4()}")
    if model := visit.form.get("model"):
        return visit.render_parts(_stream_reply(visit, model, exchange))
    if not is_incognito:
        message = Message(message_id=str(uuid4()), role=Role.USER, text=text)
        await visit.client.save_conversation([message], session_id=session_id, **scope)
        await visit.client.extract(session_id, user_id=scope["user_id"])
    return visit.render("playground/said.html", exchange=exchange, reply=None)


async def show_remembered(visit: Visit) -> Response:
    """Show what was remembered of this conversation so far."""
    session_id = visit.query.get("session_id", "")
    return visit.render(
        "playground/remembered.html",
        session_id=session_id,
        remembered=await _read_remembered(visit, session_id),
    )


async def remember(visit: Visit) -> Response:
    """Remember one message as it is."""
    result = await visit.client.add(visit.form.get("text", ""), **visit.scope())
    return visit.render(
        "toast.html",
        text=visit.word("playground.remembered_this"),
        change_set_id=result.change_set_id,
    )


async def _list_models(visit: Visit) -> tuple[tuple[str, ...], bool]:
    """Return the models of the deployment, and whether there are some that do not answer now."""
    session = visit.session
    try:
        return await visit.client.chats.models(session.user_id, agent_id=session.agent_id), False
    except Conflict:
        return (), False
    except ClientError:
        return (), True


async def _stream_reply(visit: Visit, model: str, exchange: Exchange) -> AsyncIterator[str]:
    """Yield the message with room for a reply, its words as they come, and the reply as it stays."""
    yield visit.write("playground/said.html", exchange=exchange, reply=ModelReply(is_coming=True))
    earlier = read_earlier(visit.form.getlist("earlier"), with_incognito=exchange.is_incognito)
    said = ""
    # What was said so far stays, if the model breaks off.
    with suppress(ClientError):
        coming = visit.client.chats.stream(
            [*earlier, {"role": "user", "content": exchange.text}],
            model=model,
            **visit.scope(),
            session_id=exchange.session_id,
            incognito=exchange.is_incognito,
        )
        async with aclosing(coming):
            async for words in coming:
                said += words
                yield visit.write("playground/words.html", exchange=exchange, words=words)
    if not exchange.is_incognito:
        with suppress(ClientError):
            await visit.client.extract(exchange.session_id, user_id=visit.session.user_id)
    reply = ModelReply(said or None)
    yield visit.write("playground/reply.html", exchange=exchange, reply=reply)


def read_earlier(written: Sequence[str], *, with_incognito: bool) -> list[Mapping[str, str]]:
    """Return the latest messages of a dialogue as the page wrote them into its form.

    Incognito ones are shown to a model with incognito ones alone.
    """
    messages: list[Mapping[str, str]] = []
    for line in written:
        try:
            role, content, is_incognito = json.loads(line)
        except (ValueError, TypeError):
            continue
        if role in _SPEAKERS and isinstance(content, str) and (with_incognito or not is_incognito):
            messages.append({"role": role, "content": content})
    return messages[-MAXIMUM_EARLIER:]


async def _read_remembered(visit: Visit, session_id: str) -> list[dict[str, Any]]:
    user_id, agent_id = visit.session.user_id, visit.session.agent_id
    changes = await visit.client.sessions.changes(session_id, user_id=user_id, agent_id=agent_id)
    preview = await visit.client.undo_session(
        session_id, user_id=user_id, agent_id=agent_id, dry_run=True
    )
    return [
        {"change_set_id": change_set.id, "effect": effect}
        for change_set in changes.changes
        for effect in collect_effects([change_set], preview)
        if not effect.is_taken_back
    ]


ROUTES = (
    PageRoute("/playground", show),
    PageRoute("/playground/say", say, "POST"),
    PageRoute("/playground/remembered", show_remembered),
    PageRoute("/playground/remember", remember, "POST"),
)
