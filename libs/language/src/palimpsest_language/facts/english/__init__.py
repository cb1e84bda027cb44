"""The English table: earlier rules win over later ones for the same words."""

from palimpsest_language.facts.english.changes import CHANGES
from palimpsest_language.facts.english.couples import COUPLES
from palimpsest_language.facts.english.decisions_and_tasks import WORK
from palimpsest_language.facts.english.goals_and_events import LIFE
from palimpsest_language.facts.english.introductions import INTRODUCING
from palimpsest_language.facts.english.medicines import MAY_NOT_TAKE, MEDICINES, MEDICINES_ENDED
from palimpsest_language.facts.english.multi_valued import BEFORE_OTHERS, ENDED, HELD
from palimpsest_language.facts.english.occupation_changes import TRADES
from palimpsest_language.facts.english.people import PEOPLE
from palimpsest_language.facts.english.preferences import PREFERENCES
from palimpsest_language.facts.english.single_valued import SINGLE
from palimpsest_language.facts.english.situation import SITUATION
from palimpsest_language.facts.rule import FactRule

ENGLISH: tuple[FactRule, ...] = (
    *MAY_NOT_TAKE,
    *MEDICINES_ENDED,
    *MEDICINES,
    *SITUATION,
    *CHANGES,
    *TRADES,
    *ENDED,
    *BEFORE_OTHERS,
    *PEOPLE,
    *INTRODUCING,
    *PREFERENCES,
    *WORK,
    *COUPLES,
    *LIFE,
    *HELD,
    *SINGLE,
)
