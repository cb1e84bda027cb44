"""The kinds of memory: one table for everything that depends on kinds.

A new kind is a member of `Kind` and a row of `KINDS`. The row states every property, and the
program does not start while one is missing. Prompts describe a kind to models by the hint in its
row.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator
from pydantic_core import CoreSchema, core_schema

from palimpsest.model.kind_properties import (
    TIMELESS,
    EvidenceSource,
    KindProperties,
    KindTimes,
    Lifetime,
    MemoryFile,
    ModelHint,
    ProfilePart,
    SectionTitle,
    SharingLevel,
    Wording,
)


class Kind(StrEnum):
    PREFERENCE = "preference"
    FACT = "fact"
    PERSON = "person"
    GOAL = "goal"
    EVENT = "event"
    DECISION = "decision"
    CONCLUSION = "conclusion"
    ACTION_ITEM = "action_item"
    LESSON = "lesson"
    SKILL = "skill"
    PATTERN = "pattern"
    INSIGHT = "insight"
    FEEDBACK = "feedback"
    CONTEXT = "context"

    @property
    def properties(self) -> KindProperties:
        return KINDS[self]

    @property
    def times(self) -> KindTimes:
        return KINDS[self].times

    def has(self, wording: Wording) -> bool:
        """Tell whether sentences of this kind have this property."""
        return wording in KINDS[self].wording


DECISIONS = SectionTitle(chinese="相关决策", english="Related Decisions")
PREFERENCES = SectionTitle(chinese="用户偏好", english="User Preferences")
CONCLUSIONS = SectionTitle(chinese="历史结论", english="Earlier Conclusions")
INSIGHTS = SectionTitle(chinese="数据洞察", english="Data Insights")
FACTS = SectionTitle(chinese="用户信息", english="Known Facts")
PEOPLE = SectionTitle(chinese="相关人物", english="People")
GOALS = SectionTitle(chinese="目标计划", english="Goals")
EVENTS = SectionTitle(chinese="重要事件", english="Events")
TODOS = SectionTitle(chinese="待办事项", english="To Do")
LESSONS = SectionTitle(chinese="经验教训", english="Lessons")
SKILLS = SectionTitle(chinese="成功做法", english="Proven Skills")
PATTERNS = SectionTitle(chinese="行为模式", english="User Patterns")
CIRCUMSTANCES = SectionTitle(chinese="当前情境", english="Current Context")

_USER = frozenset({EvidenceSource.USER})
_BOTH = frozenset({EvidenceSource.USER, EvidenceSource.AGENT})

KINDS: dict[Kind, KindProperties] = {
    Kind.PREFERENCE: KindProperties(
        hint=ModelHint(
            english="what the user likes, dislikes, prefers, how they want to be answered",
            chinese="用户喜欢、不喜欢、偏好什么，希望怎样被回答",
        ),
        importance=0.9,
        lifetime=Lifetime.CORE,
        aliases=("user_preference",),
        file=MemoryFile.MEMORY,
        evidence_from=_USER,
        section=PREFERENCES,
        profile_part=ProfilePart.TASTES,
        sharing=SharingLevel.PERSON,
        is_todo=False,
        is_lasting=True,
        is_always_about_user=True,
        is_about_somebody=True,
        has_weights=True,
        times=KindTimes(
            is_plannable=False,
            is_dated=False,
            is_at_a_time=False,
            is_occurrence=False,
            is_state=True,
            has_clock_time=False,
            may_tell_plan=False,
            may_tell_habit=True,
            has_quantity=False,
            is_habitual=True,
        ),
        wording=Wording.WISH
        | Wording.AGENT_WISH
        | Wording.STANCE
        | Wording.ERRAND
        | Wording.AVERSION
        | Wording.CIRCUMSTANCE,
    ),
    Kind.FACT: KindProperties(
        hint=ModelHint(
            english="about the user's life and work: name, home, job, possessions, health, skills",
            chinese="用户生活与工作的事实：姓名、住处、职业、拥有之物、健康、技能",
        ),
        importance=0.8,
        lifetime=Lifetime.CORE,
        file=MemoryFile.MEMORY,
        evidence_from=_USER,
        section=FACTS,
        profile_part=ProfilePart.IDENTITY,
        sharing=SharingLevel.USER,
        is_todo=False,
        is_lasting=True,
        is_always_about_user=False,
        is_about_somebody=True,
        has_weights=True,
        times=KindTimes(
            is_plannable=False,
            is_dated=True,
            is_at_a_time=False,
            is_occurrence=False,
            is_state=True,
            has_clock_time=False,
            may_tell_plan=True,
            may_tell_habit=True,
            has_quantity=True,
        ),
        wording=Wording.THING
        | Wording.AGENT_WISH
        | Wording.DESCRIPTION
        | Wording.AVERSION
        | Wording.SEPARATION
        | Wording.CIRCUMSTANCE,
    ),
    Kind.PERSON: KindProperties(
        hint=ModelHint(
            english="somebody in the user's life, and what they are to them",
            chinese="用户生活中的人，以及与用户的关系",
        ),
        importance=0.8,
        lifetime=Lifetime.CORE,
        file=MemoryFile.MEMORY,
        evidence_from=_USER,
        section=PEOPLE,
        profile_part=ProfilePart.TASTES,
        sharing=SharingLevel.USER,
        is_todo=False,
        is_lasting=True,
        is_always_about_user=True,
        is_about_somebody=True,
        has_weights=True,
        times=KindTimes(
            is_plannable=False,
            is_dated=True,
            is_at_a_time=False,
            is_occurrence=False,
            is_state=True,
            has_clock_time=False,
            may_tell_plan=False,
            may_tell_habit=False,
            has_quantity=False,
        ),
        wording=Wording.DESCRIPTION | Wording.SMALL_TALK | Wording.SEPARATION,
    ),
    Kind.GOAL: KindProperties(
        hint=ModelHint(
            english="what the user wants to reach",
            chinese="用户想达到的目标",
        ),
        importance=0.7,
        lifetime=Lifetime.WORKING,
        file=MemoryFile.MEMORY,
        evidence_from=_USER,
        section=GOALS,
        profile_part=ProfilePart.PRESENT,
        sharing=SharingLevel.PROJECT,
        is_todo=False,
        is_lasting=True,
        is_always_about_user=False,
        is_about_somebody=True,
        has_weights=True,
        times=KindTimes(
            is_plannable=True,
            is_dated=True,
            is_at_a_time=False,
            is_occurrence=False,
            is_state=False,
            has_clock_time=True,
            may_tell_plan=True,
            may_tell_habit=False,
            has_quantity=True,
        ),
        wording=Wording.STANCE | Wording.NO_TASK | Wording.CIRCUMSTANCE,
    ),
    Kind.EVENT: KindProperties(
        hint=ModelHint(
            english="something that happened or will, with its time",
            chinese="已经发生或将要发生的事，带时间",
        ),
        importance=0.6,
        lifetime=Lifetime.WORKING,
        aliases=("milestone",),
        file=MemoryFile.MEMORY,
        evidence_from=_USER,
        section=EVENTS,
        profile_part=ProfilePart.PRESENT,
        sharing=SharingLevel.PROJECT,
        is_todo=False,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=True,
        has_weights=True,
        times=KindTimes(
            is_plannable=True,
            is_dated=True,
            is_at_a_time=True,
            is_occurrence=True,
            is_state=False,
            has_clock_time=True,
            may_tell_plan=True,
            may_tell_habit=True,
            has_quantity=True,
        ),
        wording=Wording.THING
        | Wording.SMALL_TALK
        | Wording.NO_TASK
        | Wording.SEPARATION
        | Wording.CIRCUMSTANCE,
    ),
    Kind.DECISION: KindProperties(
        hint=ModelHint(
            english="what was decided, with the reason where it was given",
            chinese="做出的决定，有理由时带上理由",
        ),
        importance=0.8,
        lifetime=Lifetime.CORE,
        aliases=("project_decision",),
        file=MemoryFile.MEMORY,
        evidence_from=_BOTH,
        section=DECISIONS,
        profile_part=ProfilePart.PRESENT,
        sharing=SharingLevel.PROJECT,
        is_todo=False,
        is_lasting=True,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=True,
        times=KindTimes(
            is_plannable=True,
            is_dated=True,
            is_at_a_time=False,
            is_occurrence=True,
            is_state=False,
            has_clock_time=False,
            may_tell_plan=True,
            may_tell_habit=False,
            has_quantity=True,
        ),
        wording=Wording.SUGGESTION | Wording.ERRAND | Wording.OWN_KIND | Wording.CIRCUMSTANCE,
    ),
    Kind.CONCLUSION: KindProperties(
        hint=ModelHint(
            english="what a discussion arrived at",
            chinese="讨论得出的结论",
        ),
        importance=0.6,
        lifetime=Lifetime.WORKING,
        aliases=("discussion_conclusion",),
        file=MemoryFile.MEMORY,
        evidence_from=_BOTH,
        section=CONCLUSIONS,
        profile_part=None,
        sharing=SharingLevel.PROJECT,
        is_todo=False,
        is_lasting=True,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=True,
        times=TIMELESS,
        wording=Wording.FINDING | Wording.SUGGESTION,
    ),
    Kind.ACTION_ITEM: KindProperties(
        hint=ModelHint(
            english="what somebody is to do, with the time where one was given",
            chinese="某人要做的事，有时间时带上时间",
        ),
        importance=0.7,
        lifetime=Lifetime.WORKING,
        aliases=("todo",),
        file=MemoryFile.MEMORY,
        evidence_from=_BOTH,
        section=TODOS,
        profile_part=None,
        sharing=SharingLevel.PROJECT,
        is_todo=True,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=True,
        times=KindTimes(
            is_plannable=True,
            is_dated=True,
            is_at_a_time=True,
            is_occurrence=False,
            is_state=False,
            has_clock_time=True,
            may_tell_plan=True,
            may_tell_habit=False,
            has_quantity=True,
        ),
        wording=Wording.ERRAND | Wording.OWN_KIND,
    ),
    Kind.LESSON: KindProperties(
        hint=ModelHint(
            english="what was learned from something that went wrong or well; the problem and its remedy",
            chinese="从失败或成功中得到的经验：问题与解决办法",
        ),
        importance=0.85,
        lifetime=Lifetime.CORE,
        file=MemoryFile.LEARNINGS,
        evidence_from=_BOTH | {EvidenceSource.SKILL_EVENT},
        section=LESSONS,
        profile_part=None,
        sharing=SharingLevel.PROJECT,
        is_todo=False,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=True,
        times=TIMELESS,
        wording=Wording.FINDING | Wording.OWN_KIND,
    ),
    Kind.SKILL: KindProperties(
        hint=None,
        importance=0.7,
        lifetime=Lifetime.CORE,
        file=MemoryFile.LEARNINGS,
        evidence_from=frozenset({EvidenceSource.SKILL_EVENT}),
        section=SKILLS,
        profile_part=None,
        sharing=SharingLevel.AGENT,
        is_todo=False,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=False,
        times=TIMELESS,
        wording=Wording.NONE,
    ),
    Kind.PATTERN: KindProperties(
        hint=ModelHint(
            english="what happens or is chosen again and again",
            chinese="反复发生或反复选择的",
        ),
        importance=0.6,
        lifetime=Lifetime.WORKING,
        aliases=("frequent_question",),
        file=MemoryFile.LEARNINGS,
        evidence_from=frozenset({EvidenceSource.SEVERAL_MEMORIES}),
        section=PATTERNS,
        profile_part=None,
        sharing=SharingLevel.AGENT,
        is_todo=False,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=False,
        times=TIMELESS.model_copy(update={"is_habitual": True}),
        wording=Wording.NONE,
    ),
    Kind.INSIGHT: KindProperties(
        hint=ModelHint(
            english="what several memories let one conclude",
            chinese="由多条记忆可以得出的结论",
        ),
        importance=0.6,
        lifetime=Lifetime.WORKING,
        aliases=("data_insight",),
        file=MemoryFile.MEMORY,
        evidence_from=frozenset({EvidenceSource.SEVERAL_MEMORIES, EvidenceSource.DATA}),
        section=INSIGHTS,
        profile_part=None,
        sharing=SharingLevel.AGENT,
        is_todo=False,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=False,
        times=TIMELESS,
        wording=Wording.NONE,
    ),
    Kind.FEEDBACK: KindProperties(
        hint=ModelHint(
            english="what the user thought of an answer",
            chinese="用户对某个回答的评价",
        ),
        importance=0.5,
        lifetime=Lifetime.WORKING,
        aliases=("user_feedback",),
        file=MemoryFile.MEMORY,
        evidence_from=_USER,
        section=PREFERENCES,
        profile_part=None,
        sharing=SharingLevel.AGENT,
        is_todo=False,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=False,
        has_weights=True,
        times=TIMELESS,
        wording=Wording.WISH | Wording.AGENT_WISH | Wording.OWN_KIND,
    ),
    Kind.CONTEXT: KindProperties(
        hint=ModelHint(
            english="what matters for some days only: where the user is, how they feel, what they are busy with",
            chinese="只在几天内有用的情境：用户在哪里、心情如何、在忙什么",
        ),
        importance=0.4,
        lifetime=Lifetime.TEMPORARY,
        file=None,
        evidence_from=_USER,
        section=CIRCUMSTANCES,
        profile_part=ProfilePart.PRESENT,
        sharing=SharingLevel.PROJECT,
        is_todo=False,
        is_lasting=False,
        is_always_about_user=False,
        is_about_somebody=True,
        has_weights=True,
        times=KindTimes(
            is_plannable=False,
            is_dated=False,
            is_at_a_time=False,
            is_occurrence=False,
            is_state=True,
            has_clock_time=True,
            may_tell_plan=True,
            may_tell_habit=True,
            has_quantity=False,
        ),
        wording=Wording.THING,
    ),
}


def select_kinds(has: Callable[[KindProperties], bool]) -> tuple[Kind, ...]:
    """Return the kinds with this property, in the order of `Kind`."""
    return tuple(kind for kind in Kind if has(KINDS[kind]))


SECTIONS = (
    DECISIONS,
    PREFERENCES,
    CONCLUSIONS,
    INSIGHTS,
    FACTS,
    PEOPLE,
    GOALS,
    EVENTS,
    TODOS,
    LESSONS,
    SKILLS,
    PATTERNS,
    CIRCUMSTANCES,
)
"""The sections of a context, in their order."""


def check_kinds(kinds: Iterable[Kind], rows: dict[Kind, KindProperties]) -> None:
    """Refuse a table without a row for each kind, its section in a context, and a hint for models.

    Raises:
        RuntimeError: names the kinds.
    """
    if missing := [kind for kind in kinds if kind not in rows]:
        raise RuntimeError(f"KINDS has no row for {', '.join(missing)}")
    if unseen := [kind for kind, row in rows.items() if row.section not in SECTIONS]:
        raise RuntimeError(f"SECTIONS lacks the section of {', '.join(unseen)}")
    if untold := [
        kind for kind, row in rows.items() if (row.is_said or row.is_reflection) and not row.hint
    ]:
        raise RuntimeError(
            f"models are to find {', '.join(untold)}, and the row has no hint for them"
        )


check_kinds(Kind, KINDS)

_BY_NAME = {str(kind): kind for kind in Kind} | {
    alias: kind for kind, row in KINDS.items() for alias in row.aliases
}


def parse_kind(name: object) -> object:
    """Return the kind with this name or alias; any other value is returned unchanged."""
    return _BY_NAME.get(name, name) if isinstance(name, str) else name


KindByName: TypeAlias = Annotated[Kind, BeforeValidator(parse_kind)]
"""A kind as it comes from outside, by name or alias: `user_preference` is `preference`."""


class OneOfKinds:
    """Annotation of a `Kind` that limits it to the kinds with a property, like a `Literal` of them."""

    def __init__(self, has: Callable[[KindProperties], bool]) -> None:
        self._kinds = select_kinds(has)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.literal_schema(list(self._kinds))


ReflectionKind: TypeAlias = Annotated[Kind, OneOfKinds(lambda kind: kind.is_reflection)]
SaidKind: TypeAlias = Annotated[Kind, OneOfKinds(lambda kind: kind.is_said)]
