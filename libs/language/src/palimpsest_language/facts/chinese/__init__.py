"""The Chinese rules of facts: earlier ones win over later ones for the same words."""

from palimpsest_language.facts.chinese.multi_valued import DRUNK
from palimpsest_language.facts.chinese.person_names import CALLED, KIN
from palimpsest_language.facts.chinese.preferred_names import ASKS_TO_BE_CALLED
from palimpsest_language.facts.chinese.refinements import REFINEMENTS
from palimpsest_language.facts.chinese.shared_patterns import compile_chinese
from palimpsest_language.facts.chinese.single_valued import NOUN
from palimpsest_language.facts.fact_tables import FactGrammar
from palimpsest_language.facts.rule import FactRule
from palimpsest_language.statements.people import CHINESE_TITLES

_GRAMMAR = FactGrammar(
    compile=compile_chinese,
    refinements=REFINEMENTS,
    pieces={
        "ASKS_TO_BE_CALLED": ASKS_TO_BE_CALLED,
        "CALLED": CALLED,
        "CHINESE_TITLES": CHINESE_TITLES,
        "DRUNK": DRUNK,
        "KIN": KIN,
        "NOUN": NOUN,
    },
)

CHINESE: tuple[FactRule, ...] = _GRAMMAR.read(
    [
        f"facts/chinese/{table}"
        for table in (
            "contacts",
            "medicines_ended",
            "medicines_taken",
            "changes",
            "habits",
            "commute",
            "regular_times",
            "new_starts",
            "couples",
            "occupations",
            "turns",
            "multi_valued_ended",
            "self_descriptions",
            "in_passing",
            "person_names",
            "multi_valued_first",
            "people",
            "relocations",
            "preferences",
            "decisions_and_tasks",
            "goals_and_events",
            "multi_valued_held",
            "single_valued",
        )
    ]
)
