"""What opens a gate in tests: as it was fitted once, and stays whatever is fitted since."""

from palimpsest_server.domain.ranking.gate_weights import GateWeights

ENGLISH = GateWeights(
    constant=2.347,
    nearest=0.580,
    above_all=0.958,
    above_fifth=-1.010,
    coverage=4.947,
    lexical_gap=1.044,
    agreement=0.230,
    finds=-2.689,
    fewest=8,
    opens_from=-2.2,
    opens_among_memories=-2.2,
    opens_from_deviations=6.0,
    opens_among_few=6.0,
    relevant_deviations=5.0,
)
