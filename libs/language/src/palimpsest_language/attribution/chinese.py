"""Topics of Chinese statements, and Chinese phrases about others, the past, or nobody."""

from palimpsest_language.attribution.attribute_topic import (
    TopicLanguage,
    name_technologies,
    read_topics,
)
from palimpsest_language.facts.chinese.places import KNOWN_PLACES
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import join_words

CHINESE = TopicLanguage(
    topics=read_topics(
        "attribution/chinese",
        {
            "PLACES": join_words(sorted(KNOWN_PLACES)),
            "PROGRAMMING_LANGUAGES": name_technologies("language", shortest=2),
            "FRAMEWORKS": name_technologies("framework", shortest=2),
        },
        cue_form="any_case",
        value_form="any_case",
    ),
    phrases=read_phrases("attribution/chinese_vetoes"),
)
