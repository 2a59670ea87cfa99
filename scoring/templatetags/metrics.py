"""Filters for labels and links of metrics."""

from __future__ import annotations

from django import template

from scoring.selectors.metrics import metric_of
from scoring.views.runs.resources import KINDS

register = template.Library()
register.filter("metric_of", metric_of)


@register.filter
def file_kind(kind: str) -> str:
    """The label of a kind of resource."""
    return str(KINDS[kind][0]) if kind in KINDS else kind
