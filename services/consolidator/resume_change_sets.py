"""Finishes a user's unfinished change sets before new ones are decided."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from palimpsest.events.envelope import Event
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import change_set_id
from palimpsest.model.errors import PermanentError
from palimpsest.model.user import UserState
from palimpsest_server.stores.change_sets import ChangeSetStore, DecidedChangeSet
from palimpsest_server.stores.user_states import UserStates
from services.consolidator.event_contents import collect_event_vectors, select_change_set_vectors
from services.consolidator.finish_change_sets import ChangeSetFinisher
from services.consolidator.finished_revisions import FinishedRevisions


class ChangeSetResumer:
    def __init__(
        self,
        *,
        users: UserStates,
        change_sets: ChangeSetStore,
        finishing: ChangeSetFinisher,
        lines: FinishedRevisions,
        model: str | None,
    ) -> None:
        self._users = users
        self._change_sets = change_sets
        self._finishing = finishing
        self._lines = lines
        self._model = model

    async def resumed(
        self, events: Sequence[Event], states: Mapping[str, UserState]
    ) -> Mapping[str, UserState]:
        """Finish the unfinished change sets of these events' users; return the users' states after it."""
        self._lines.forget(self._finishing.untold)
        unknown = self._lines.unknown({event.user_id for event in events})
        if not unknown:
            return states
        await self._finishing.noted()
        heads = await self._change_sets.heads(unknown)
        unfinished = await self._change_sets.read(
            [
                change_set_id
                for head in heads.values()
                for change_set_id, progress in head.unfinished.items()
                if self._finishing.can_finish(progress)
            ]
        )
        await self._finishing.resume(self._with_vectors(unfinished, events, states), states)
        self._finishing.told(unknown)
        self._lines.stand_at({user_id: head.revision for user_id, head in heads.items()})
        # The states read before may be older than the revisions that are known now.
        return {**states, **await self._users.of(unknown)}

    def _with_vectors(
        self,
        unfinished: Sequence[DecidedChangeSet],
        events: Sequence[Event],
        states: Mapping[str, UserState],
    ) -> Sequence[DecidedChangeSet]:
        """Return the change sets with vectors that their redelivered events bring."""
        event_of = {change_set_id(event.user_id, event.event_id): event for event in events}
        return [
            decided_change_set
            if decided_change_set.vectors or decided_change_set.change_set.id not in event_of
            else replace(
                decided_change_set,
                vectors=self._vectors_of(
                    decided_change_set, event_of[decided_change_set.change_set.id], states
                ),
            )
            for decided_change_set in unfinished
        ]

    def _vectors_of(
        self, decided: DecidedChangeSet, event: Event, states: Mapping[str, UserState]
    ) -> Mapping[str, TextVectors]:
        try:
            brought = collect_event_vectors(event, states[event.user_id].settings, self._model)
        except PermanentError:
            return {}
        return select_change_set_vectors(decided.change_set, brought)
