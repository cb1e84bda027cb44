"""Fitted gate weights, one file for each embedding model.

A logistic regression on what finds tell of a question (`bench/gate_fitting`), on
people whose own questions it lets in and keeps out those of the others, as they
are and with the names exchanged for those of whoever speaks, and nonsense written
for fitting; among all that is remembered, 40 and 8 of it: messages, statements,
both, and memories whose authors labelled what matters (`bench/gate_people`).

What was measured on conversations and nonsense that it was not fitted on stands
in `services/recall/README.md`.
"""

from functools import cache
from pathlib import Path

from palimpsest_server.domain.ranking.gate_weights import FittedGate

DIRECTORY = Path(__file__).parent


@cache
def load_fitted_gate(model: str) -> FittedGate | None:
    """Return the weights for the embedding model of this name; None where none were fitted."""
    known = {path.stem: path for path in DIRECTORY.glob("*.json")}
    if model not in known:
        return None
    return FittedGate.model_validate_json(known[model].read_text(encoding="utf-8"))
