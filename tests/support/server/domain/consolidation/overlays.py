"""Overlays in which candidates were decided already."""

from palimpsest.model.memory import Candidate, Memory
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import day


def ids(overlay: Overlay) -> list[str]:
    return list(overlay._memories)


def known(*candidates: Candidate) -> Overlay:
    overlay = Overlay()
    for number, candidate in enumerate(candidates):
        decide_candidate(overlay, candidate, received_at=day(100 + number), epoch=0)
    overlay.take_changes()
    return overlay


def one(overlay: Overlay, number: int = 0) -> Memory:
    memory = overlay.get(ids(overlay)[number])
    assert memory is not None
    return memory
