"""Completes short answers to statements: "Any allergies?" - "Penicillin".

"Penicillin" says nothing by itself. With its question it is "I'm allergic to penicillin", and every
rule for such a sentence applies. The statement has a subject, an attribute and a value, so it
replaces and is replaced like any other.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from palimpsest.model.bilingual_text import has_chinese, join_with_punctuation
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.local_extraction.changed_answers import (
    read_changed_answer,
    speak_in_first_person,
)
from palimpsest_language.local_extraction.written_out import WrittenOut
from palimpsest_language.phrase_tables import Phrase, read_phrases
from palimpsest_language.proposals import MessageQuote
from palimpsest_language.statements.answers import is_hedge

_QUESTIONS = read_phrases("local_extraction/answer_completion")["question"]
_WORDS = read_phrases("local_extraction/answer_words")
_YES_BEFORE = _WORDS["yes_before"]
_DENIES = _WORDS["denies"]
_AFFIRMS = _WORDS["affirms"]
_OWN_SENTENCE = _WORDS["own_sentence"]
_THING = _WORDS["thing"]
_MESSAGES_BACK = 4
"""Messages before a question that may name the thing it asks about."""
_RELATIVE = _WORDS["relative"]
_POINTS_AT = _WORDS["points_at_person"]
_ASKS_YOU = re.compile(r"\byou(?:r|rs|rself)?\b|[你您]", re.IGNORECASE)
_LONGEST = {True: 16, False: 60}
"""The most characters of an answer, by whether it is Chinese."""
_ENDS = " \t\n。.!！～~"
_STOPS = _ENDS + "，,;；"
_BESIDE = re.compile(
    r"^(?P<answer>[^，,;；]+?)(?P<rest>(?:[，,;；]| but\b).*)$", re.DOTALL | re.IGNORECASE
)
_COMMA = re.compile(r"[，,;；]")
_ADDED = re.compile(r"[，,;；.。]\s*(?:and also|and|plus|also)\s+(?=\S)", re.IGNORECASE)
_ADDED_IN_CHINESE = re.compile(r"[，,;；.。]\s*(?:还有|以及|再就是|再加上|另外还有|和)(?=\S)")
_LONG_OVER = re.compile(r"(?:19|20)\d\d|\b(?:years|months) ago\b|[一二三四五六七八九十\d]+年前")
_USER = SentenceSpeaker(Role.USER, None)


def complete_answer(
    text: str, before: Sequence[DialogueMessage], told: Sequence[str]
) -> WrittenOut | None:
    """Complete the answer at the beginning of `text`; None if it answers no known question.

    `before` are the earlier messages; `told` are the people's earlier texts, with answers
    completed.
    """
    if not before or before[-1].role is not Role.AGENT:
        return None
    question = next(reversed(split_sentences(before[-1].text.strip())), "")
    sentence = next(iter(split_sentences(text.strip())), "")
    if not question.endswith(("?", "？")) or sentence.endswith(("?", "？")):
        return None
    if not sentence:
        return None
    quote = MessageQuote(message=before[-1].number, quote=question)
    for asked in _name_person(question, before, told):
        for row, match in _QUESTIONS.find_each(asked):
            if "instead" in row.columns and _asks_about_another(question, before):
                continue
            groups = {name: words for name, words in match.groupdict().items() if words}
            if completed := _complete(row, _fill(groups, row, told), text, sentence):
                return replace(completed, question=quote if row.columns.get("cited") else None)
    return None


def _name_person(
    question: str, before: Sequence[DialogueMessage], told: Sequence[str]
) -> Iterator[str]:
    """Yield the question about whom it means: “any allergies?” behind “how old is your son?”."""
    earlier = before[-3].text if len(before) > 2 and before[-3].role is Role.AGENT else ""
    chinese, you = has_chinese(question), _ASKS_YOU.search(question)
    asked = None if you else _find_relative([earlier], chinese=chinese)
    if asked is not None and earlier.strip().endswith(("?", "？")):
        yield f"你{asked}{question}" if chinese else f"Is your {asked}: {question}"
    yield question
    pointed = None if you else _POINTS_AT.search(question)
    meant = _find_relative(told[-_MESSAGES_BACK:], chinese=chinese) if pointed else None
    if pointed is not None and meant is not None:
        yours = f"你{meant}" if chinese else f"your {meant}"
        yield question[: pointed.start()] + yours + question[pointed.end() :]


def _asks_about_another(question: str, before: Sequence[DialogueMessage]) -> bool:
    """Tell whether “Still at Boots?” is about a relative who was asked about before."""
    if _ASKS_YOU.search(question):
        return False
    agent_said = [message.text for message in before[-3:] if message.role is Role.AGENT]
    return _find_relative(agent_said, chinese=has_chinese(question)) is not None


def _find_relative(texts: Sequence[str], *, chinese: bool) -> str | None:
    """Find the relative that was named last, in the language of the question."""
    found = (match for text in reversed(texts) for match in _RELATIVE.finditer(text))
    names = (match["relative"] for match in found)
    return next((name for name in names if has_chinese(name) == chinese), None)


def _complete(row: Phrase, groups: dict[str, str], text: str, sentence: str) -> WrittenOut | None:
    if "instead" in row.columns and (changed := _state_change(row, groups, text)):
        return changed
    for answer in _answers(text, sentence):
        statement = _state(row, groups, answer)
        if statement is None or (row.columns.get("alone") and answer != sentence):
            continue
        if row.columns.get("stands") or _has_attribute(statement):
            written = text.replace(answer.strip(_ENDS), statement, 1)
            return WrittenOut(written, ((statement, answer.strip(_ENDS)),), is_answer=True)
    return None


def _state_change(row: Phrase, groups: dict[str, str], text: str) -> WrittenOut | None:
    """State what is over, and beside it what is so instead, with the words that say either."""
    answer = read_changed_answer(text, row.columns["fits"])
    if answer is None:
        return None
    stop = "。" if has_chinese(text) else "."
    over = _write(row.columns["denied"], groups) + stop
    between, now = speak_in_first_person(answer.between), answer.instead
    if answer.value:
        said = {"answer": answer.value, "since": answer.since}
        now = _write(row.columns["instead"], {**groups, **said})
    written = " ".join(part for part in (over, f"{between}{now}{answer.rest}") if part)
    told = [(between, answer.between), (now, answer.instead)]
    replaced = [(stated, words) for stated, words in told if stated != words]
    replaced.append((over, answer.denial.rstrip(_STOPS) or answer.instead))
    return WrittenOut(written, tuple(replaced), is_answer=True)


def _answers(text: str, sentence: str) -> Iterator[str]:
    """Yield the possible answers: the sentence with what is added to it, and its beginning.

    “Penicillin. And latex” is one answer; in 青霉素吧，小时候起过疹子 the rest says more of it.
    """
    first, *rest = split_sentences(text.strip())
    if rest and first == sentence and _WORDS["adds"].search(rest[0].strip(_ENDS)):
        yield text[text.index(first) : text.index(rest[0], len(first)) + len(rest[0])]
    beside = _BESIDE.match(sentence)
    if beside is None or _lists(beside["rest"][1:]):
        yield sentence
    if beside is not None:
        yield beside["answer"]
        if not _lists(beside["rest"][1:]):
            yield sentence


def _lists(rest: str) -> bool:
    """Tell whether what follows an answer only names more things."""
    return all(_WORDS["item"].search(part.strip(_ENDS)) for part in _COMMA.split(rest))


def _state(row: Phrase, groups: dict[str, str], said: str) -> str | None:
    columns, plain = row.columns, _strip_courtesy(said.strip(_ENDS))
    if "denied" in columns and _DENIES.search(plain):
        denied = _write(columns["denied"], groups)
        # “Not since 2019” says when it was over.
        return join_with_punctuation(",", denied, plain) if _LONG_OVER.search(plain) else denied
    if "affirmed" in columns and _WORDS[columns.get("affirmed_by", "affirms")].search(plain):
        return _write(columns["affirmed"], groups)
    answer = _YES_BEFORE.sub("", plain).strip()
    if "sentence" not in columns or not _is_elliptic(answer):
        return None
    case = re.IGNORECASE if columns.get("lower") else re.NOFLAG
    if (fits := columns.get("fits")) and not re.fullmatch(fits, answer, case):
        return None
    if columns.get("of_thing") and "thing" not in groups:
        return None
    return _write(columns["sentence"], {**groups, "answer": _place(answer, row)})


def _strip_courtesy(said: str) -> str:
    """Return the answer in one sentence, without a please or a 吧 behind it."""
    joined = _ADDED_IN_CHINESE.sub("和", _ADDED.sub(" and ", said))
    return _WORDS["courtesy"].sub("", joined) or joined


def _place(answer: str, row: Phrase) -> str:
    """Return the place without its preposition, because “live in” is written already."""
    words = re.sub(r"^(?:in|at|from|for)\s+", "", answer, flags=re.IGNORECASE)
    if not row.columns.get("lower") or words[1:2].isupper():
        return words
    return words[:1].lower() + words[1:]


def _is_elliptic(answer: str) -> bool:
    """Tell whether words can be an answer, and are no sentence of their own."""
    if not answer or len(answer) > _LONGEST[has_chinese(answer)]:
        return False
    if is_hedge(answer) or _DENIES.search(answer) or _AFFIRMS.search(answer):
        return False
    return _OWN_SENTENCE.search(answer) is None


def _has_attribute(statement: str) -> bool:
    return any(fact.attribute for fact in read_facts(statement, _USER, message=1))


def _write(template: str, groups: dict[str, str]) -> str:
    return " ".join(template.format_map(defaultdict(str, groups)).split())


def _fill(groups: dict[str, str], row: Phrase, told: Sequence[str]) -> dict[str, str]:
    """Return the groups of a match, in the first person, with those that the row adds."""
    turned = {name: _turn(words) for name, words in groups.items()}
    if "name_of" in turned:
        turned["whose"] = turned["name_of"]
    if "verb_too" in turned:
        turned["verb"] = turned["verb_too"]
    if "what_too" in turned:
        turned["what"] = turned["what_too"]
    turned = {**row.columns.get("groups", {}), **turned}
    if row.columns.get("of_thing") and (thing := _find_thing(told, row)) is not None:
        turned |= {"thing": thing, "is": "are" if thing.endswith("s") else "is"}
    return turned


def _turn(words: str) -> str:
    """Return words of a question to somebody as that person says them."""
    return re.sub(r"\byour\b", "my", re.sub("[你您]", "我", words))


def _find_thing(told: Sequence[str], row: Phrase) -> str | None:
    """Find the thing of the user's that was named last, in the language of the row."""
    chinese = row.id.startswith("zh")
    for text in reversed(told[-_MESSAGES_BACK:]):
        match = _THING.search(text)
        if match is not None and has_chinese(match["thing"]) == chinese:
            return match["thing"]
    return None
