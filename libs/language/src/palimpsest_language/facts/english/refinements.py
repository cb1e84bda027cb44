"""The refinements of the English tables, by the names that their rows call them."""

from palimpsest_language.facts.english.couples import refine_partner_name
from palimpsest_language.facts.english.introductions import refine_introduced_name
from palimpsest_language.facts.english.medicines import refine_medicine
from palimpsest_language.facts.english.occupation_changes import (
    refine_begun_occupation,
    refine_practised_occupation,
)
from palimpsest_language.facts.english.shared_patterns import (
    refine_date,
    refine_deed,
    refine_diet,
    refine_favourite,
    refine_joined_organisation,
    refine_left_organisation,
    refine_liking,
    refine_organisation,
    refine_place,
    refine_plain,
    refine_preferred_technology,
    refine_relative,
    refine_replaced_technology,
    refine_setting,
    refine_technology,
    refine_with_article,
)
from palimpsest_language.facts.english.single_valued import refine_provider, refine_single_value
from palimpsest_language.facts.english.situation import refine_host, refine_shift
from palimpsest_language.facts.english.value_checks import (
    refine_abstained,
    refine_animal,
    refine_hobby,
    refine_product_name,
    refine_thing,
)
from palimpsest_language.facts.fact_tables import keep_groups
from palimpsest_language.facts.regular_times import refine_day_of, refine_grade_of, refine_time_of
from palimpsest_language.facts.rule import RefineGroups

REFINEMENTS: dict[str, RefineGroups] = {
    "nothing": keep_groups,
    "abstained": refine_abstained,
    "animal": refine_animal,
    "begun_occupation": refine_begun_occupation,
    "date": refine_date,
    "deed": refine_deed,
    "diet": refine_diet,
    "favourite": refine_favourite,
    "hobby": refine_hobby,
    "host": refine_host,
    "introduced_name": refine_introduced_name,
    "joined_organisation": refine_joined_organisation,
    "left_organisation": refine_left_organisation,
    "liking": refine_liking,
    "medicine": refine_medicine,
    "organisation": refine_organisation,
    "partner_name": refine_partner_name,
    "place": refine_place,
    "plain": refine_plain,
    "practised_occupation": refine_practised_occupation,
    "preferred_technology": refine_preferred_technology,
    "product_name": refine_product_name,
    "relative": refine_relative,
    "replaced_technology": refine_replaced_technology,
    "setting": refine_setting,
    "shift": refine_shift,
    "provider": refine_provider,
    "single_value": refine_single_value,
    "technology": refine_technology,
    "thing": refine_thing,
    "day_of": refine_day_of,
    "grade_of": refine_grade_of,
    "time_of": refine_time_of,
    "with_article": refine_with_article,
}
