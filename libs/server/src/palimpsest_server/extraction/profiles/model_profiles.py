"""Profiles written by a language model, and checked for form, language and lost facts."""

import re

from palimpsest.events.extractor_requests import ProfileRequested
from palimpsest.model.user import Language
from palimpsest_server.domain.profiles.lost_details import find_lost_details
from palimpsest_server.extraction.answer_language import require_language
from palimpsest_server.extraction.profiles.profiler import ProfileAnswer
from palimpsest_server.extraction.prompts.profile import FoundProfile, build_profile_prompt
from palimpsest_server.models.model_errors import UnusableAnswer
from palimpsest_server.models.task_model import ModelProvider

MIN_PARAGRAPHS, MAX_PARAGRAPHS = 1, 5
"""The prompt requests three to five paragraphs; a user of whom little is known may get one."""

_LIST = re.compile(r"^\s*(?:[-*•·]|\d+[.)、]|#+)\s", re.MULTILINE)

_NO_LIST = {
    Language.ENGLISH: "Answer again: 3 to 5 paragraphs of prose, no lists and no headings.",
    Language.CHINESE: "请重新回答：3 到 5 段自然语言，不用列表和标题。",
}
_KEEP = {
    Language.ENGLISH: "Answer again. Nothing contradicts these, and they are missing: {missing}.",
    Language.CHINESE: "请重新回答。以下内容没有被否定，却不见了：{missing}。",
}


class ProfileFormError(UnusableAnswer):
    """The profile has no paragraphs, too many, or a list."""

    reason = "wrong_form"


class ProfileFactsLost(UnusableAnswer):
    """The profile lost names or numbers that nothing contradicts."""

    reason = "lost_facts"


class ModelProfiles(ModelProvider):
    async def describe(self, asked: ProfileRequested) -> ProfileAnswer:
        def check(found: FoundProfile) -> None:
            _require_prose(found, asked)
            _require_survival("\n\n".join(found.paragraphs), asked)

        found = await self._model.ask(
            build_profile_prompt(asked), user_id=asked.user_id, check=check
        )
        return ProfileAnswer(
            narrative="\n\n".join(
                paragraph.strip() for paragraph in found.paragraphs if paragraph.strip()
            )
        )


def _require_prose(found: FoundProfile, asked: ProfileRequested) -> None:
    paragraphs = [paragraph for paragraph in found.paragraphs if paragraph.strip()]
    if not MIN_PARAGRAPHS <= len(paragraphs) <= MAX_PARAGRAPHS or any(
        map(_LIST.search, paragraphs)
    ):
        raise ProfileFormError(
            f"{len(paragraphs)} paragraphs, or a list", remedy=_NO_LIST[asked.language]
        )
    require_language(asked.language, paragraphs)


def _require_survival(narrative: str, asked: ProfileRequested) -> None:
    """Check for lost facts, except after a topic was forgotten, when the profile is written from the rest."""
    if asked.unchecked or not asked.narrative:
        return
    missing = find_lost_details(
        asked.narrative,
        narrative,
        known_names=asked.known_names,
        contradicted=[change.before for change in asked.changes],
    )
    if missing:
        remedy = _KEEP[asked.language].format(missing=", ".join(missing))
        raise ProfileFactsLost(f"{len(missing)} names or numbers are gone", remedy=remedy)
