"""Cues of the kinds of English statements, of people and of agents; the first that fits tells."""

from palimpsest_language.statements.kind_cue import KindCue, read_kind_cues

RELATIVES = (
    r"(?:(?:mother|father|sister|brother|son|daughter)-in-law|wife|husband|partner|fianc[eé]e?"
    r"|girlfriend|boyfriend|sons?|daughters?|kids?|child|children|baby|brothers?"
    r"|sisters?|mom|mum|mother|dad|father|parents|grand(?:ma|mother|pa|father|parents|son"
    r"|daughter)|nan|nana|gran"
    r"|cousins?|aunt|auntie|uncle|niece|nephew|boss|manager|mentor|teacher|tutor|colleagues?"
    r"|co-?workers?"
    r"|teammates?|best friend|friends?|roommate|flatmate|housemate|neighbou?rs?|landlord|landlady"
    r"|doctor|dentist"
    r"|vet|therapist|in-laws|twin|ex|PI|supervisor|professor)"
)
PETS = (
    r"(?:dog|cat|puppy|kitten|parrot|hamster|rabbit|bunny|bird|budgie|fish|turtle|tortoise|horse"
    r"|pony|snake|gecko"
    r"|guinea pig|hedgehog|ferret)s?"
)

ENGLISH_CUES: tuple[KindCue, ...] = read_kind_cues(
    "statements/english_kind_cues", {"RELATIVES": RELATIVES, "PETS": PETS}
)
