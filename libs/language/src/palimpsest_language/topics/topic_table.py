"""Table of the topics of everyday life, in both languages."""

from palimpsest_language.rule_tables import RuleRow, read_rules
from palimpsest_language.topics.topic import QuestionTopic


def _build_topic(row: RuleRow) -> QuestionTopic:
    return QuestionTopic(
        rule=row.id,
        name=row.columns["name"],
        question_words=tuple(row.columns["question_words"]),
        chinese_question_words=tuple(row.columns["chinese_question_words"]),
        memory_words=tuple(row.columns["memory_words"]),
        examples=tuple(row.columns["memories"]),
        secondary=row.columns.get("secondary", False),
    )


TOPICS = tuple(
    _build_topic(row)
    for table in ("topics/household_topics", "topics/activity_topics")
    for row in read_rules(table)
)
