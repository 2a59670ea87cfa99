"""Labels of the gold methods."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from paraanno.translated import translated, translated_lazy
from scoring.stats.gold.catalogue import CATALOGUE, METHODS
from scoring.stats.gold.table import FIRST, GoldMethod


def method_label(name: str) -> str:
    """The label of a method."""
    return translated(METHODS[name].label)


def method_choices() -> list[tuple[str, Any]]:
    """Name and label of every method."""
    return [(one.key, translated_lazy(one.label)) for one in CATALOGUE]


def value_methods() -> list[tuple[str, Any]]:
    """The same for methods that give values on the scale, and for adjudicated values, which come
    first."""
    found = [(one.key, translated_lazy(one.label)) for one in CATALOGUE if not one.decides]
    return [*found, (FIRST, _("Adjudicated, else the mean"))]


def asked_method(data: QueryDict) -> str:
    """The method chosen in a form: `method`, preceded by `adjudicated` if ticked.

    z-scores are not combined with adjudicated values, which are on the scale.
    """
    method = data.get("method") or "mean"
    if data.get("adjudicated") and method in METHODS and METHODS[method].on_scale:
        return GoldMethod(method, adjudicated=True).text
    return method
