"""PromQL that is written often."""

from deploy.grafana.panels import Query

WINDOW = "$__rate_interval"
METRIC_PREFIX = "palimpsest_"


def rate(metric: str, *by: str, where: str = "") -> str:
    """Per second, of a counter, summed over all processes."""
    return f"{_sum(by)}(rate({METRIC_PREFIX}{metric}_total{_braced(where)}[{WINDOW}]))"


def quantile(share: float, histogram: str, *by: str, where: str = "") -> str:
    buckets = f"rate({METRIC_PREFIX}{histogram}_bucket{_braced(where)}[{WINDOW}])"
    return f"histogram_quantile({share}, {_sum(('le', *by))}({buckets}))"


def mean(histogram: str, *by: str, where: str = "") -> str:
    parts = (
        f"{_sum(by)}(rate({METRIC_PREFIX}{histogram}_{part}{_braced(where)}[{WINDOW}]))"
        for part in ("sum", "count")
    )
    return " / ".join(parts)


def aggregate_gauge(metric: str, *by: str, function: str = "sum") -> str:
    """Sum a gauge over all processes."""
    return (
        f"{function} by ({', '.join(by)}) ({METRIC_PREFIX}{metric})"
        if by
        else f"{function}({METRIC_PREFIX}{metric})"
    )


def default_to_zero(expression: str) -> str:
    """For what seldom happens: a counter with labels has no series before the first time."""
    return f"{expression} or vector(0)"


def legend_for(*labels: str) -> str:
    return " · ".join(f"{{{{{label}}}}}" for label in labels)


def quantile_queries(histogram: str, *, where: str = "") -> tuple[Query, ...]:
    shares = (0.5, 0.95, 0.99)
    return tuple(
        Query(quantile(share, histogram, where=where), f"p{share * 100:g}") for share in shares
    )


def rate_queries(metric: str, *labels: str) -> tuple[Query, ...]:
    return (Query(rate(metric, *labels), legend_for(*labels)),)


def _sum(labels: tuple[str, ...]) -> str:
    return f"sum by ({', '.join(labels)}) " if labels else "sum"


def _braced(where: str) -> str:
    return f"{{{where}}}" if where else ""
