"""Asides to the assistant about the conversation: thanks, and requests for secrecy.

They belong to no statement: “don't tell my husband I said that”, 谢谢你听我说.
"""

from functools import lru_cache

from palimpsest_language.memory_injection.planted_memories import is_attack_or_rights_claim
from palimpsest_language.off_the_record.requests import asks_not_to_remember
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import forget_when_switched

_PHRASES = read_phrases("statements/asides")
_THANKS = _PHRASES["thanks"]
_ASKS_SILENCE = _PHRASES["asks_silence"]


def is_aside(core: str) -> bool:
    """Tell whether a text is thanks, or says who is not to hear of something."""
    plain = core.replace("’", "'").strip()
    return _THANKS.search(plain) is not None or _ASKS_SILENCE.search(plain) is not None


@forget_when_switched
@lru_cache(maxsize=1024)
def is_excluded_sentence(sentence: str) -> bool:
    """Tell whether a sentence would cost what it is joined with: an attack, or off the record."""
    return is_attack_or_rights_claim(sentence) or asks_not_to_remember(sentence)
