"""deploy/Dockerfile read as instructions, so that its steps can be run without Docker."""

import re
from dataclasses import dataclass

from tests.support.paths import ROOT

FILE = ROOT / "deploy" / "Dockerfile"


@dataclass(frozen=True)
class Instruction:
    stage: int
    word: str
    rest: str


def instructions() -> list[Instruction]:
    """In order; continued lines joined, comments left out."""
    lines = [line for line in FILE.read_text().splitlines() if not line.lstrip().startswith("#")]
    found: list[Instruction] = []
    stage = -1
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        word, _, rest = line.strip().partition(" ")
        if not word:
            continue
        stage += word == "FROM"
        found.append(Instruction(stage, word, rest.strip()))
    return found


def environment(stage: int) -> dict[str, str]:
    given = " ".join(
        instruction.rest
        for instruction in instructions()
        if (instruction.stage, instruction.word) == (stage, "ENV")
    )
    return dict(re.findall(r"(\w+)=(\S+)", given))
