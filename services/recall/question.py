"""A question: who asks, where, for what time, in vectors; and what is asked of the projection."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from math import ceil, floor

from palimpsest.api.recall import DEFAULT_RECORD_TYPES, RecallRequest, RecordType
from palimpsest.model.memory import HELD_STATUSES, Status
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from palimpsest.model.user import UserState
from palimpsest_language.question_intents.attribute_questions import (
    RELATION_ATTRIBUTES,
    AttributeQuestion,
)
from palimpsest_language.question_intents.question_times import TimeSpan, is_span_over
from palimpsest_language.question_intents.repeated_question import normalize_question
from palimpsest_server.domain.ranking.policies.summary_selection import SUMMARIES_ON_REQUEST
from palimpsest_server.domain.ranking.term_overlap import TermRarities
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.embedders.topic_directions import TopicQuery
from palimpsest_server.stores.vectors import VectorQuery

FOUND_OR_LEADING_ON = frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.FORGOTTEN})
"""What no longer holds is looked at too: it leads to what does, and tells which turns are out of date."""

_TURNS = frozenset({RecordType.TURN})
_TALKS = frozenset({RecordType.SUMMARY})
_MEMORIES = frozenset({RecordType.MEMORY})

BOUNDING = 40
"""Memories that are looked for by the themes of a question, in each arm."""


@dataclass(frozen=True, kw_only=True)
class Question:
    request: RecallRequest
    scopes: tuple[Scope, ...]
    records: frozenset[RecordType]
    vectors: QueryVectors
    words: int
    """Different words with a meaning, those of the context by their weight."""
    rarities: TermRarities | None
    """Of its terms, by which the gate judges Chinese questions; None for others."""
    times: tuple[TimeSpan, ...]
    """Those that it names."""
    of_its_times: bool
    """Whether it asks for what lies in them, whatever that is."""
    looks_back: bool
    """Whether what no longer holds is asked for."""
    last_time: bool
    """Whether an earlier conversation is asked about, which its summary tells."""
    asked: AttributeQuestion | None
    """The attribute that it asks for, where it does; None as well where that is not to be told."""
    just_said_by: Role | None
    """Whose words of a moment ago are asked for, and nothing else."""
    to_do: bool
    """Whether all that is still to be done is asked for, and nothing else."""
    lead: TopicQuery | None
    """To the memories that bound its answer, by its themes; None where it shows none."""
    state: UserState
    now: datetime

    @cached_property
    def sight(self) -> Visibility:
        return Visibility(
            scopes=self.scopes,
            kinds=self.request.kinds,
            now=self.now,
            as_of=self.request.as_of,
            past=self.looks_back,
            state=self.state,
            since=self.request.since,
            until=self.request.until,
            within=self.times if self.of_its_times else (),
            then=self.over,
            # Who asks for messages alone may look for that one: to see whether it is found yet.
            question=""
            if self.request.records == _TURNS
            else normalize_question(self.request.query),
        )

    @cached_property
    def over(self) -> tuple[TimeSpan, ...]:
        """The times that it names and that are over."""
        return tuple(span for span in self.times if is_span_over(span, self.now))

    @property
    def asks_who(self) -> bool:
        """Whether it asks who somebody is, and for nothing else."""
        return self.asked is not None and self.asked.attributes == RELATION_ATTRIBUTES

    @property
    def of_the_past(self) -> bool:
        """Whether what was comes before what is: it asks for it, or for a time that is over."""
        return self.looks_back or bool(self.over)

    def queries(self, *, limit: int, of_a_time: int) -> list[VectorQuery]:
        """All that is asked of the projection in one round trip.

        Args:
            limit: finds of each arm.
            of_a_time: the same of what lies in a time that the question names, beside all else.
        """
        if self.of_its_times:
            records = (
                self.records | _TALKS if self.records >= DEFAULT_RECORD_TYPES else self.records
            )
            asked = [
                self.query(limit=limit, records=frozenset({record}), time=span)
                for span in self.times
                for record in sorted(records)
            ]
        else:
            asked = [self.query(limit=limit)]
            asked += [self.query(limit=of_a_time, time=span) for span in self.times]
        if self.last_time:
            then = self.over or (None,)
            asked += [
                self.query(limit=SUMMARIES_ON_REQUEST, records=_TALKS, time=span) for span in then
            ]
        return asked

    def query(
        self,
        *,
        limit: int,
        scopes: tuple[Scope, ...] | None = None,
        records: frozenset[RecordType] | None = None,
        time: TimeSpan | None = None,
    ) -> VectorQuery:
        """Asked of the projection; `time` narrows it further."""
        asked_for = (_second(self.request.since, floor), _second(self.request.until, ceil))
        times = self.times if self.of_its_times else ((None, None),)
        since, until = _narrowed(asked_for, time or _around(times))
        return VectorQuery(
            scopes=self.scopes if scopes is None else scopes,
            records=self.records if records is None else records,
            statuses=FOUND_OR_LEADING_ON if self.request.as_of is None else HELD_STATUSES,
            kinds=self.request.kinds,
            dense=self.vectors.dense,
            sparse=self.vectors.sparse,
            since=since,
            until=until,
            limit=limit,
        )

    def bounding(self, scopes: tuple[Scope, ...] | None = None) -> list[VectorQuery]:
        """What is asked of the projection besides, for memories of its themes that hold; nothing without any."""
        if self.lead is None:
            return []
        query = self.query(limit=BOUNDING, scopes=scopes, records=_MEMORIES)
        lead, holding = self.lead, self.sight.statuses
        return [replace(query, dense=lead.dense, sparse=lead.sparse, statuses=holding)]


def _second(moment: datetime | None, whole: Callable[[float], int]) -> int | None:
    """The projection knows whole seconds: it is asked for those that the moment cuts too."""
    return None if moment is None else whole(moment.timestamp())


def _around(times: tuple[TimeSpan, ...]) -> TimeSpan:
    """From the first of them to the last."""
    starts, ends = zip(*times, strict=True)
    return (
        None if None in starts else min(starts),
        None if None in ends else max(ends),
    )


def _narrowed(one: TimeSpan, other: TimeSpan) -> TimeSpan:
    starts = [start for start, _ in (one, other) if start is not None]
    ends = [end for _, end in (one, other) if end is not None]
    return (max(starts, default=None), min(ends, default=None))
