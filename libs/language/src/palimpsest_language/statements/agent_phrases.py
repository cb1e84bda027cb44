"""Phrases of agents that are no memory.

Acknowledgements, offers, explanations, advice, kindness.
"""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("statements/agent_phrases")
_ACKNOWLEDGEMENT = _PHRASES["acknowledgement"]
_OFFERS = _PHRASES["offers"]
_EXPLAINS = _PHRASES["explains"]
_ADVISES = _PHRASES["advises"]
_WISHES_WELL = _PHRASES["wishes_well"]
_FOUND_OUT = _PHRASES["found_out"]
_KEPT_OF_ACKNOWLEDGEMENT = _PHRASES["kept_of_acknowledgement"]


def is_acknowledgement(sentence: str, text: str) -> bool:
    """An agent says again what it was told."""
    if _KEPT_OF_ACKNOWLEDGEMENT.search(text):
        return False
    return _ACKNOWLEDGEMENT.search(sentence) is not None


def is_explanation(text: str) -> bool:
    """Return what an agent knows of the world, told because somebody asked."""
    return _EXPLAINS.search(text) is not None


def is_advice(text: str) -> bool:
    """前一晚早点睡会好些: what would do somebody good."""
    return _ADVISES.search(text) is not None


def is_wellwishing(text: str) -> bool:
    """记得按时吃药, 真是分工明确的一家人: what an agent says to be kind, with no figure in it."""
    return _WISHES_WELL.search(text) is not None


def is_finding(text: str) -> bool:
    """By looking, counting or measuring, or marked as what matters of an answer."""
    return _FOUND_OUT.search(text) is not None


def is_offer(text: str) -> bool:
    """An agent says what it could do."""
    return _OFFERS.search(text) is not None
