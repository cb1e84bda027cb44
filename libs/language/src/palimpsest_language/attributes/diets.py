"""Diets: one at a time, and beside it the things that somebody must avoid."""

import re

DIET_ATTRIBUTE = "diet"
RESTRICTIONS_ATTRIBUTE = "dietary_restrictions"

_LEAVES_OUT = re.compile(
    r"\b(?:gluten|dairy|lactose|nut|egg|soy|sugar|halal|kosher|diabetic|coeliac|celiac|fodmap|"
    r"low[- ](?:salt|sodium|purine|fat|sugar))|"
    r"麸质|麦麸|乳糖|乳制品|奶制品|坚果|清真|犹太|糖尿病|低盐|低钠|低嘌呤|低脂|低糖|无糖|痛风",
    re.IGNORECASE,
)


def choose_diet_attribute(value: str) -> str:
    """Choose the attribute of a value: a diet, or a restriction.

    Who turns vegan is no longer on a Mediterranean diet, but still cannot have gluten. A new diet
    must not supersede a restriction.
    """
    return RESTRICTIONS_ATTRIBUTE if _LEAVES_OUT.search(value) else DIET_ATTRIBUTE
