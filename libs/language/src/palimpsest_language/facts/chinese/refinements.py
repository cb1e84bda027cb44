"""The refinements of the Chinese tables, by the names that their rows call them."""

from palimpsest_language.facts.chinese.couples import refine_former_partner, refine_single
from palimpsest_language.facts.chinese.multi_valued import refine_pastime, refine_thing
from palimpsest_language.facts.chinese.occupations import (
    refine_current_employer,
    refine_former_employer,
    refine_occupation,
)
from palimpsest_language.facts.chinese.person_names import refine_person_name, refine_pet_name
from palimpsest_language.facts.chinese.preferred_names import (
    refine_family_and_given_name,
    refine_preferred_name,
)
from palimpsest_language.facts.chinese.relocations import (
    refine_home,
    refine_left_employer,
    refine_next_employer,
)
from palimpsest_language.facts.chinese.self_descriptions import (
    refine_age,
    refine_illness,
    refine_partner,
    refine_relationship,
)
from palimpsest_language.facts.chinese.shared_patterns import (
    refine_date,
    refine_deed,
    refine_diet,
    refine_employer,
    refine_favourite,
    refine_happening,
    refine_known_place,
    refine_place,
    refine_plain,
    refine_preferred_technology,
    refine_relative,
    refine_replaced_technology,
    refine_setting,
    refine_technology,
)
from palimpsest_language.facts.chinese.single_valued import refine_known_home, refine_single_value
from palimpsest_language.facts.fact_tables import keep_groups
from palimpsest_language.facts.regular_times import refine_day_of, refine_grade_of, refine_time_of
from palimpsest_language.facts.rule import RefineGroups

REFINEMENTS: dict[str, RefineGroups] = {
    "nothing": keep_groups,
    "age": refine_age,
    "current_employer": refine_current_employer,
    "date": refine_date,
    "deed": refine_deed,
    "diet": refine_diet,
    "employer": refine_employer,
    "favourite": refine_favourite,
    "former_employer": refine_former_employer,
    "former_partner": refine_former_partner,
    "happening": refine_happening,
    "home": refine_home,
    "illness": refine_illness,
    "known_home": refine_known_home,
    "known_place": refine_known_place,
    "left_employer": refine_left_employer,
    "next_employer": refine_next_employer,
    "occupation": refine_occupation,
    "partner": refine_partner,
    "pastime": refine_pastime,
    "person_name": refine_person_name,
    "pet_name": refine_pet_name,
    "place": refine_place,
    "plain": refine_plain,
    "preferred_name": refine_preferred_name,
    "family_and_given_name": refine_family_and_given_name,
    "preferred_technology": refine_preferred_technology,
    "relationship": refine_relationship,
    "relative": refine_relative,
    "replaced_technology": refine_replaced_technology,
    "setting": refine_setting,
    "single": refine_single,
    "single_value": refine_single_value,
    "technology": refine_technology,
    "thing": refine_thing,
    "day_of": refine_day_of,
    "grade_of": refine_grade_of,
    "time_of": refine_time_of,
}
