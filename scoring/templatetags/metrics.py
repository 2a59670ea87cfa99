"""Words and links about metrics."""

from __future__ import annotations

from django import template

from scoring.selectors.metrics import metric_of
from scoring.views.resources import KINDS

register = template.Library()
register.filter("metric_of", metric_of)


@register.filter
def file_kind(kind: str) -> str:
    """What people call a kind of files that metrics need."""
    return str(KINDS[kind][0]) if kind in KINDS else kind
