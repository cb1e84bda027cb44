"""Texts of skills: the successful workflow and the last error.

The language follows the name, steps and error, as in "Deep Research任务：先web_search → read_url →
summarize".
"""

from collections.abc import Mapping, Sequence
from typing import Any

from palimpsest.model.bilingual_text import has_chinese

MOST_STEPS = 20
"""The most steps that the text names; `data` holds all of them."""
MOST_STEP_CHARACTERS = 80
MOST_ERROR_CHARACTERS = 500
"""The most characters of an error in the text; `data` holds more."""

_NAMES_OF_A_STEP = ("tool", "skill", "action", "name", "step")
_ARROW = " → "


def write_skill_text(
    name: str, workflow: Sequence[Mapping[str, Any]] | None, error: str | None
) -> str:
    """Write the content of a memory of this skill.

    Args:
        name: the name of the skill.
        workflow: the steps of the latest success; None without any.
        error: the latest error; None without any.
    """
    name = " ".join(name.split())
    steps = _ARROW.join(_steps(workflow or ()))
    chinese = has_chinese(name) or has_chinese(steps) or has_chinese(error or "")
    words = _CHINESE if chinese else _ENGLISH
    said = []
    if workflow is not None:
        said.append(words["worked" if steps else "worked_somehow"].format(name=name, steps=steps))
    if error is not None:
        key = "failed" if workflow is None else "failed_too"
        said.append(words[key].format(name=name, error=_in_short(error)))
    return ("" if chinese else " ").join(said)


def _steps(workflow: Sequence[Mapping[str, Any]]) -> list[str]:
    named = [_step(step) for step in workflow]
    told = [name for name in named if name]
    return told if len(told) <= MOST_STEPS else [*told[:MOST_STEPS], "…"]


def _step(step: Mapping[str, Any]) -> str | None:
    """Return the name of a step; a mere number is no name."""
    called = (step.get(name) for name in _NAMES_OF_A_STEP)
    told = (" ".join(each.split()) for each in called if isinstance(each, str))
    return next((each[:MOST_STEP_CHARACTERS] for each in told if each), None)


def _in_short(error: str) -> str:
    line = " ".join(error.split())
    if len(line) > MOST_ERROR_CHARACTERS:
        return line[: MOST_ERROR_CHARACTERS - 1] + "…"
    return line.rstrip("。.")


_ENGLISH = {
    "worked": "Skill {name} works this way: {steps}.",
    "worked_somehow": "Skill {name} works.",
    "failed": "Skill {name} failed: {error}.",
    "failed_too": "It failed with: {error}.",
}
_CHINESE = {
    "worked": "技能 {name} 的成功做法：{steps}。",
    "worked_somehow": "技能 {name} 执行成功。",
    "failed": "技能 {name} 执行失败：{error}。",
    "failed_too": "曾失败：{error}。",
}
