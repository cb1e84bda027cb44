"""A year of invented users: pure, and the same for the same seed."""

from collections.abc import Sequence
from datetime import date, timedelta
from math import ceil
from random import Random

from palimpsest.model.user import Language
from palimpsest_lab.simulation.action_generator import UserActionGenerator
from palimpsest_lab.simulation.user_actions import (
    SimulatedUser,
    SimulatedYear,
    StatementForm,
    UserAction,
)

FIRST_DAY = date(2026, 1, 1)

MESSAGES_OF_A_DAY = 4
"""Of somebody who says anything that day, on average: people talk in conversations."""

_SORTS = tuple((form, language) for form in StatementForm for language in Language)


def generate_users(how_many: int) -> list[SimulatedUser]:
    """Half of them of each form, and of each half as many of each language, as far as it goes."""
    sorts = [_SORTS[number % len(_SORTS)] for number in range(how_many)]
    return [
        SimulatedUser(user_id=f"{form}-{language}-{number:02}", form=form, language=language)
        for number, (form, language) in enumerate(sorts, start=1)
    ]


def generate_year(*, seed: int, users: int, messages: int, days: int) -> SimulatedYear:
    """Generate so many messages of so many users, spread over so many days by chance.

    What is late may speak of days before the first. Whoever is given fewer
    users than four speaks for fewer forms and languages.
    """
    everybody = generate_users(users)
    calendar = [FIRST_DAY + timedelta(days=number) for number in range(days)]
    acts: list[UserAction] = []
    for number, person in enumerate(everybody):
        # A generator of their own each: whoever is added changes nobody else's year.
        random = Random(f"{seed} {person.user_id}")  # noqa: S311 - to be repeated, not kept secret
        share = messages // users + (number < messages % users)
        acts += UserActionGenerator(person, random).acts(_days(random, calendar, share))
    # Stable: what one person does on a day stays in its order, wherever late things belong.
    return SimulatedYear(everybody, calendar, sorted(acts, key=lambda act: act.day))


def _days(random: Random, calendar: Sequence[date], messages: int) -> list[date]:
    """Return the day of each message.

    Some days of the calendar, in order, each with a few messages.
    """
    talkative = random.sample(calendar, min(len(calendar), ceil(messages / MESSAGES_OF_A_DAY)))
    further = random.choices(talkative, k=messages - len(talkative)) if talkative else []
    return sorted([*talkative, *further][:messages])
