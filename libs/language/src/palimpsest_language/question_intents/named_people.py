"""Find names of people in a question."""

import re
import unicodedata


def names_person(question: str, name: str) -> bool:
    """Return whether a question names a person by the whole `name` or its first word.

    Words of spaced scripts must stand alone ("Jon" is not named by "Jonas");
    Chinese names are found wherever they occur.
    """
    folded_question, folded_name = _fold(question), _fold(name).strip()
    first_word = folded_name.split(maxsplit=1)[0] if folded_name else ""
    return any(_occurs(part, folded_question) for part in {folded_name, first_word} if part)


def _occurs(part: str, question: str) -> bool:
    if not part.isascii():
        return part in question
    return re.search(rf"(?<![a-z0-9]){re.escape(part)}(?![a-z0-9])", question) is not None


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
