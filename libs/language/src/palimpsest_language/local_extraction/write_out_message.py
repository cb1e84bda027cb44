"""Writes out what the speaker of a message left to the conversation."""

from collections.abc import Sequence
from dataclasses import replace

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.local_extraction.answer_completion import complete_answer
from palimpsest_language.local_extraction.name_references import find_name_references
from palimpsest_language.local_extraction.omitted_speakers import find_omitted_speakers
from palimpsest_language.local_extraction.place_references import find_place_references
from palimpsest_language.local_extraction.settled_amounts import settle_amount
from palimpsest_language.local_extraction.written_out import WrittenOut
from palimpsest_language.plans.announced_lists import AnnouncedList, find_announced_list


def write_out(
    message: DialogueMessage, text: str, before: Sequence[DialogueMessage], told: Sequence[str]
) -> WrittenOut:
    """Write out answers, places and omitted speakers in a person's message.

    `before` are the earlier messages; `told` are the people's earlier texts, written out.
    """
    if message.role is not Role.USER:
        return WrittenOut(text)
    if (announced := find_announced_list(text)) is not None:
        return _write_out_list(text, announced)
    last = before[-1].text if before and before[-1].role is not Role.USER else ""
    answered = (
        _complete_settled(text, before, told, last)
        or complete_answer(text, before, told)
        or WrittenOut(text)
    )
    places = find_place_references(answered.text, [*told[-1:], last])
    speakers = [] if answered.is_answer else find_omitted_speakers(answered.text)
    names = find_name_references(answered.text, told[-1:])
    read = answered.text
    for stated, said in (*places, *speakers, *names):
        read = read.replace(said, stated, 1)
    replaced = (*places, *speakers, *names, *answered.replaced)
    return WrittenOut(read, replaced, answered.is_answer, answered.question)


def _complete_settled(
    text: str, before: Sequence[DialogueMessage], told: Sequence[str], last: str
) -> WrittenOut | None:
    """Complete an answer that takes an amount back, and quote it whole.

    Its last words alone would only correct an amount.
    """
    settled = settle_amount(text, last)
    answered = None if settled is None else complete_answer(settled, before, told)
    if answered is None:
        return None
    return replace(answered, replaced=((answered.text, text.strip()),))


def _write_out_list(text: str, announced: AnnouncedList) -> WrittenOut:
    """Write a list of tasks as statements, one on a line."""
    stop = "。" if has_chinese(text) else "."
    stated = "\n".join(f"{task.statement}{stop}" for task in announced.tasks)
    read = f"{text[: announced.start]}\n{stated}\n{text[announced.end :].lstrip(' .。!！')}".strip()
    return WrittenOut(read, tuple((task.statement, task.said) for task in announced.tasks))
