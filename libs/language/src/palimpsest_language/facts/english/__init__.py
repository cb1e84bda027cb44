"""The English rules of facts: earlier ones win over later ones for the same words."""

from palimpsest_language.attributes.display_settings import SETTINGS
from palimpsest_language.facts.english.occupations import OCCUPATION, PRACTICE
from palimpsest_language.facts.english.refinements import REFINEMENTS
from palimpsest_language.facts.english.shared_patterns import compile_english
from palimpsest_language.facts.english.single_valued import NOUN, PROVIDED
from palimpsest_language.facts.fact_tables import FactGrammar
from palimpsest_language.facts.rule import FactRule

_GRAMMAR = FactGrammar(
    compile=compile_english,
    refinements=REFINEMENTS,
    pieces={
        "NOUN": NOUN,
        "PROVIDED": PROVIDED,
        "OCCUPATION": OCCUPATION,
        "PRACTICE": PRACTICE,
        "SETTINGS": SETTINGS,
    },
)

ENGLISH: tuple[FactRule, ...] = _GRAMMAR.read(
    [
        f"facts/english/{table}"
        for table in (
            "contacts",
            "medicines_forbidden",
            "medicines_ended",
            "medicines_taken",
            "situation",
            "changes",
            "occupation_changes",
            "illnesses",
            "habits",
            "commute",
            "regular_times",
            "turns",
            "new_starts",
            "multi_valued_ended",
            "multi_valued_first",
            "names",
            "employers",
            "people",
            "introductions",
            "in_passing",
            "preferences",
            "decisions_and_tasks",
            "couples",
            "goals_and_events",
            "multi_valued_held",
            "single_valued",
        )
    ]
)
