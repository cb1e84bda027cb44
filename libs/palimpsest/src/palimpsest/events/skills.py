"""Results of a skill that an agent carried out; they become procedural memory."""

import json
from abc import ABC, abstractmethod
from typing import Annotated, Literal

from pydantic import AfterValidator, JsonValue, StringConstraints
from pydantic_core import PydanticCustomError

from palimpsest.events.embeddable_event import EmbeddableEvent
from palimpsest.model.content_limits import CONTENT_TOO_LARGE, Content, FreeData
from palimpsest.model.skill_run import SkillExecution
from palimpsest.model.value_types import Identifier
from palimpsest.model.vectors import EmbeddableText

MAXIMUM_SKILL_NAME_CHARACTERS = 200
MAXIMUM_WORKFLOW_BYTES = 12 * 1024
"""The most bytes of a workflow; the rest of the 16 KiB holds other data of the skill."""


def _fits(workflow: tuple[dict[str, JsonValue], ...]) -> tuple[dict[str, JsonValue], ...]:
    if len(json.dumps(workflow, ensure_ascii=False).encode()) > MAXIMUM_WORKFLOW_BYTES:
        raise PydanticCustomError(
            CONTENT_TOO_LARGE, f"must be at most {MAXIMUM_WORKFLOW_BYTES} bytes of JSON"
        )
    return workflow


Workflow = Annotated[tuple[FreeData, ...], AfterValidator(_fits)]
"""The steps in order, in any form; `tool`, `skill`, `action`, `name` or `step` names a step."""


class SkillRun(EmbeddableEvent, ABC):
    """A skill was carried out. `skill_name` identifies the skill of an agent."""

    skill_name: Annotated[
        str,
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=MAXIMUM_SKILL_NAME_CHARACTERS
        ),
    ]
    workflow: Workflow = ()
    run_id: Identifier | None = None
    """The id of the run. A run that is reported twice counts once, by this id or by `occurred_at`.
    """
    incognito: bool = False

    @property
    @abstractmethod
    def failure(self) -> str | None: ...

    def run(self) -> SkillExecution:
        return SkillExecution(
            skill_name=self.skill_name,
            workflow=self.workflow,
            error=self.failure,
            at=self.occurred_at,
            session_id=self.session_id,
        )

    def texts(self) -> tuple[EmbeddableText, ...]:
        words = self.run().words
        return (EmbeddableText(dense=words, sparse=words),)


class SkillSucceeded(SkillRun):
    type: Literal["SkillSucceeded"] = "SkillSucceeded"

    @property
    def failure(self) -> None:
        return None


class SkillFailed(SkillRun):
    type: Literal["SkillFailed"] = "SkillFailed"
    error: Content
    """The error in words."""

    @property
    def failure(self) -> str:
        return self.error
