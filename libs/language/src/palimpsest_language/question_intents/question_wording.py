"""Reads everything that the wording of a question tells about the answer."""

from datetime import datetime
from typing import NamedTuple

from palimpsest.model.turn import Role
from palimpsest_language.question_intents.attribute_questions import (
    AttributeQuestion,
    find_attribute_question,
)
from palimpsest_language.question_intents.earlier_conversations import (
    refers_to_earlier_conversation,
)
from palimpsest_language.question_intents.last_words import find_last_words_speaker
from palimpsest_language.question_intents.past_questions import asks_about_the_past
from palimpsest_language.question_intents.question_times import (
    TimeSpan,
    asks_only_for_a_time,
    build_time_span,
    find_question_times,
    remove_times,
)
from palimpsest_language.question_intents.todo_questions import asks_for_todos


class QuestionWording(NamedTuple):
    times: tuple[TimeSpan, ...]
    """The times that it names, in order. Recurring times are left out."""
    without_times: str
    """The question without the words for these times."""
    asks_only_for_times: bool
    """True if it asks for everything in its times."""
    asks_about_the_past: bool
    """True if it asks for what no longer holds."""
    asks_for_todos: bool
    """True if it only asks for all open todos."""
    refers_to_earlier_conversation: bool
    last_words_speaker: Role | None
    """The speaker whose last words it asks for, if it asks for nothing else."""
    attribute: AttributeQuestion | None
    """The attribute it asks for, if it asks for nothing else."""


def read_wording(question: str, *, now: datetime, time_zone: str) -> QuestionWording:
    """Read the wording of a question.

    Args:
        question: the question, in English or Chinese.
        now: the moment when it is asked.
        time_zone: the IANA name of the time zone in which its times are meant.
    """
    found = find_question_times(question, now=now, time_zone=time_zone)
    expressions = [time for time in found if not time.recurrence]
    spans = dict.fromkeys(map(build_time_span, expressions))
    times = tuple(span for span in spans if span != (None, None))
    without_times = remove_times(question, expressions)
    return QuestionWording(
        times=times,
        without_times=without_times,
        asks_only_for_times=bool(times) and asks_only_for_a_time(question, expressions),
        asks_about_the_past=asks_about_the_past(question),
        asks_for_todos=any(map(asks_for_todos, dict.fromkeys((question, without_times)))),
        refers_to_earlier_conversation=refers_to_earlier_conversation(question),
        last_words_speaker=find_last_words_speaker(question),
        attribute=find_attribute_question(question),
    )
