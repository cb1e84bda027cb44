"""Conventions of metrics: names, labels and buckets.

Names are `palimpsest_<stage>_<what>_<unit>`, counters end in `_total`, times
are seconds. Labels say stage, topic, reason, outcome, provider: things there
are few of. Users, sessions, agents and texts are never labels. What all
stages share (rates, failures by reason, durations, lag, oldest pending,
freshness) is in `palimpsest.delivery.metrics`, under `palimpsest_stage_`.
"""

from palimpsest.delivery.metrics import DURATION_BUCKETS_SECONDS, FRESHNESS_BUCKETS_SECONDS

__all__ = ["DURATION_BUCKETS_SECONDS", "FRESHNESS_BUCKETS_SECONDS"]
