"""Corrections of slips of any sort: "typo, two cats", 手滑，是晓桐, 改成八个吧.

The last kind that is tried. The right words take the place of those in what was told just before
that have the same words beside them or are of their shape.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.corrections.correction import (
    MAX_CUE_CHARACTERS,
    CorrectedMessage,
    Cue,
    list_latest_told,
    rests_only_on,
)
from palimpsest_language.corrections.frames import put_right
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import MessageQuote, Proposal

_PHRASES = read_phrases("corrections/slips")

_RULE = "corrections.slip"
_CHANGES = re.compile(r"改|还是|算了|\bmake\b", re.IGNORECASE)
"""Says what is to be from now on: a statement begins with it as well."""


_THEIRS = re.compile(r"^Their\b")
"""Whose it is was said in the slip: "I got it wrong, my daughter is four"."""


@dataclass(frozen=True)
class SlipCue(Cue):
    right: str


class SlipTarget(NamedTuple):
    told: Proposal
    is_earlier: bool
    """Told in an earlier window."""


class SlipCorrections:
    name = "slip"

    def find_cues(self, said: CorrectedMessage) -> Iterator[SlipCue]:
        for sentence in said.sentences():
            right = find_right_words(sentence)
            if right is not None:
                yield SlipCue(
                    rule=_RULE,
                    citation=MessageQuote(message=said.message.number, quote=sentence),
                    spent=said.message.text,
                    right=right,
                )
                return

    def find_target(
        self, cue: SlipCue, told: Sequence[Proposal], said: CorrectedMessage
    ) -> SlipTarget | None:
        own = [
            proposal for proposal in told if not rests_only_on(proposal, cue, said.user_messages)
        ]
        if (found := _find_told(own, cue)) is not None:
            return SlipTarget(found, is_earlier=False)
        found = _find_told(said.before, cue)
        return None if found is None else SlipTarget(found, is_earlier=True)

    def restate(
        self,
        proposal: Proposal,
        cue: SlipCue,
        target: SlipTarget,
        said: CorrectedMessage,  # noqa: ARG002 - as the kinds have it
    ) -> Proposal:
        if target.is_earlier or cue.citation in proposal.evidence:
            return proposal
        messages = {cited.message for cited in target.told.evidence}
        if not any(cited.message in messages for cited in proposal.evidence):
            return proposal
        return _with_right(proposal, cue) or proposal

    def tell_anew(
        self,
        cue: SlipCue,
        target: SlipTarget,
        told: Sequence[Proposal],
        said: CorrectedMessage,  # noqa: ARG002
    ) -> list[Proposal]:
        if not target.is_earlier or any(cue.citation in proposal.evidence for proposal in told):
            return []
        found = put_right(target.told.content, cue.right)
        anew = _with_right(target.told, cue)
        if found is None or anew is None:
            return []
        return [anew.model_copy(update={"replaces": target.told.value or found.wrong})]

    def is_spent_alone(self, cue: SlipCue, said: CorrectedMessage) -> bool:  # noqa: ARG002
        return False


def find_right_words(sentence: str) -> str | None:
    """Return the right words of a sentence that begins or ends with a slip; None for any other."""
    if len(sentence) > MAX_CUE_CHARACTERS or sentence.rstrip().endswith(("?", "？")):
        return None
    before = _PHRASES["slip_before"].search(sentence)
    behind = _PHRASES["slip_behind"].search(sentence)
    if before is None and behind is None:
        return None
    start = 0 if before is None else before.end()
    right = sentence[
        start : len(sentence) if behind is None or behind.start() < start else behind.start()
    ]
    for _ in range(2):
        if (tail := _PHRASES["particles_behind"].search(right)) is not None:
            right = right[: tail.start()]
    return right.strip(" ,.;:!，。！；：*") or None


def strip_slips(content: str) -> str:
    """Return a statement without the slip at its beginning or end.

    What it takes back itself is put right.
    """
    inside = _PHRASES["slip_inside"].search(content)
    if inside is not None and (found := put_right(inside["before"], inside["right"])) is not None:
        return found.said
    before = _PHRASES["slip_before"].search(content)
    if before is not None and _CHANGES.search(before[0]):
        before = None
    left = content if before is None else content[before.end() :].lstrip(" ,.;:!，。！；：*")
    behind = _PHRASES["slip_behind"].search(left)
    left = left if behind is None else left[: behind.start()]
    if left == content or not left:
        return content
    return left if has_chinese(left) else _THEIRS.sub("The user's", left[0].upper() + left[1:])


def _find_told(proposals: Sequence[Proposal], cue: SlipCue) -> Proposal | None:
    """Find what was told last before the cue and has words that the right ones are like."""
    fitting = [
        proposal
        for proposal in list_latest_told(proposals, cue)
        if put_right(proposal.content, cue.right) is not None
    ]
    return fitting[-1] if fitting else None


def _with_right(told: Proposal, cue: SlipCue) -> Proposal | None:
    found = put_right(told.content, cue.right)
    if found is None:
        return None
    subject, value = (
        text and text.replace(found.wrong, found.right) for text in (told.subject, told.value)
    )
    entities = tuple(name.replace(found.wrong, found.right) for name in told.entities)
    changed = {"content": found.said, "subject": subject, "value": value, "summary": None}
    time = (
        {"time": None, "occurred_at": None}
        if told.time is not None and found.wrong in told.time.words
        else {}
    )
    evidence = (*told.evidence, cue.citation)
    return told.model_copy(update={**changed, **time, "entities": entities, "evidence": evidence})
