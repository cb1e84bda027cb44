"""Requests to forget a topic, and the texts that are on it.

A text is on a topic if it names the topic in any form of the word, or speaks of it in the words of
a table: who weighs 82 kilos speaks of their weight.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role, Turn
from palimpsest_language.off_the_record.requests import find_withholding_target
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import read_words

_PHRASES = read_phrases("off_the_record/topic_requests")
_REQUESTS = _PHRASES["forgets_topic"]
_WORDS = read_phrases("off_the_record/topic_words")
_EVERYTHING = _WORDS["reaches_far_back"]
_NAMES = {
    sign.removesuffix(" by name"): names
    for sign, names in _WORDS.items()
    if sign.endswith(" by name")
}
_TOPICS = {
    sign: words
    for sign, words in _WORDS.items()
    if sign != "reaches_far_back" and not sign.endswith(" by name")
}

MIN_NAME_CHARACTERS = 2
"""The least characters of a topic that is searched as a word."""

MAX_WORDS_BESIDE = 4
"""The most words, or Chinese characters, that add nothing, such as “hey there”, 好吗."""

_REST = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_LATIN_WORD = re.compile(r"[^\W\d_\u3400-\u9fff][\w'’-]*|\d+", re.ASCII)
_CHINESE_WORD = re.compile(r"[\u3400-\u9fff]{2,}")
_NO_NAME_ZH = re.compile(r"[的跟和与我去了]|那个|这个")
_LIGHT_WORDS = """
the a an my our your his her their that this it him them me you us and or of at in on with for to
about any all what whole stuff thing things
i i'm i've i'd we're we've he she he's she's they they're am is are was were be been being
have has had having got get getting do does did don't didn't take takes taking took use using
go going went make making made how much many where who that's once really just still already
also too so not no please money some by from but and because
"""
_NO_NAME = frozenset(_LIGHT_WORDS.split())
_LIGHT_ZH = re.compile(r"[我你您的了过在去来着是有和跟与这那个件得钱很又还都就到]")
_BESIDE = re.compile(
    r",? (?:and|or|as well as|plus) (?:also )?|, |(?<=.{2})(?:和|跟|以及|还有|、)(?=.{2})"
)
_OF_TWO_PEOPLE = re.compile(
    r"\b(?:with|between|about|against)\b|吵|闹|架|分手|离婚|结婚|恋|打|聊|见面|关系", re.IGNORECASE
)
"""Words that hold what stands beside "and" together: “the fight between Jo and Sam”."""
_FORMS = {
    form: forms
    for forms in read_words("off_the_record/irregular_verbs").values()
    for form in forms.split("|")
}
"""All forms of a verb, by each of them."""
_VERB_ZH = re.compile(r"^(?:看|喝|吃|做|去|打|找|买|学|养)(?=[\u3400-\u9fff]{2})")
"""看中医 is about the 中医, who may be found or asked as well."""
_GAP_IN_WORD = 2
_GAP_IN_CLAUSE = 6
_ENDING = re.compile(r"(?:ings?|ies|ists?|ions?|ancy|ency|cy|ed|es|[ys]|e)$")
_MIN_STEM = 4
_MIN_STEM_OF_NOUN = 5
"""“Party” shares no stem with “partner”; “therapy” does with “therapist”."""


def find_forgotten_topic(text: str) -> str | None:
    """Return the topic that the text asks to forget, in its words; None without a request."""
    match = _REQUESTS.search(text)
    if match is None:
        return _named(find_withholding_target(text).about)
    return _named(next(filter(None, match.groupdict().values()), ""))


def leave_topic_request_out(text: str) -> str:
    """Return what a message says besides asking to forget a topic; a line for each side of it."""
    match = _REQUESTS.search(text)
    if match is None or find_forgotten_topic(text) is None:
        return text
    sides = (text[: match.start()].strip(), text[match.end() :].strip())
    return "\n".join(side for side in sides if side)


def says_nothing_else(text: str) -> bool:
    """Tell whether a message asks to forget a topic, and says hardly anything else."""
    match = _REQUESTS.search(text)
    if match is None or find_forgotten_topic(text) is None:
        return False
    rest = f"{text[: match.start()]} {_PHRASES['tells_why'].sub('', text[match.end() :])}"
    return len(_REST.findall(rest)) <= MAX_WORDS_BESIDE


def reaches_far_back(text: str) -> bool:
    """Tell whether a request covers everything ever said: “everything about”, 一切, 从记忆里."""
    return _EVERYTHING.search(text) is not None


def is_on_topic(text: str, topic: str) -> bool:
    """Tell whether a text is on a topic, or on one of several: “my salary and my medication”."""
    return any(_is_on_single(text, part) for part in split_topics(topic))


def split_topics(topic: str) -> Sequence[str]:
    """Return the topics that a request names; one where its words belong together."""
    if _OF_TWO_PEOPLE.search(topic):
        return (topic,)
    parts = [part.strip() for part in _BESIDE.split(topic) if part.strip()]
    return parts if all(map(_named, parts)) else (topic,)


def _is_on_single(text: str, topic: str) -> bool:
    if names_topic(text, topic) or names_topic(text, _VERB_ZH.sub("", topic)):
        return True
    return any(
        _NAMES.get(sign, words).search(topic) is not None and words.search(text) is not None
        for sign, words in _TOPICS.items()
    )


def names_topic(text: str, topic: str) -> bool:
    """Tell whether a text has all the words of a topic, in any form."""
    words, names = _latin_words(topic), _chinese_words(topic)
    if not words and not names:
        return False
    lowered = text.casefold()
    heard = _LATIN_WORD.findall(lowered) if words else []
    return all(name in lowered or _is_spread_over(name, lowered) for name in names) and all(
        any(_is_form_of(each, word) for each in heard) for word in words
    )


def list_turns_on_topic(turns: Iterable[Turn], topic: str) -> Iterator[Turn]:
    """Yield what people say on a topic, with the answers to it.

    The turns are those of one session, in order.
    """
    on_topic = False
    for turn in turns:
        if turn.role is Role.USER:
            on_topic = is_on_topic(turn.said, topic)
        if on_topic:
            yield turn


def _named(topic: str) -> str | None:
    """Return the topic if it names something: not “it”, “me” or 那个."""
    plain = topic.strip()
    names = _latin_words(plain) or _chinese_words(plain)
    return plain if names or any(words.search(plain) for words in _TOPICS.values()) else None


def _latin_words(topic: str) -> Sequence[str]:
    words = _LATIN_WORD.findall(topic.casefold())
    return [
        word.removesuffix("'s").removesuffix("’s")
        for word in words
        if word.replace("’", "'") not in _NO_NAME and len(word) >= MIN_NAME_CHARACTERS
    ]


def _chinese_words(topic: str) -> Sequence[str]:
    if not has_chinese(topic):
        return []
    return [
        word for part in _NO_NAME_ZH.split(topic.casefold()) for word in _CHINESE_WORD.findall(part)
    ]


def _is_spread_over(name: str, text: str) -> bool:
    """Tell whether a text has the characters in this order: 欠表哥钱 is in 欠表哥两万块钱.

    With 把 the verb stands last: 卖表 is in 把爷爷的表卖了.
    """
    spoken = _LIGHT_ZH.sub("", name)
    if len(spoken) < MIN_NAME_CHARACTERS:
        return False
    orders = (spoken, f"把{spoken[1:]}{spoken[0]}") if "把" in text else (spoken,)
    gap = _GAP_IN_WORD if len(spoken) == MIN_NAME_CHARACTERS else _GAP_IN_CLAUSE
    between = f"[^。！？!?]{{0,{gap}}}?"
    plain = _LIGHT_ZH.sub("", text)
    return any(re.search(between.join(map(re.escape, order)), plain) for order in orders)


def _is_form_of(heard: str, word: str) -> bool:
    heard = heard.removesuffix("'s").removesuffix("’s")
    if heard == word or heard in _FORMS.get(word, "").split("|"):
        return True
    ending = _ENDING.search(word)
    stem = word if ending is None else word[: ending.start()]
    if ending is not None and ending[0] in {"y", "e", "es"} and len(stem) < _MIN_STEM_OF_NOUN:
        stem = word
    if len(stem) < _MIN_STEM:
        return heard in {f"{word}s", word.removesuffix("s")}
    rest = heard.removeprefix(stem)
    return rest != heard and (not rest or _SUFFIX.fullmatch(rest) is not None)


_SUFFIX = re.compile(
    r"[a-z]?(?:s|es|ed|ing|ings|y|ies|e|er|ers|ist|ists|ion|ions|ment|al|cy|t|ts|ant|ent|ive|able)|t|ant|ent"
)
