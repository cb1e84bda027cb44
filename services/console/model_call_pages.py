"""Single calls of language models for people, each with what followed from the request it belongs to."""

from collections.abc import Mapping
from datetime import date

from palimpsest.api.model_calls import ModelCallList, ModelCallQuery, ModelCallRow
from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    ExtractorAnswer,
    JudgementProposed,
    ProfileProposed,
    ReflectionsProposed,
    SummaryProposed,
)
from palimpsest.model.change_set import ChangeSet, change_set_id
from palimpsest.model.usage import ModelCall
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.usage import CallPageQuery, UsageReader
from palimpsest_server.stores.user_states import UserStates
from services.console.agent_view import is_seen_by_agent, restrict_to_agent

ANSWERS: Mapping[str, type[ExtractorAnswer]] = {
    ModelTask.EXTRACTION: CandidatesProposed,
    ModelTask.SUMMARY: SummaryProposed,
    ModelTask.PROFILE: ProfileProposed,
    ModelTask.JUDGEMENT: JudgementProposed,
    ModelTask.REFLECTION: ReflectionsProposed,
}
"""The answer that is proposed once a request of a task is done."""


class ModelCallPages:
    """Reads pages of calls, and the changes that followed from them."""

    def __init__(self, usage: UsageReader, change_sets: ChangeSetReader, users: UserStates) -> None:
        self._usage = usage
        self._change_sets = change_sets
        self._users = users

    async def page(self, query: ModelCallQuery, *, since: date, until: date) -> ModelCallList:
        """Return a page of a user's calls; those from before an erasure of everything are left out."""
        epoch = (await self._users.of([query.user_id]))[query.user_id].epoch
        calls = await self._usage.page(
            CallPageQuery(
                user_id=query.user_id,
                agent_id=query.agent_id,
                epoch=epoch,
                since=since,
                until=until,
                limit=query.limit + 1,
                behind=query.cursor,
            )
        )
        page = calls[: query.limit]
        made = {call.id: derive_change_set_id(call) for call in page}
        wanted = [change_set for change_set in dict.fromkeys(made.values()) if change_set]
        decided = {
            change_set.id: restrict_to_agent(change_set, query.agent_id)
            for change_set in await self._change_sets.by_ids(wanted)
            if change_set.epoch >= epoch and is_seen_by_agent(change_set, query.agent_id)
        }
        return ModelCallList(
            calls=tuple(build_row(call, decided.get(made[call.id] or "")) for call in page),
            next_cursor=page[-1].id if len(calls) > len(page) else None,
        )


def derive_change_set_id(call: ModelCall) -> str | None:
    """Return the id of the change that follows from a call's request; None if none can follow."""
    answer = ANSWERS.get(call.task)
    if answer is None or call.user_id is None or call.request_id is None or call.failure:
        return None
    return change_set_id(call.user_id, answer.derive_id(call.user_id, call.request_id))


def build_row(call: ModelCall, change_set: ChangeSet | None) -> ModelCallRow:
    """Build the row of a call with the change that followed from it; None if it changed nothing yet."""
    fields = {
        name: getattr(call, name) for name in ModelCallRow.model_fields if hasattr(call, name)
    }
    if change_set is None:
        return ModelCallRow(**fields)
    return ModelCallRow(
        **fields,
        change_set_id=change_set.id,
        session_id=change_set.cause.session_id,
        memory_ids=tuple(change.after.id for change in change_set.memory_changes),
    )
