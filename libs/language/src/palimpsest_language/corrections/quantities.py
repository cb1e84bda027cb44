"""A number of things that was told wrong: "need two tickets" – "scratch that, make it three", 改成两张吧.

The target is what was told just before, where that says one number. What was told in this window
gets the right number. What was told in the window before is told anew with both numbers, and takes
the place of what it was.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.corrections.correction import AROUND, CorrectedMessage, Cue
from palimpsest_language.corrections.cue_table import CueTable, read_cue_piece
from palimpsest_language.plans.plan_amendments import current_plan_text, format_amended_plan
from palimpsest_language.plans.plan_moves import EXCHANGE_MESSAGES, find_last_message
from palimpsest_language.proposals import MessageQuote, Proposal

CUES = CueTable("quantity", {})

_NUMBER = read_cue_piece("en", "<NUMBER>")
_COUNTED_ZH = read_cue_piece("zh", "<NUMBER><MEASURE>")
_COUNT = re.compile(
    rf"(?<![\w$£€.:/'’-]){_NUMBER}(?![\w:%.,/'’-]\w|(?:st|nd|rd|th)\b"
    r"| ?(?:[ap]\.?m\b|%|dollars|pounds|quid|euros|bucks|days?\b|weeks?\b|months?\b|years?\b"
    r"|hours?\b|minutes?\b))",
    re.IGNORECASE,
)
_COUNT_ZH = re.compile(rf"(?<!第){_COUNTED_ZH}(?!月)")
_NUMBER_SAID = re.compile(rf"(?P<number>{_COUNTED_ZH}|{_NUMBER})$", re.IGNORECASE)
_ONE_THING = re.compile(r"^ [a-z]+(?<!s)(?=$|[ ,.;])")


@dataclass(frozen=True)
class QuantityCue(Cue):
    sentence: str


@dataclass(frozen=True)
class QuantityTarget:
    plan: Proposal
    is_earlier: bool
    """Told in an earlier window."""


class QuantityCorrections:
    name = "quantity"

    def find_cues(self, said: CorrectedMessage) -> Iterator[QuantityCue]:
        for sentence in split_declarative_sentences(said.message.text):
            if (found := CUES.match(sentence.replace("’", "'"))) is not None:
                begins, ends = found.match.span("change")
                quote = sentence[begins:ends]
                yield QuantityCue(
                    rule=found.row.id,
                    citation=MessageQuote(message=said.message.number, quote=quote),
                    spent=sentence[: found.match.end()],
                    sentence=sentence,
                )

    def find_target(
        self, cue: QuantityCue, told: Sequence[Proposal], said: CorrectedMessage
    ) -> QuantityTarget | None:
        others = [proposal for proposal in told if not _stands_in(proposal, cue)]
        if (plan := _find_counted(others, cue)) is not None:
            return QuantityTarget(plan, is_earlier=False)
        plan = _find_counted(said.before, cue)
        return None if plan is None else QuantityTarget(plan, is_earlier=True)

    def restate(
        self,
        proposal: Proposal,
        cue: QuantityCue,
        target: QuantityTarget,
        said: CorrectedMessage,  # noqa: ARG002 - as the kinds have it
    ) -> Proposal:
        if target.is_earlier or proposal != target.plan:
            return proposal
        return _with_number(proposal, cue.citation)

    def tell_anew(
        self,
        cue: QuantityCue,
        target: QuantityTarget,
        told: Sequence[Proposal],  # noqa: ARG002
        said: CorrectedMessage,  # noqa: ARG002
    ) -> list[Proposal]:
        return [_with_number(target.plan, cue.citation)] if target.is_earlier else []

    def is_spent_alone(self, cue: QuantityCue, said: CorrectedMessage) -> bool:  # noqa: ARG002
        return True


def _stands_in(proposal: Proposal, cue: QuantityCue) -> bool:
    return all(
        each.message == cue.message and each.quote.strip(AROUND) in cue.sentence
        for each in proposal.evidence
    )


def _find_counted(proposals: Sequence[Proposal], cue: QuantityCue) -> Proposal | None:
    """The last proposal told just before, if it says one number of things."""
    near = [
        proposal
        for proposal in proposals
        if 0 <= cue.message - find_last_message(proposal) <= EXCHANGE_MESSAGES
    ]
    last = near[-1] if near else None
    if last is None or last.attribute is not None or not last.kind.times.has_quantity:
        return None
    if last.time is not None and not last.time.all_day and cue.citation.quote[-1].isdigit():
        # At seven for four: eight may be either.
        return None
    return last if _find_number(last) is not None else None


def _find_number(plan: Proposal) -> re.Match[str] | None:
    """The number in the content apart from its time; None where there are several."""
    words = current_plan_text(plan.content)
    if plan.time is not None:
        words = words.replace(plan.time.words, " " * len(plan.time.words))
    found = list((_COUNT_ZH if has_chinese(words) else _COUNT).finditer(words))
    return found[0] if len(found) == 1 else None


def _with_number(plan: Proposal, citation: MessageQuote) -> Proposal:
    """The plan with the right number, and which it was before."""
    number = _find_number(plan)
    assert number is not None  # noqa: S101 - as it was found
    content = current_plan_text(plan.content)
    before, old, behind = content[: number.start()], number[0], content[number.end() :]
    said = _NUMBER_SAID.search(citation.quote)
    new = said["number"] if said else citation.quote
    if new.casefold() == old.casefold():
        return plan
    if old.casefold() == "one" and not behind.startswith("s"):
        behind = _ONE_THING.sub(r"\g<0>s", behind, count=1)
    content = format_amended_plan(before, old, new, behind)
    evidence = (*plan.evidence, citation)
    return plan.model_copy(update={"content": content, "summary": None, "evidence": evidence})
