"""The kind of a clause, by its words and by the time that it speaks of."""

from functools import lru_cache

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import SENTENCE_CACHE_SIZE
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import forget_when_switched, is_enabled, note_match
from palimpsest_language.statements.chinese_kind_cues import CHINESE_CUES
from palimpsest_language.statements.english_kind_cues import ENGLISH_CUES
from palimpsest_language.statements.kind_cue import CueCondition, KindCue
from palimpsest_language.statements.uncued_statements import count_numbers
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter

_CUES: dict[bool, PatternPrefilter[KindCue]] = {
    chinese: PatternPrefilter((cue.pattern, cue) for cue in cues)
    for chinese, cues in ((False, ENGLISH_CUES), (True, CHINESE_CUES))
}
_TROUBLE = {
    chinese: read_phrases(f"statements/{language}_trouble")
    for chinese, language in ((False, "english"), (True, "chinese"))
}


def classify_kind(
    text: str, role: Role, time: TimeExpression | None, said: UtteranceTime, *, chinese: bool
) -> Kind | None:
    """Tell the kind by the first cue that fits; None where none does."""
    cue = find_kind_cue(text, role, time, said, chinese=chinese)
    return None if cue is None else cue.kind


@forget_when_switched
@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def find_kind_cue(
    text: str, role: Role, time: TimeExpression | None, said: UtteranceTime, *, chinese: bool
) -> KindCue | None:
    for cue in _CUES[chinese].through(text):
        if (
            role in cue.said_by
            and is_enabled(cue.id)
            and _has(cue.needs, text, time, said)
            and cue.pattern.compiled.search(text)
        ):
            note_match(cue.id)
            return cue
    return None


def classify_lesson(text: str, *, chinese: bool) -> Kind | None:
    """Take what an agent says is needed for a lesson; meant for after something went wrong."""
    return Kind.LESSON if _TROUBLE[chinese]["needed"].search(text) else None


def mentions_trouble(text: str, *, chinese: bool) -> bool:
    return _TROUBLE[chinese]["trouble"].search(text) is not None


def is_upcoming(time: TimeExpression, said: UtteranceTime) -> bool:
    """Tell whether a time is not over yet; a day that has begun counts as to come."""
    moment = time.ends_at or time.starts_at
    return time.recurrence is None and moment is not None and moment >= said.at


def is_exact_to_day(time: TimeExpression) -> bool:
    """To the day at least."""
    return time.granularity in {Granularity.INSTANT, Granularity.DAY}


def _has(needs: CueCondition, text: str, time: TimeExpression | None, said: UtteranceTime) -> bool:
    match needs:
        case CueCondition.NOTHING:
            return True
        case CueCondition.NUMBER:
            return count_numbers(text) > 0
        case CueCondition.COMING:
            return time is not None and is_upcoming(time, said)
        case CueCondition.COMING_DAY:
            return time is not None and is_upcoming(time, said) and is_exact_to_day(time)
        case CueCondition.PAST:
            return time is not None and not is_upcoming(time, said)
