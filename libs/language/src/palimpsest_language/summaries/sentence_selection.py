"""Chooses the sentences that summarise a conversation, by the weight of their words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palimpsest.model.bilingual_text import shorten_to_summary
from palimpsest.model.user import Language
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.proposals import Proposal
from palimpsest_language.summaries.text_sentences import split_text
from palimpsest_language.wording.normalization import extract_gist

MAX_SENTENCES = 3
MAX_SENTENCE_WIDTH = 200
"""The width of a sentence: a Chinese character counts twice."""
_SAME_WORDS = 0.6
_SHORTEST = 4
"""The least words, or Chinese characters: "OK then" summarises nothing."""

QUOTE_TEMPLATES = {
    Language.ENGLISH: 'The user said: "{words}"',
    Language.CHINESE: "用户说：“{words}”",
}


@dataclass(frozen=True)
class _Sentence:
    place: int
    text: str
    words: frozenset[str]
    stated: Proposal | None
    """The proposal of a rule; None without one."""
    score: float = 0.0


def summarize_in_sentences(
    people: Sequence[DialogueMessage], proposals: Sequence[Proposal], language: Language
) -> str:
    """Return at most three sentences, as rules state them or else quoted, without small talk."""
    chosen = _chosen(list(_sentences(people, proposals)))
    joint = "" if language is Language.CHINESE else " "
    return joint.join(_told(sentence, language) for sentence in chosen)


def _sentences(
    people: Iterable[DialogueMessage], proposals: Sequence[Proposal]
) -> Iterable[_Sentence]:
    stated = {
        (citation.message, citation.quote): proposal
        for proposal in reversed(proposals)
        for citation in proposal.evidence
    }
    place = 0
    for message in people:
        for text in split_text(message.text):
            words = frozenset(extract_gist(text).split())
            place += 1
            if len(words) >= _SHORTEST:
                yield _Sentence(place, text, words, _statement(stated, message.number, text))


def _statement(stated: dict[tuple[int, str], Proposal], number: int, text: str) -> Proposal | None:
    return next(
        (
            proposal
            for (message, quote), proposal in stated.items()
            if message == number and (text in quote or quote in text)
        ),
        None,
    )


def _chosen(sentences: Sequence[_Sentence]) -> list[_Sentence]:
    """Return the weightiest sentences without repetitions, in the order of speech.

    By Luhn's measure a sentence weighs what its words weigh: their frequency in the conversation. A
    sentence with a rule's proposal weighs double, and so does the first one; a question weighs
    half.
    """
    counts = Counter(word for sentence in sentences for word in sentence.words)
    first = sentences[0].place if sentences else 0

    def weight(sentence: _Sentence) -> float:
        mean = sum(counts[word] for word in sentence.words) / len(sentence.words)
        doubled = (2 if sentence.stated else 1) * (2 if sentence.place == first else 1)
        question = 0.5 if sentence.text.rstrip("”\"')）」").endswith(("?", "？")) else 1.0
        return mean * doubled * question

    chosen: list[_Sentence] = []
    for sentence in sorted(sentences, key=lambda one: (-weight(one), one.place)):
        if all(not _same(sentence, other) for other in chosen):
            chosen.append(sentence)
        if len(chosen) == MAX_SENTENCES:
            break
    return sorted(chosen, key=lambda one: one.place)


def _same(sentence: _Sentence, other: _Sentence) -> bool:
    """Tell whether both have the same words, or one proposal of a rule."""
    if sentence.stated is not None and sentence.stated is other.stated:
        return True
    return _overlap(sentence, other) >= _SAME_WORDS


def _overlap(sentence: _Sentence, other: _Sentence) -> float:
    return len(sentence.words & other.words) / len(sentence.words | other.words)


def _told(sentence: _Sentence, language: Language) -> str:
    if sentence.stated is not None:
        content = shorten_to_summary(sentence.stated.content, MAX_SENTENCE_WIDTH)
        if language is Language.CHINESE:
            return content.rstrip("。.") + "。"
        return content[:1].upper() + content[1:].rstrip(".") + "."
    words = shorten_to_summary(sentence.text, MAX_SENTENCE_WIDTH)
    return QUOTE_TEMPLATES[language].format(words=words)
