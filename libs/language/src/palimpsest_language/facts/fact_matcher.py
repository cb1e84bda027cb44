"""Finds the facts of one sentence by the tables of rules."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import is_inside_supposition, is_subordinate
from palimpsest_language.facts.chinese import CHINESE
from palimpsest_language.facts.english import ENGLISH
from palimpsest_language.facts.rule import SPEAKER, FactRule, MatchGroups
from palimpsest_language.proposal_times.validity import (
    StatementTiming,
    derive_timing,
    find_adjacent_time,
)
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.rule_tables import is_enabled, note_match
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter
from palimpsest_language.wording.statement_text import format_statement

_CHINESE = PatternPrefilter((rule.pattern, rule) for rule in CHINESE)
_ENGLISH = PatternPrefilter((rule.pattern, rule) for rule in ENGLISH)
_GAP = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
"""A space between Chinese characters separates clauses; a comma of the same width replaces it."""


@dataclass(frozen=True)
class SentenceSpeaker:
    """The speaker of a sentence, as a subject of memories and in words."""

    role: Role
    name: str | None
    """The name if several people speak; None for the user or the agent."""

    @property
    def subject(self) -> str:
        return self.name or self.role.value

    def words(self, *, chinese: bool) -> MatchGroups:
        if self.name:
            return {"subject": self.name, "possessive": f"{self.name}'s"}
        if chinese:
            word = "用户" if self.role is Role.USER else "助手"
            return {"subject": word, "possessive": f"{word}的"}
        return {"subject": f"the {self.role.value}", "possessive": f"the {self.role.value}'s"}


@dataclass(frozen=True)
class FactMatch:
    """A fact that a rule found, with the position of its value in the sentence, in characters."""

    proposal: Proposal
    start: int
    end: int
    rule: str
    """The id of the rule that matched."""


def read_facts(
    sentence: str, speaker: SentenceSpeaker, *, message: int, said: UtteranceTime | None = None
) -> list[Proposal]:
    """Return the facts that a sentence states, in their order; with times if `said` is given."""
    return [
        match_fact.proposal
        for match_fact in match_facts(sentence, speaker, message=message, said=said)
    ]


def match_facts(
    sentence: str, speaker: SentenceSpeaker, *, message: int, said: UtteranceTime | None = None
) -> list[FactMatch]:
    """Return the same facts with their positions."""
    chinese = has_chinese(sentence)
    tables = (_CHINESE, _ENGLISH) if chinese else (_ENGLISH,)
    parted = _GAP.sub("，", sentence) if chinese else sentence
    matches = [match for table in tables for match in _matches(parted, table, speaker.role)]
    citation = MessageQuote(message=message, quote=sentence)
    read = [
        FactMatch(
            _proposal(match, speaker, citation, chinese=match.chinese),
            match.start,
            match.end,
            match.rule.id,
        )
        for match in sorted(_undisputed(matches), key=lambda match: match.start)
    ]
    if said is None or not read:
        return read
    times = find_sentence_times(sentence, said)
    return [_timed(match, sentence, times, said) for match in read]


@dataclass(frozen=True)
class _Match:
    rule: FactRule
    groups: MatchGroups
    start: int
    end: int
    chinese: bool
    """True if a Chinese rule matched: “I live in 上海” is told in English."""


def _matches(sentence: str, rules: PatternPrefilter[FactRule], role: Role) -> Iterator[_Match]:
    for rule in rules.through(sentence):
        if role not in rule.said_by or not is_enabled(rule.id):
            continue
        for match in rule.pattern.compiled.finditer(sentence):
            start = match.start()
            if is_inside_supposition(sentence, start) or is_subordinate(sentence, start):
                continue
            caught = {name: text for name, text in match.groupdict().items() if text}
            groups = rule.refine(caught)
            if groups is not None:
                note_match(rule.id)
                yield _Match(
                    rule, groups, match.start("value"), match.end("value"), rules is _CHINESE
                )


def _undisputed(matches: Sequence[_Match]) -> list[_Match]:
    """Return the matches without overlaps: the first rule that claims words keeps them."""
    kept: list[_Match] = []
    for match in matches:
        if all(match.end <= other.start or other.end <= match.start for other in kept):
            kept.append(match)
    return kept


def _timed(
    reading: FactMatch, sentence: str, times: Sequence[TimeExpression], said: UtteranceTime
) -> FactMatch:
    time = find_adjacent_time(times, sentence, reading.start, reading.end)
    if time is None:
        return reading
    proposal = reading.proposal
    found: StatementTiming = derive_timing(
        proposal.kind, proposal.attribute, time, sentence=sentence, said_at=said.at
    )
    return replace(reading, proposal=proposal.model_copy(update=vars(found)))


def _proposal(
    match: _Match, speaker: SentenceSpeaker, citation: MessageQuote, *, chinese: bool
) -> Proposal:
    rule = match.rule
    # An optional group of the pattern that did not match is left out of the content.
    groups = defaultdict(str, {**speaker.words(chinese=chinese), **match.groups})
    attribute = groups.get("attribute")
    if rule.attribute is not None:
        attribute = rule.attribute.format_map(groups)
    value = groups["value"]
    return Proposal(
        kind=rule.kind,
        content=format_statement(rule.content.format_map(groups)),
        subject=speaker.subject if rule.subject == SPEAKER else rule.subject,
        attribute=attribute,
        value=value if attribute else None,
        ended=rule.ended,
        replaces=groups.get("replaced"),
        entities=(value,) if rule.names_entity else (),
        evidence=(citation,),
    )
