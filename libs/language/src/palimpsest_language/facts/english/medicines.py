"""Medicines that somebody takes, and takes no longer, by the names that medicines have."""

import re

from palimpsest_language.facts.english.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.wording.statement_text import to_third_person

_ALSO_ENDS_SO = re.compile(
    r"(?:determine|feature|venezone|limousine|valentine|submarine|routine|evening|magazine"
    r"|trampoline|outsell|"
    r"person|monsoon|comparison|poison|prison|reason|season|lesson|unison|bison|arson|mason"
    r"|treason|venison|liaison|"
    r"pyramid\w*|chipotle|april|program|instagram|telegram|landscape|escapade|scapine|alpine"
    r"|supine|porcupine|canyon)",
    re.IGNORECASE,
)


def refine_medicine(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None or _ALSO_ENDS_SO.fullmatch(tidied["value"]):
        return None
    return {**tidied, "why": to_third_person(tidied.get("why", ""))}
