"""Names in introductions: "everybody calls me Maggie", "it's Sam again", "I'm Nora"."""

import re

from palimpsest_language.facts.english.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups

_NOBODY = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June
    July August September October November December Christmas Easter Halloween Thanksgiving Ramadan
    Diwali Hanukkah Passover Lent American German French Dutch Greek Swiss Thai Jewish Catholic
    Muslim Christian Buddhist Hindu Sikh Black White Asian Latino Latina Hispanic Mexican Korean
    Moroccan Cuban African European Texan Czech Welsh Scots Arab Kurdish Filipino Filipina Taurus
    Gemini Virgo Libra Scorpio Aries Cancer Capricorn Aquarius Pisces Sagittarius Protestant
    Orthodox Republican Democrat Team Fine Good Great Okay Ok Sorry Done Back Here Home Sure Sick
    Tired Happy Sad Busy Late Not Just Also So Very Vegan Vegetarian Celiac Coeliac Diabetic
    Dyslexic Autistic Bipolar Gay Straight Trans Queer Single Married Divorced Pregnant Retired
    Hungry Vaccinated Mr Mrs Ms Dr God Mom Mum Dad Student Teacher Nurse Doctor Engineer Software
    Head Chief Senior
"""
_NO_NAME = frozenset(_NOBODY.split())
_OF_A_PEOPLE = re.compile(r"\w+(?:ian|ish|ese|ean|ing|ed)")
_NAMED_SO = frozenset(
    [
        "Brian",
        "Adrian",
        "Julian",
        "Vivian",
        "Lilian",
        "Lillian",
        "Damian",
        "Fabian",
        "Sebastian",
        "Christian",
        "Dorian",
        "Ian",
        "Gillian",
        "Jillian",
        "Marian",
        "Vian",
        "Cillian",
        "Cian",
        "Killian",
        "Anish",
        "Manish",
        "Satish",
        "Ashish",
        "Trish",
        "Harish",
        "Girish",
        "Sean",
        "Jean",
        "Dean",
        "Ming",
        "Ling",
        "Jing",
        "Qing",
        "Ying",
        "Ping",
        "Ning",
        "King",
        "Sterling",
        "Ted",
        "Ned",
        "Fred",
        "Jed",
        "Mohamed",
        "Mohammed",
        "Ahmed",
        "Reed",
        "Alfred",
        "Zed",
        "Jared",
        "Wilfred",
        "Khaled",
        "Sayed",
        "Saed",
        "Waleed",
    ]
)


def refine_introduced_name(groups: MatchGroups) -> MatchGroups | None:
    """A name, and no day, people or trade that is written with a capital as well."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    first = tidied["value"].split()[0]
    if first in _NO_NAME or (first.isupper() and len(first) > 1):
        return None
    if _OF_A_PEOPLE.fullmatch(first) and first not in _NAMED_SO:
        return None
    return tidied
