"""Each statement is another one, and as many are made as are counted."""

import pytest

from tests.faults.child_kills import Victim
from tests.faults.scale import FULL, SHORT, Scale
from tests.faults.statements import PEOPLE, statements


@pytest.mark.parametrize("scale", [SHORT, FULL], ids=lambda scale: scale.name)
def test_as_many_statements_are_made_as_are_counted(scale: Scale) -> None:
    said = statements(scale.statements)
    assert len(said) == PEOPLE
    made = [
        (statement["user_id"], statement.get("text") or statement.get("content"))
        for of_one_person in said
        for statement in of_one_person[:-1]
    ]
    assert len(made) == len(set(made)) == scale.statements
    assert {of_one_person[-1]["type"] for of_one_person in said} == {"SessionEnded"}


def test_every_process_of_a_run_is_killed() -> None:
    assert {victim.name for victim in Victim} == {
        *("BROKER", "DATABASE", "EMBEDDER", "RULES", "VECTORS")
    }
