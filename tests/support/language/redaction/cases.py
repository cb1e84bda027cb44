"""Cases of redaction, written before the rules: texts in which what must go is marked."""

import re
from dataclasses import dataclass

from palimpsest_language.redaction.policy import EVERYTHING
from palimpsest_language.redaction.redactor import redact
from tests.support.paths import ROOT

_GOLDEN = ROOT / "tests" / "language" / "redaction" / "golden"
_MARKED = re.compile(r"⟦(?P<kind>[a-z_]+):(?P<secret>[^⟧]*)⟧")
_SCANNERS_STUMBLE = "¦"
"""Put into inventions that would be taken for leaks of real keys; no part of the text."""


@dataclass(frozen=True)
class Case:
    language: str
    text: str
    secrets: tuple[tuple[str, int, int], ...]
    """Kind, start and end."""

    @property
    def innocent(self) -> bool:
        return not self.secrets


@dataclass(frozen=True)
class Figures:
    """How the rules do on cases, with every kind taken out."""

    missed: tuple[str, ...]
    """Cases of which something secret is left."""
    false_alarms: tuple[str, ...]
    """Innocent cases of which something was taken out."""
    overreaching: tuple[str, ...]
    """Cases with secrets of which something else went too."""
    other_kind: tuple[str, ...]
    recall: float
    """Of the secrets, those of which no character is left."""
    false_alarm_rate: float
    """Of the innocent cases."""


def cases(name: str) -> list[Case]:
    lines = (_GOLDEN / f"{name}.tsv").read_text().splitlines()
    return [_case(line) for line in lines if not line.startswith("#")]


def _case(line: str) -> Case:
    _, language, written = line.replace(_SCANNERS_STUMBLE, "").replace("\\n", "\n").split("\t")
    text, secrets, position = "", [], 0
    for match in _MARKED.finditer(written):
        text += written[position : match.start()]
        secrets.append((match["kind"], len(text), len(text) + len(match["secret"])))
        text += match["secret"]
        position = match.end()
    return Case(language, text + written[position:], tuple(secrets))


def figures(tried: list[Case]) -> Figures:
    missed: list[str] = []
    false_alarms: list[str] = []
    overreaching: list[str] = []
    other_kind: list[str] = []
    found = total = 0
    for case in tried:
        findings = redact(case.text, EVERYTHING).findings
        gone = {place for finding in findings for place in range(finding.start, finding.end)}
        secret = {place for _, start, end in case.secrets for place in range(start, end)}
        kept = [secret for secret in case.secrets if not set(range(*secret[1:])) <= gone]
        total += len(case.secrets)
        found += len(case.secrets) - len(kept)
        if kept:
            missed.append(case.text)
        if gone - secret:
            (false_alarms if case.innocent else overreaching).append(case.text)
        elif not kept and [finding.kind for finding in findings] != [
            kind for kind, *_ in case.secrets
        ]:
            other_kind.append(case.text)
    innocent = sum(case.innocent for case in tried)
    return Figures(
        missed=tuple(missed),
        false_alarms=tuple(false_alarms),
        overreaching=tuple(overreaching),
        other_kind=tuple(other_kind),
        recall=found / total,
        false_alarm_rate=len(false_alarms) / innocent,
    )
