"""Clauses that are not meant: suppositions, dreams, and what others say or think."""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("statements/suppositions")
_ENGLISH_SUPPOSITION = _PHRASES["english_supposition"]
_CHINESE_SUPPOSITION = _PHRASES["chinese_supposition"]
_TURNS_BACK = _PHRASES["turns_back"]
_ENGLISH_HEARSAY = _PHRASES["english_hearsay"]
_DOCTORS = _PHRASES["doctors"]
_OF_SELF = _PHRASES["of_self"]
_CHINESE_HEARSAY = _PHRASES["chinese_hearsay"]
_BY_SPEAKER = _PHRASES["by_speaker"]


class SuppositionTracker:
    """Follows the clauses of one message: what was supposed is followed by what would follow."""

    def __init__(self) -> None:
        self._sentence = ""
        self._supposing = False
        self.material = False
        self.is_beside_task = False
        """What follows in the message is a text to work on."""
        self.secret_named = False
        """From then on, what looks like one in the message is."""

    def is_supposed(self, text: str, sentence: str, *, chinese: bool) -> bool:
        """Tell whether the clause is part of a supposition that its sentence has begun."""
        if sentence != self._sentence:
            self._sentence, self._supposing = sentence, False
        pattern = _CHINESE_SUPPOSITION if chinese else _ENGLISH_SUPPOSITION
        if _TURNS_BACK.search(text):
            self._supposing = False
        if pattern.search(text):
            self._supposing = True
        return self._supposing


def is_hearsay(text: str, *, chinese: bool) -> bool:
    """Return what others say or think, not what the speaker does."""
    if _BY_SPEAKER.search(text) or _DOCTORS.search(text) or _OF_SELF.search(text):
        return False
    return bool((_CHINESE_HEARSAY if chinese else _ENGLISH_HEARSAY).search(text))
