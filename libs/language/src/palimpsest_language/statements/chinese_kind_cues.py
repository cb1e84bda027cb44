"""Cues of the kinds of Chinese statements, of people and of agents; the first that fits tells."""

from palimpsest_language.facts.chinese.preferred_names import IS_CALLED
from palimpsest_language.statements.kind_cue import KindCue, read_kind_cues

CHINESE_CUES: tuple[KindCue, ...] = read_kind_cues(
    "statements/chinese_kind_cues", {"IS_CALLED": IS_CALLED}
)
