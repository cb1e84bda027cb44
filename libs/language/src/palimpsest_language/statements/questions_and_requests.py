"""Questions, requests, and work on a text."""

from functools import lru_cache

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import forget_when_switched

_PHRASES = read_phrases("statements/questions_and_requests")
_ENGLISH_QUESTION = _PHRASES["english_question"]
_ENGLISH_REQUEST = _PHRASES["english_request"]
_CHINESE_QUESTION = _PHRASES["chinese_question"]
_INDIRECT_QUESTION = _PHRASES["indirect_question"]
_WANTS_TO_LEARN = _PHRASES["wants_to_learn"]
_COMPLAINS = _PHRASES["complains"]
_REMIND_ME = _PHRASES["remind_me"]
_TO_BE_REMINDED = _PHRASES["to_be_reminded"]
_CHINESE_REQUEST = _PHRASES["chinese_request"]
_TEXT_TASK = _PHRASES["text_task"]
_QUOTED = _PHRASES["quoted"]
_ASKS_FOR_HELP = _PHRASES["asks_for_help"]
_ASKS_FOR_TEXT = _PHRASES["asks_for_text"]


def is_question(text: str, *, chinese: bool) -> bool:
    if not chinese:
        return bool(_ENGLISH_QUESTION.search(text))
    if _WANTS_TO_LEARN.search(text) or _COMPLAINS.search(text) or _TO_BE_REMINDED.search(text):
        return False
    return bool(_CHINESE_QUESTION.search(_INDIRECT_QUESTION.sub("", text)))


def ends_with_request(text: str) -> bool:
    """Tell whether a message ends with a question or a request, with a mark or without."""
    last = next(reversed(split_sentences(text)), "").rstrip("?？!！。. ")
    chinese = has_chinese(last)
    marked = text.rstrip().endswith(("?", "？"))
    return marked or is_question(last, chinese=chinese) or is_request(last, chinese=chinese)


@forget_when_switched
@lru_cache(maxsize=256)
def is_request(text: str, *, chinese: bool) -> bool:
    """Something for the agent to do now; with a time to come it may be a todo all the same."""
    return bool((_CHINESE_REQUEST if chinese else _ENGLISH_REQUEST).search(text))


def is_reminder_request(text: str) -> bool:
    """Asked for politely or not: "remind me at 7 for her first dose?"."""
    return _REMIND_ME.search(text) is not None


def asks_for_help(text: str, *, chinese: bool) -> bool:
    """Wherever in the words the agent is asked: 下面这段帮我改一下."""
    return is_request(text, chinese=chinese) or _ASKS_FOR_HELP.search(text) is not None


def is_text_task(text: str) -> bool:
    """Work on a text is asked for."""
    return _TEXT_TASK.search(text) is not None


def find_quoted_passage(text: str) -> str:
    """A mail, a notice, an advertisement in quotation marks: others' words, whatever they say."""
    match = _QUOTED.search(text)
    return match["passage"] if match else ""


def asks_for_text(text: str) -> bool:
    return _ASKS_FOR_TEXT.search(text) is not None
