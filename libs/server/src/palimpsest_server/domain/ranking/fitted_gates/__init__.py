"""Fitted gate weights, one file for each embedding model.

The weights come from a logistic regression on the signals of search hits (`bench/gate_fitting`). A
person's own questions should open the gate. Other people's questions should not, neither unchanged nor
with their names replaced by the speaker's, and neither should nonsense written for fitting. The searches
cover all of a person's records, 40 of them, or 8: messages, statements, both, and memories whose authors
labelled what matters (`bench/gate_people`).

Figures on conversations and nonsense outside the fit are in `services/recall/README.md`.
"""

from functools import cache
from pathlib import Path

from palimpsest_server.domain.ranking.gate_weights import FittedGate

DIRECTORY = Path(__file__).parent


@cache
def load_fitted_gate(model: str) -> FittedGate | None:
    """Return the weights for the embedding model of this name; None if none were fitted."""
    known = {path.stem: path for path in DIRECTORY.glob("*.json")}
    if model not in known:
        return None
    return FittedGate.model_validate_json(known[model].read_text(encoding="utf-8"))
