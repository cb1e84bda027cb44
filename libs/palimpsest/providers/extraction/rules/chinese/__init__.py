"""The Chinese table: earlier rules win over later ones for the same words."""

from palimpsest.providers.extraction.rules.chinese.changes import CHANGES
from palimpsest.providers.extraction.rules.chinese.couples import COUPLES
from palimpsest.providers.extraction.rules.chinese.life import LIFE
from palimpsest.providers.extraction.rules.chinese.medicines import MEDICINES, MEDICINES_ENDED
from palimpsest.providers.extraction.rules.chinese.moving import MOVING
from palimpsest.providers.extraction.rules.chinese.oneself import ONESELF
from palimpsest.providers.extraction.rules.chinese.people import PEOPLE
from palimpsest.providers.extraction.rules.chinese.preferences import PREFERENCES
from palimpsest.providers.extraction.rules.chinese.renaming import RENAMING
from palimpsest.providers.extraction.rules.chinese.several import BEFORE_OTHERS, ENDED, HELD
from palimpsest.providers.extraction.rules.chinese.single import SINGLE
from palimpsest.providers.extraction.rules.chinese.trades import TRADES
from palimpsest.providers.extraction.rules.chinese.work import WORK
from palimpsest.providers.extraction.rules.rule import Rule

CHINESE: tuple[Rule, ...] = (
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
