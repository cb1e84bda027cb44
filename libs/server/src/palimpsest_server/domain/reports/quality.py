"""Compute the quality of a namespace's memories, in figures without content.

The consolidator computes it every night.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from statistics import fmean

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.quality_report import QualityReport, RecallProbe
from palimpsest_server.domain.consolidation.memory_keys import content_key
from palimpsest_server.domain.reports.contradictions import (
    count_marked_contradictions,
    find_contradictions,
)

_EVER_KEPT = (Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED, Status.FORGOTTEN)


def build_quality_report(
    memories: Sequence[Memory], *, day: date, drift: int | None, probe: RecallProbe | None
) -> QualityReport:
    """Build the report of one namespace from all its memories."""
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    by_status = Counter(memory.status for memory in memories)
    same = Counter(content_key(memory) for memory in active)
    return QualityReport(
        day=day,
        by_kind=dict(sorted(Counter(memory.kind for memory in active).items())),
        by_status=dict(sorted(by_status.items())),
        contradictions=len(find_contradictions(active)) + count_marked_contradictions(active),
        duplicates=sum(count - 1 for count in same.values()),
        forgotten_share=_forgotten_share(by_status),
        average_importance=round(fmean(memory.importance for memory in active), 4)
        if active
        else 0.0,
        drift=drift,
        probe=probe,
    )


def merge_quality_reports(reports: Iterable[QualityReport]) -> QualityReport | None:
    """Merge several reports into one; None if there are none."""
    all_of_them = list(reports)
    if not all_of_them:
        return None
    by_kind: Counter[Kind] = Counter()
    by_status: Counter[Status] = Counter()
    for report in all_of_them:
        by_kind.update(report.by_kind)
        by_status.update(report.by_status)
    active = by_status[Status.ACTIVE]
    weighed = sum(
        report.average_importance * report.by_status.get(Status.ACTIVE, 0) for report in all_of_them
    )
    drifts = [report.drift for report in all_of_them if report.drift is not None]
    probes = [report.probe for report in all_of_them if report.probe is not None]
    return QualityReport(
        day=max(report.day for report in all_of_them),
        by_kind=dict(sorted(by_kind.items())),
        by_status=dict(sorted(by_status.items())),
        contradictions=sum(report.contradictions for report in all_of_them),
        duplicates=sum(report.duplicates for report in all_of_them),
        forgotten_share=_forgotten_share(by_status),
        average_importance=round(weighed / active, 4) if active else 0.0,
        drift=sum(drifts) if drifts else None,
        probe=RecallProbe(
            asked=sum(probe.asked for probe in probes), found=sum(probe.found for probe in probes)
        )
        if probes
        else None,
    )


def _forgotten_share(by_status: Mapping[Status, int]) -> float:
    kept = sum(by_status.get(status, 0) for status in _EVER_KEPT)
    return round(by_status.get(Status.FORGOTTEN, 0) / kept, 4) if kept else 0.0
