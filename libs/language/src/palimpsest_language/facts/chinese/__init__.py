"""The Chinese table: earlier rules win over later ones for the same words."""

from palimpsest_language.facts.chinese.changes import CHANGES
from palimpsest_language.facts.chinese.couples import COUPLES
from palimpsest_language.facts.chinese.decisions_and_tasks import WORK
from palimpsest_language.facts.chinese.goals_and_events import LIFE
from palimpsest_language.facts.chinese.medicines import MEDICINES, MEDICINES_ENDED
from palimpsest_language.facts.chinese.multi_valued import BEFORE_OTHERS, ENDED, HELD
from palimpsest_language.facts.chinese.occupations import TRADES
from palimpsest_language.facts.chinese.people import PEOPLE
from palimpsest_language.facts.chinese.person_names import RENAMING
from palimpsest_language.facts.chinese.preferences import PREFERENCES
from palimpsest_language.facts.chinese.relocations import MOVING
from palimpsest_language.facts.chinese.self_descriptions import ONESELF
from palimpsest_language.facts.chinese.single_valued import SINGLE
from palimpsest_language.facts.rule import FactRule

CHINESE: tuple[FactRule, ...] = (
    *MEDICINES_ENDED,
    *MEDICINES,
    *CHANGES,
    *COUPLES,
    *TRADES,
    *ENDED,
    *ONESELF,
    *RENAMING,
    *BEFORE_OTHERS,
    *PEOPLE,
    *MOVING,
    *PREFERENCES,
    *WORK,
    *LIFE,
    *HELD,
    *SINGLE,
)
