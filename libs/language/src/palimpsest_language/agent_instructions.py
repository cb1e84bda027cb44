"""Instructions to an agent on how it does its own work: they are of no other agent."""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("agent_instructions")


def tells_agent_how(words: str) -> bool:
    """Tell whether these words say how an agent is to do its work: “give me Celsius”."""
    return _PHRASES["tells_agent_how"].search(words.strip()) is not None


def keeps_to_agent(words: str) -> bool:
    """Tell whether somebody asks to keep this to the conversation: “in this chat call me Champ”."""
    return _PHRASES["keeps_to_agent"].search(words) is not None
