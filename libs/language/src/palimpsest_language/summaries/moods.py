"""The user's mood, where they name it: words for it, counted."""

import re
from collections import Counter
from collections.abc import Iterable

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.user import Language

_MOODS: dict[tuple[str, str], tuple[str, str]] = {
    ("焦虑", "anxious"): (
        r"焦虑|压力(?:很|太|好)?大|担心|害怕|紧张|不安|慌|睡不着",
        r"anxious|worr(?:y|ied)|nervous|stress(?:ed|ful)|afraid|scared|under pressure",
    ),
    ("犹豫", "hesitant"): (
        r"犹豫|纠结|拿不定主意|还没决定|没想好",
        r"torn|hesita(?:te|nt|ting)|undecided|can't decide|not sure (?:if|whether)",
    ),
    ("沮丧", "disappointed"): (
        r"沮丧|难过|失望|伤心|郁闷|崩溃|失落|孤独",
        r"disappointed|sad|depressed|upset|heartbroken|lonely|discouraged",
    ),
    ("生气", "angry"): (
        r"生气|气死|愤怒|恼火|烦死|受够",
        r"angry|furious|annoyed|frustrat(?:ed|ing)|fed up|sick of",
    ),
    ("疲惫", "tired"): (
        r"好累|太累|很累|疲惫|累死|筋疲力尽",
        r"tired|exhausted|burn(?:ed|t) out|worn out",
    ),
    ("开心", "happy"): (
        r"开心|高兴|太好了|太棒|幸福|满意|快乐",
        r"happy|glad|delighted|pleased|thrilled to|love it",
    ),
    ("兴奋", "excited"): (
        r"兴奋|激动|期待|迫不及待",
        r"excited|can't wait|looking forward|thrilled",
    ),
    ("平静", "calm"): (r"平静|放松|轻松", r"calm|relaxed|at ease"),
}
_PATTERNS = [
    (names, re.compile(chinese), re.compile(rf"\b(?:{english})\b", re.IGNORECASE))
    for names, (chinese, english) in _MOODS.items()
]
_DENIED = re.compile(
    (
        r"(?:不|没有?|别|无需)(?:用|要|是|那么|太|很|怎么)?$|\b"
        r"(?:not|no longer|never|don't|isn't)\s+(?:\w+\s+)?$"
    ),
    re.IGNORECASE,
)


def find_moods(texts: Iterable[str], language: Language) -> str | None:
    """At most two moods, the one named most often first; None where none is named."""
    counts: Counter[tuple[str, str]] = Counter()
    for text in texts:
        for names, chinese, english in _PATTERNS:
            pattern = chinese if has_chinese(text) else english
            counts[names] += sum(
                1 for match in pattern.finditer(text) if not _DENIED.search(text[: match.start()])
            )
    named = [names for names, count in counts.most_common(2) if count]
    if not named:
        return None
    if language is Language.CHINESE:
        return "、".join(chinese for chinese, _ in named)
    return ", ".join(english for _, english in named)
