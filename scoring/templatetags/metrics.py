"""Labels and links of metrics, the warning about intervals from few phrases, the detail of a score,
and fields of the small forms above reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

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


# The detail of a score.


@register.filter
def shape(value: object) -> str:
    """The layout of a detail: names (of values), rows (lists in a list), list, or plain."""
    if isinstance(value, Mapping):
        return "names"
    if not isinstance(value, list | tuple):
        return "plain"
    return "rows" if any(isinstance(one, list | tuple | Mapping) for one in value) else "list"


@register.filter
def spaced(name: object) -> str:
    """Replace underscores by spaces: `extra_words` gives "extra words"."""
    return str(name).replace("_", " ")


# Fields of the small forms above reports, which have no form class.


@register.inclusion_tag("parts/select.html")
def select_field(
    name: str,
    label: str,
    options: Iterable[str | tuple[Any, Any]],
    chosen: object = None,
    *,
    help: str = "",
) -> dict[str, object]:
    """A labelled select: `options` are values, or pairs of value and label."""
    pairs = [one if isinstance(one, tuple | list) else (one, one) for one in options or ()]
    return {"name": name, "label": label, "options": pairs, "chosen": chosen, "help": help}
