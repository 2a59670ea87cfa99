"""Filters for labels and links of metrics, and the warning about intervals from few phrases."""

from __future__ import annotations

from django import template

from scoring.metrics.registry import printed
from scoring.resources.views import KINDS
from scoring.runs.metric_choices import metric_of
from scoring.stats.intervals import clusters_behind, few_clusters

register = template.Library()
register.filter("metric_of", metric_of)
register.filter("printed", printed)


@register.filter
def file_kind(kind: str) -> str:
    """The label of a kind of resource."""
    return str(KINDS[kind][0]) if kind in KINDS else kind


@register.inclusion_tag("scoring/_few_originals.html")
def few_originals(report: object) -> dict[str, object]:
    """The warning about intervals from few phrases, of a report that has none of its own."""
    return {"found": {"warning": few_clusters(clusters_behind(report))}}
