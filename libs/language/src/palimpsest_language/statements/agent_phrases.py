"""Phrases of agents that are no memory: acknowledgements, offers, explanations, advice."""

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
    """Tell whether an agent only repeats what it was told."""
    if _KEPT_OF_ACKNOWLEDGEMENT.search(text):
        return False
    return _ACKNOWLEDGEMENT.search(sentence) is not None


def is_explanation(text: str) -> bool:
    """Tell whether an agent explains general knowledge."""
    return _EXPLAINS.search(text) is not None


def is_advice(text: str) -> bool:
    """Tell whether an agent gives advice: 前一晚早点睡会好些."""
    return _ADVISES.search(text) is not None


def is_wellwishing(text: str) -> bool:
    """Tell whether an agent is merely kind, without figures: 记得按时吃药, 真是分工明确的一家人."""
    return _WISHES_WELL.search(text) is not None


def is_finding(text: str) -> bool:
    """Tell whether an agent found something out by looking, counting or measuring."""
    return _FOUND_OUT.search(text) is not None


def is_offer(text: str) -> bool:
    """Tell whether an agent offers to do something."""
    return _OFFERS.search(text) is not None
