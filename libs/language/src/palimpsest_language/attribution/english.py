"""Topics of English statements, and English phrases about others, the past, or nobody."""

from palimpsest_language.attribution.attribute_topic import (
    TopicLanguage,
    name_technologies,
    read_topics,
)
from palimpsest_language.phrase_tables import read_phrases

ENGLISH = TopicLanguage(
    topics=read_topics(
        "attribution/english",
        {
            "PROGRAMMING_LANGUAGES": name_technologies("language", shortest=3),
            "FRAMEWORKS": name_technologies("framework", shortest=3),
        },
        cue_form="words",
        value_form="phrase",
    ),
    phrases=read_phrases("attribution/english_vetoes"),
)
