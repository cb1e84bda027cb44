"""However a person edits while memories change, no memory and no line of theirs is lost."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.palimpsest.workspace.person import STEPS, Person


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(1, 30)), max_size=40))
def test_no_memory_and_no_line_of_a_person_is_lost(steps: list[tuple[str, int]]) -> None:
    async def live() -> None:
        with TemporaryDirectory() as folder:
            person = Person(Path(folder) / "workspace")
            for number in range(6):
                await person.take("remember", number)
            await person.take("synchronise", 0)
            for step, number in steps:
                await person.take(step, number)
            await person.take("synchronise", 0)
            person.check()
            effects = len(person.services.effects)
            await person.take("synchronise", 0)
            person.check()
            assert len(person.services.effects) == effects

    asyncio.run(live())
