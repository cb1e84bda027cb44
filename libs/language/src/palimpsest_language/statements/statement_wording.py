"""A statement in words that are understood without the conversation."""

import re

from palimpsest.model.bilingual_text import join_with_punctuation
from palimpsest.model.turn import Role
from palimpsest_language.statements.answers import retell_answer
from palimpsest_language.statements.clause_judgement import ClauseJudgement
from palimpsest_language.statements.conversation_state import ConversationState, MessageSpeaker
from palimpsest_language.statements.opening_words import strip_opening_words
from palimpsest_language.statements.people import MentionedPerson
from palimpsest_language.statements.statement_builder import ClauseStatement
from palimpsest_language.statements.third_person import (
    name_team,
    retell_in_chinese,
    retell_in_english,
)

_ASKS_TO_BE_REMINDED = re.compile(
    r"^(?:那|麻烦|请|劳驾)*[你您](?=(?:到时候?|记得|可以|能不能|也|就|再|帮我|帮忙|得|要|回头"
    r"|提前|给我)*提醒)"
)
"""It is to be done, and was not: 助手提醒用户 would be of what happened."""
_WHAT_ONE_IS = (
    r"(?:my|our|the|an?|\d|\w+ing|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|\w+teen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|in|at|on|from|not|allergic|afraid|scared|vegan|vegetarian|diabetic"
    r"|pregnant|ill|sick|deaf|blind|away|off)"
)
_WE_THEN = re.compile(r"^(?:那么?)?(?:我们|咱们?)(?=就|还是|先|都|可以|按|用)")
"""那我们就用 PostgreSQL: agents and people together decide, and no agent for itself."""
_WE_CHINESE = re.compile(r"我们|咱们?")
_ASKING = re.compile(
    r"^(?:(?:can|could|would|will) you|(?:can|could|shall) (?:we|I|the user)) (?:please )?",
    re.IGNORECASE,
)


def word_statement(
    statement: ClauseStatement, teller: MessageSpeaker, conversation: ConversationState
) -> str:
    """All its parts, told of the speaker; a pronoun that begins it is replaced by whom it means."""
    first, *others = statement.parts
    words = _told(first, teller, conversation)
    if statement.question is not None:
        words = retell_answer(statement.question, words, teller.words(chinese=first.chinese))
    elif first.person is not None and first.pronoun is not None:
        words = replace_pronoun(words, first.pronoun, first.person, teller, chinese=first.chinese)
    before = first
    for part in others:
        mark = "," if part.is_beside(before) else ";"
        words = join_with_punctuation(mark, words, _told(part, teller, conversation))
        before = part
    return words


def _told(part: ClauseJudgement, teller: MessageSpeaker, conversation: ConversationState) -> str:
    who, listener = teller.words(chinese=part.chinese), teller.listener(chinese=part.chinese)
    if part.chinese:
        # As it was written, in whichever script.
        text = strip_opening_words(part.clause.text, conversation.names, chinese=True)
        if teller.role is Role.AGENT:
            text = _WE_THEN.sub("", text)
            text = _WE_CHINESE.sub("团队", text) if conversation.team else text
        return retell_in_chinese(_ASKS_TO_BE_REMINDED.sub("", text), who, listener)
    if teller.role is Role.AGENT and conversation.team:
        return retell_in_english(name_team(_ASKING.sub("", part.core)), who, listener)
    if part.leaves_speaker_out and teller.role is Role.USER:
        return retell_in_english(f"I {part.core[:1].lower()}{part.core[1:]}", who, listener)
    return retell_in_english(_ASKING.sub("", part.core), who, listener)


def replace_pronoun(
    words: str, pronoun: str, person: MentionedPerson, teller: MessageSpeaker, *, chinese: bool
) -> str:
    """The words with the pronoun that begins them replaced by whom it means."""
    who = teller.words(chinese=chinese)
    if chinese:
        title = f"{who}的{person.title}" if person.title else ""
        return words.replace(pronoun, f"{title}{person.name or ''}", 1)
    title = f"{who}'s {person.title}" if person.title else ""
    name = " ".join(part for part in (title, person.name) if part)
    if pronoun.casefold() in {"his", "her"}:
        name += "'s"
    # “She's my niece”, “he's six”, and not “she's moved”, which is told as it stands.
    words = re.sub(rf"^{pronoun}['’]s (?={_WHAT_ONE_IS}\b)", f"{pronoun} is ", words)
    return re.sub(rf"\b{pronoun}\b", name, words, count=1)
