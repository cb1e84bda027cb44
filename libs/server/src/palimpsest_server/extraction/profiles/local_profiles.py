"""Profiles without a model: sentences from memories that hold, sorted into paragraphs."""

from collections.abc import Iterable, Sequence

from palimpsest.events.extractor_requests import ProfileFact, ProfileRequested
from palimpsest.model.kind_properties import ProfilePart
from palimpsest.model.profile import COLD_START
from palimpsest.model.user import Language
from palimpsest_language.summaries.text_sentences import split_text
from palimpsest_language.wording.normalization import extract_gist, normalize_wording
from palimpsest_server.extraction.profiles.profiler import ProfileAnswer

MAX_SENTENCES_PER_PARAGRAPH = 8

_TALKED = {
    Language.ENGLISH: "Lately they talked about {topics}.",
    Language.CHINESE: "最近聊到了{topics}。",
}
_TO_DO = {Language.ENGLISH: "Still to be done: {todos}.", Language.CHINESE: "还要做的事：{todos}。"}
_DONE = {Language.ENGLISH: "Done lately: {todos}.", Language.CHINESE: "最近完成了：{todos}。"}
_CHANGED = {
    Language.ENGLISH: "No longer so: {before}. Now: {after}.",
    Language.CHINESE: "过去：{before}；现在：{after}。",
}
_JOINT = {Language.ENGLISH: "; ", Language.CHINESE: "；"}


class LocalProfiles:
    name = "local"

    async def describe(self, asked: ProfileRequested) -> ProfileAnswer:
        """Describe a user in the words of memories, so that nothing is added to them."""
        language = asked.language
        facts = _each_once(asked.facts)
        who, likes, now = (_of(facts, part) for part in ProfilePart)
        paragraphs = [
            _paragraph(who, language),
            _paragraph(likes, language),
            _paragraph([*now, *_lately(asked)], language),
            _paragraph(_to_do(asked), language),
            _paragraph(_changes(asked), language),
        ]
        narrative = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
        return ProfileAnswer(narrative=narrative or COLD_START[language])


def _each_once(facts: Sequence[ProfileFact]) -> list[ProfileFact]:
    """Return the facts without those that another fact repeats word for word; the first of equals stays."""
    # Whole words: "likes tea" is not contained in "likes teamwork".
    said = [f" {normalize_wording(fact.content)} " for fact in facts]
    return [
        fact
        for place, fact in enumerate(facts)
        if not any(
            said[place] in other and (said[place] != other or before < place)
            for before, other in enumerate(said)
            if before != place
        )
    ]


def _of(facts: Iterable[ProfileFact], part: ProfilePart) -> list[str]:
    return [fact.content for fact in facts if fact.kind.properties.profile_part is part]


def _lately(asked: ProfileRequested) -> list[str]:
    topics = dict.fromkeys(topic for summary in asked.summaries for topic in summary.topics)
    if not topics:
        return []
    comma = "、" if asked.language is Language.CHINESE else ", "
    return [_TALKED[asked.language].format(topics=comma.join(list(topics)[-5:]))]


def _to_do(asked: ProfileRequested) -> list[str]:
    joint = _JOINT[asked.language]
    told = ((_TO_DO, asked.open_todos), (_DONE, asked.done_todos))
    return [
        words[asked.language].format(todos=joint.join(todo.rstrip("。.") for todo in todos))
        for words, todos in told
        if todos
    ]


def _changes(asked: ProfileRequested) -> list[str]:
    return [
        _CHANGED[asked.language].format(
            before=change.before.rstrip("。."), after=change.after.rstrip("。.")
        )
        for change in asked.changes
    ]


def _paragraph(sentences: Sequence[str], language: Language) -> str:
    """Join sentences, each once, in the order of their weight."""
    once = {extract_gist(sentence): sentence for sentence in reversed(sentences)}
    told = list(reversed(once.values()))[:MAX_SENTENCES_PER_PARAGRAPH]
    chinese = language is Language.CHINESE
    ends = "。" if chinese else "."
    plain = [" ".join(split_text(sentence)) or sentence for sentence in told]
    closed = [each if each.endswith((".", "。", "!", "！")) else each + ends for each in plain]
    return ("" if chinese else " ").join(_upper(each) for each in closed)


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
