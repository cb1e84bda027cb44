"""Small data sets in the form of public ones."""

from tests.support.paths import ROOT

TINY = ROOT / "tests" / "lab" / "datasets" / "tiny_dialogues.json"
"""Two dialogues with questions, in the form of LoCoMo."""
