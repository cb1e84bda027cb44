"""Answers that say little without their question: "Biscuit", 三年."""

import re

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.statements.people import MentionedPerson, find_mentioned_person

_ASKS = re.compile(r"[?？][\"'”’」）)\s]*$")
_PHRASES = read_phrases("statements/answers")
_ASKS_OF_TASTE = _PHRASES["asks_of_taste"]
_ASKS_TO_CHOOSE = _PHRASES["asks_to_choose"]
_ASKS_OF_PLANS = _PHRASES["asks_of_plans"]
_ASKS_OF_NO_MATTER = _PHRASES["asks_of_no_matter"]
_ABOUT_OTHERS = _PHRASES["about_others"]
_NAMES_OR_COUNTS = _PHRASES["names_or_counts"]
_OFFERS_REMINDER = _PHRASES["offers_reminder"]
_NO_ANSWER = _PHRASES["no_answer"]
_WORD = re.compile(r"[A-Za-z0-9][\w'’-]*|[\u3400-\u9fff]{2}")
_LEAST_WORDS = 3
_WORDS_OF_A_SLOT = 3


def find_question(text: str) -> str | None:
    """Return the question at the end of a message; None without an informative one."""
    last = re.split(r"(?<=[.!。！\n])\s*", text.strip())[-1]
    if not _ASKS.search(last) or _ASKS_OF_NO_MATTER.search(last):
        return None
    return last


def is_hedge(text: str) -> bool:
    """Tell whether words leave a question open: "maybe", 还没想好, and bare yes and no."""
    return _NO_ANSWER.search(text) is not None


def is_answer(text: str, question: str) -> bool:
    """Tell whether an answer says something with its question: "Where?" - "Nantes" does not."""
    if is_hedge(text) or _WORD.search(question) is None:
        return False
    short = len(_WORD.findall(question)) < _LEAST_WORDS and len(_WORD.findall(text)) < _LEAST_WORDS
    return not short or bool(_ASKS_OF_TASTE.search(question) or _ASKS_TO_CHOOSE.search(question))


def is_standalone_answer(text: str, question: str) -> bool:
    """Tell whether the answer is worth a memory of its own.

    It is with a name or a number, or if the question is about a taste, a choice or a plan, or only
    names the thing ("Editor?"). Other answers, and all answers about a person ("How long will she
    be gone?"), belong to the earlier statement.
    """
    if _ASKS_OF_TASTE.search(question) or _ASKS_TO_CHOOSE.search(question):
        return True
    if has_chinese(question):
        return True
    if _ABOUT_OTHERS.search(question):
        return False
    named = _NAMES_OR_COUNTS.search(text) is not None or _ASKS_OF_PLANS.search(question)
    return bool(named) or len(question.split()) <= _WORDS_OF_A_SLOT


def has_name_or_number(text: str) -> bool:
    """Tell whether an answer has a name or a number to keep with the earlier statement."""
    return _NAMES_OR_COUNTS.search(text) is not None


def find_asked_pronoun(question: str) -> str | None:
    """Return the pronoun by which a question asks about a person; None without one."""
    match = _ABOUT_OTHERS.search(question)
    return match.group() if match else None


def offers_reminder(text: str) -> bool:
    """Tell whether a text offers a reminder, or offers to write something down."""
    return bool(_ASKS.search(text.strip()) and _OFFERS_REMINDER.search(text))


def choose_answer_kind(question: str) -> Kind:
    if _ASKS_OF_TASTE.search(question) or _ASKS_TO_CHOOSE.search(question):
        return Kind.PREFERENCE
    if _ASKS_OF_PLANS.search(question):
        return Kind.GOAL
    return Kind.FACT


def find_person_asked_about(question: str) -> MentionedPerson | None:
    """Return the person of the answerer's that a question names: “your mom”, 你妈妈."""
    chinese = has_chinese(question)
    turned = re.sub(r"\byour\b", "my", question) if not chinese else question.replace("你", "我")
    return find_mentioned_person(turned, chinese=chinese)


def find_person_in_final_question(text: str) -> MentionedPerson | None:
    """Return the person that a message's last question is about: “Got it. How old is Theo?”."""
    last = re.split(r"(?<=[.!。！\n])\s*", text.strip())[-1]
    return find_person_asked_about(last) if _ASKS.search(last) else None


def retell_answer(question: str, answer: str, who: str) -> str:
    if has_chinese(question):
        who = {"the user": "用户", "the agent": "助手"}.get(who, who)
        return f"被问“{question.strip('？? ')}”，{who}回答：{answer}"
    return f"Asked “{question.strip('? ')}”, {who} said: {answer}"
