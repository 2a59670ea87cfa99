"""Filters for labels and links of metrics."""

from __future__ import annotations

from django import template

from scoring.metrics.registry import printed
from scoring.resources.views import KINDS
from scoring.runs.metric_choices import metric_of

register = template.Library()
register.filter("metric_of", metric_of)
register.filter("printed", printed)


@register.filter
def file_kind(kind: str) -> str:
    """The label of a kind of resource."""
    return str(KINDS[kind][0]) if kind in KINDS else kind
