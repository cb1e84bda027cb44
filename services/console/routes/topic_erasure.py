"""Forgetting a topic: what would go is shown, with how sure it is, and then it goes."""

from collections.abc import Iterable, Sequence

from fastapi import APIRouter, Response

from palimpsest.api.command_requests import (
    ForgetTopicRequest,
    ForgetTopicResult,
    TopicSearchHit,
    TopicSearchResult,
)
from palimpsest.api.resources import CommandResult
from palimpsest.events.commands import ForgetTopic
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import (
    COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
    build_unique_command,
)
from services.console.command_runner import CommandRunner
from services.console.dependent_memories import DependentMemoryFinder
from services.console.routes.settings import SettingsQueryParameter
from services.console.topic_search import MAXIMUM_MEMORIES_PER_CHANGE_SET, TopicSearch

MAXIMUM_SEARCHES = 3
"""The most searches for one topic. Records that were on their way at the first search are found by
the second. After the first command nothing new comes from what it erased.
"""

_FIELDS = {
    "memory": "memory_ids",
    "turn": "turn_ids",
    "summary": "summary_ids",
    "request": "request_ids",
    "dead_letter": "dead_letter_ids",
    "question": "question_ids",
}


class TopicErasure:
    def __init__(
        self,
        topics: TopicSearch,
        resting: DependentMemoryFinder,
        commands: CommandRunner,
        clock: Clock,
    ) -> None:
        self._topics = topics
        self._resting = resting
        self._commands = commands
        self._clock = clock

    async def look(self, user_id: str, request: ForgetTopicRequest) -> ForgetTopicResult:
        result = await self._topics.find(user_id, request.topic)
        going = [
            topic_search_hit
            for topic_search_hit in result.found
            if topic_search_hit.sure >= request.at_least
        ]
        return ForgetTopicResult(topic=result, also_said=await self._also_said(user_id, going))

    async def forget(
        self, user_id: str, request: ForgetTopicRequest, response: Response, key: str | None
    ) -> ForgetTopicResult:
        """Erase everything that is certain to be on the topic, with records that arrive meanwhile."""
        gone: dict[tuple[str, str], TopicSearchHit] = {}
        result: CommandResult | None = None
        by_meaning = True
        for number in range(MAXIMUM_SEARCHES):
            found = await self._topics.find(user_id, request.topic)
            by_meaning = by_meaning and found.by_meaning
            going = _at_once(
                topic_search_hit
                for topic_search_hit in found.found
                if topic_search_hit.sure >= request.at_least
                and (topic_search_hit.record, topic_search_hit.id) not in gone
            )
            if result is not None and not going:
                break
            event = await self._command(user_id, going, key, number)
            if not going and key is None:
                # With a key, an earlier attempt may have erased what this one does not find.
                result = CommandResult(command_id=event.event_id, applied=True)
                break
            done = await answer_command(self._commands, event, response)
            gone |= {
                (topic_search_hit.record, topic_search_hit.id): topic_search_hit
                for topic_search_hit in going
            }
            result = done if result is None else _both(result, done)
            if not done.applied or not going:
                break
        found = TopicSearchResult(found=tuple(gone.values()), by_meaning=by_meaning)
        also_said = await self._also_said(user_id, list(gone.values()))
        return ForgetTopicResult(topic=found, result=result, also_said=also_said)

    async def _also_said(self, user_id: str, going: Sequence[TopicSearchHit]) -> tuple[Memory, ...]:
        ids = _ids(going)
        return await self._resting.on(user_id, ids["turn_ids"], besides=ids["memory_ids"])

    async def _command(
        self, user_id: str, going: Sequence[TopicSearchHit], key: str | None, number: int
    ) -> ForgetTopic:
        ids = _ids(going)
        shown = await self._topics.shown_in(user_id, ids["turn_ids"])
        ids["summary_ids"] = tuple(dict.fromkeys((*ids["summary_ids"], *shown.summary_ids)))
        return build_unique_command(
            ForgetTopic,
            user_id,
            f"{key} {number}" if key and number else key,
            str(number),
            now=self._clock(),
            window_ids=shown.window_ids,
            **ids,
        )


def build_router(
    topics: TopicSearch, resting: DependentMemoryFinder, commands: CommandRunner, clock: Clock
) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["erasing"])
    forgetting = TopicErasure(topics, resting, commands, clock)

    @router.post(
        "/forget-topic",
        openapi_extra=declare_permission(Permission.ERASE),
        responses=COMMAND_RESPONSES,
    )
    async def forget_topic(
        whose: SettingsQueryParameter,
        request: ForgetTopicRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> ForgetTopicResult:
        """Erase for good what a user said and what is remembered on a topic, in all scopes.

        Look at a dry run first. Up to 1,500 memories at once: ask again until
        nothing is found. Memories that rest on messages that go and are not on
        the topic themselves stay, and are answered as `also_said`.
        """
        if request.dry_run:
            return await forgetting.look(whose.user_id, request)
        return await forgetting.forget(whose.user_id, request, response, idempotency_key)

    return router


def _ids(hits: Sequence[TopicSearchHit]) -> dict[str, tuple[str, ...]]:
    return {
        field: tuple(
            topic_search_hit.id for topic_search_hit in hits if topic_search_hit.record == record
        )
        for record, field in _FIELDS.items()
    }


def _at_once(hits: Iterable[TopicSearchHit]) -> list[TopicSearchHit]:
    """Return as many memories as one change set takes, with all other hits."""
    memories: list[TopicSearchHit] = []
    others: list[TopicSearchHit] = []
    for topic_search_hit in hits:
        (memories if topic_search_hit.record == "memory" else others).append(topic_search_hit)
    return [*memories[:MAXIMUM_MEMORIES_PER_CHANGE_SET], *others]


def _both(first: CommandResult, then: CommandResult) -> CommandResult:
    """Merge two results: the changes of both, and the lesser progress."""
    changed = (first.changed or 0) + (then.changed or 0)
    return then.model_copy(
        update={
            "command_id": first.command_id,
            "changed": changed,
            "revision": then.revision or first.revision,
        }
    )
