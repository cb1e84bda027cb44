"""Sentences with invented secrets, and sentences with values that look like some."""

import re
from dataclasses import dataclass
from random import Random

from palimpsest_language.redaction.redactor import redact
from tests.support.language.redaction.invented_values import invent_match
from tests.support.paths import ROOT

_FOLDER = ROOT / "tests" / "language" / "redaction" / "planted"
_PATTERN = re.compile(r"⟦(?P<pattern>[^⟧]+)⟧")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a run, with the start and the end of each value that was invented for it."""

    labels: tuple[str, ...]
    text: str
    values: tuple[tuple[int, int], ...]

    def count_left(self) -> int:
        """Count the values of which redaction leaves a character."""
        gone = {
            place
            for finding in redact(self.text).findings
            for place in range(finding.start, finding.end)
        }
        return sum(not set(range(start, end)) <= gone for start, end in self.values)

    def loses_anything(self) -> bool:
        """Tell whether redaction takes something out."""
        return redact(self.text).findings != ()


def read_sentences(name: str, seed: int) -> list[Sentence]:
    """Read a file of sentences, with values of this seed."""
    random = Random(seed)
    lines = (_FOLDER / f"{name}.tsv").read_text("utf-8").splitlines()
    return [_invent(line, random) for line in lines if not line.startswith("#")]


def _invent(line: str, random: Random) -> Sentence:
    *labels, written = line.split("\t")
    written = written.replace("\\n", "\n")
    text, values, position = "", [], 0
    for match in _PATTERN.finditer(written):
        text += written[position : match.start()]
        value = invent_match(match["pattern"], random)
        values.append((len(text), len(text) + len(value)))
        text += value
        position = match.end()
    return Sentence(tuple(labels), text + written[position:], tuple(values))
