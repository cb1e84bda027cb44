"""A kind that is added to one file is taken up everywhere, or the program names what it lacks."""

from pathlib import Path

import pytest

from palimpsest.model import kinds
from tests.support.altered_program import (
    Alteration,
    AlteredProgram,
    read_source,
    replace_once,
)

MEMBER = '    CONTEXT = "context"\n'
ROW = """
    Kind.APPOINTMENT: KindProperties(
        hint=ModelHint(english="when somebody is expected", chinese="与人约好的时间"),
        importance=0.7,
        lifetime=Lifetime.WORKING,
        aliases=("booking",),
        file=MemoryFile.MEMORY,
        evidence_from=_BOTH,
        section=EVENTS,
        profile_part=ProfilePart.PRESENT,
        sharing=SharingLevel.PROJECT,
        is_todo=True,
        is_lasting=True,
        is_always_about_user=True,
        is_about_somebody=True,
        has_weights=False,
        times=KindTimes(
            is_plannable=True,
            is_dated=True,
            is_at_a_time=True,
            is_occurrence=True,
            is_state=False,
            has_clock_time=True,
            may_tell_plan=True,
            may_tell_habit=True,
            has_quantity=True,
        ),
        wording=Wording.THING | Wording.AGENT_WISH | Wording.AVERSION | Wording.SEPARATION,
    ),
}
"""


def altered(
    directory: Path, row: str, member: str = '    APPOINTMENT = "appointment"\n'
) -> AlteredProgram:
    text = replace_once(read_source(kinds), MEMBER, MEMBER + member)
    text = replace_once(
        text, "    ),\n}\n", "    ),\n" + row.lstrip("\n") if row else "    ),\n}\n"
    )
    return AlteredProgram(directory, Alteration(kinds, text))


TAKEN_UP = """
from datetime import UTC, datetime
from palimpsest.model.kinds import Kind, parse_kind
from palimpsest.model.memory import MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language, SharingPolicy
from palimpsest_language.addressees import WISH_KINDS
from palimpsest_language.plans.plan_text import PLAN_KINDS
from palimpsest_language.plans.chinese import MEANT_IN_WORDS
from palimpsest_language.scoring.candidate_proposals import SCORED_KINDS
from palimpsest_language.scoring.weights import load_shipped_weights
from palimpsest_server.domain.context.formats.layered import write_layered
from palimpsest_server.domain.context.material import ContextItem, ContextMaterial
from palimpsest_server.domain.sharing_policy import resolve_shared_scope
from palimpsest_server.extraction.profiles import local_profiles
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.prompts.extraction import FoundMemory, build_extraction_prompt
from tests.support.windows import window
from palimpsest.events.extractor_requests import ProfileFact
from palimpsest.model.kind_properties import ProfilePart
from palimpsest.client.client import PalimpsestClient
from palimpsest.api.command_requests import AddRequest
import services.consolidator.app
import services.extractor.app
import services.recall.app

kind = Kind.APPOINTMENT
talk = Scope(user_id="ann", agent_id="coach", project_id="marathon")
found["planning"] = kind in PLAN_KINDS and kind in MEANT_IN_WORDS
found["wishes"] = kind in WISH_KINDS
found["outside"] = parse_kind("booking") is kind
found["asked_of_models"] = kind.value in json.dumps(FoundMemory.model_json_schema())
prompts = [build_extraction_prompt(build_extraction_request(window("x")), language) for language in Language]
found["explained"] = [
    [line for line in prompt.instructions.splitlines() if line.startswith("- appointment")]
    for prompt in prompts
]
found["evidence"] = ["appointments may rest" in prompts[1].instructions, "appointment 也可以" in prompts[0].instructions]
found["over_http"] = AddRequest.model_validate({"content": "x", "kind": "booking"}).kind.value
scope = resolve_shared_scope(SharingPolicy.LAYERED, kind, about_user=False, conversation=talk)
found["project"] = scope.project_id
item = ContextItem(1, "the dentist on Friday", kind=kind)
found["context"] = write_layered(ContextMaterial(Language.ENGLISH, items=(item,))).block
facts = [ProfileFact(kind=kind, content="sees the dentist")]
found["told"] = local_profiles._of(facts, ProfilePart.PRESENT)
found["dated"] = parse_kind("booking").times.is_dated
found["scored"] = kind in SCORED_KINDS
load_shipped_weights()
"""


def test_a_new_kind_is_taken_up_by_its_row_alone(tmp_path: Path) -> None:
    found = altered(tmp_path, ROW).run(TAKEN_UP)
    assert found["planning"]
    assert found["wishes"]
    assert found["outside"]
    assert found["asked_of_models"]
    assert sorted(found["explained"]) == [
        ["- appointment: when somebody is expected"],
        ["- appointment：与人约好的时间"],
    ]
    assert found["evidence"]
    assert found["over_http"] == "appointment"
    assert found["project"] == "marathon"
    assert "the dentist on Friday" in found["context"]
    assert found["told"] == ["sees the dentist"]
    assert found["dated"]
    assert not found["scored"]


def test_a_kind_without_a_row_stops_the_program(tmp_path: Path) -> None:
    refusal = altered(tmp_path, "").refusal("")
    assert "KINDS has no row for appointment" in refusal


@pytest.mark.parametrize(
    "name",
    [
        "hint",
        "is_plannable",
        "is_dated",
        "is_todo",
        "is_lasting",
        "sharing",
        "profile_part",
        "file",
    ],
)
def test_a_row_without_a_property_stops_the_program(name: str, tmp_path: Path) -> None:
    lines = [line for line in ROW.splitlines() if not line.strip().startswith(f"{name}=")]
    refusal = altered(tmp_path, "\n".join(lines) + "\n").refusal("")
    assert f"\n{name}\n  Field required" in refusal


@pytest.mark.parametrize(
    "evidence", ["_USER", "_BOTH", "frozenset({EvidenceSource.SEVERAL_MEMORIES})"]
)
def test_a_kind_that_models_are_to_find_without_a_hint_stops_the_program(
    evidence: str, tmp_path: Path
) -> None:
    hint = ROW[ROW.index("hint=") : ROW.index("        importance=")].strip()
    row = replace_once(
        replace_once(ROW, hint, "hint=None,"), "evidence_from=_BOTH", f"evidence_from={evidence}"
    )
    refusal = altered(tmp_path, row).refusal("")
    assert "models are to find appointment, and the row has no hint" in refusal


def test_a_kind_that_claims_weights_that_nobody_fitted_stops_the_program(tmp_path: Path) -> None:
    row = replace_once(ROW, "has_weights=False", "has_weights=True")
    refusal = altered(tmp_path, row).refusal(
        "from palimpsest_language.scoring.weights import load_shipped_weights\n"
        "load_shipped_weights()\n"
    )
    assert "appointment" in refusal
    assert "has_weights=False" in refusal
