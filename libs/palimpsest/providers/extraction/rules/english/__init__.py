"""The English table: earlier rules win over later ones for the same words."""

from palimpsest.providers.extraction.rules.english.changes import CHANGES
from palimpsest.providers.extraction.rules.english.couples import COUPLES
from palimpsest.providers.extraction.rules.english.introducing import INTRODUCING
from palimpsest.providers.extraction.rules.english.life import LIFE
from palimpsest.providers.extraction.rules.english.medicines import (
    MAY_NOT_TAKE,
    MEDICINES,
    MEDICINES_ENDED,
)
from palimpsest.providers.extraction.rules.english.people import PEOPLE
from palimpsest.providers.extraction.rules.english.preferences import PREFERENCES
from palimpsest.providers.extraction.rules.english.several import BEFORE_OTHERS, ENDED, HELD
from palimpsest.providers.extraction.rules.english.single import SINGLE
from palimpsest.providers.extraction.rules.english.situation import SITUATION
from palimpsest.providers.extraction.rules.english.trades import TRADES
from palimpsest.providers.extraction.rules.english.work import WORK
from palimpsest.providers.extraction.rules.rule import Rule

ENGLISH: tuple[Rule, ...] = (
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
