"""What pages call the methods of gold."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scoring.stats.gold_table import FIRST, METHODS, VALUE_METHODS, GoldMethod

NAMES = {
    "mean": _("Mean"),
    "median": _("Median"),
    "majority": _("Majority"),
    "trimmed": _("Trimmed mean"),
    "z": _("z-scores per annotator"),
    "severity": _("Adjusted for severity"),
    "dawid-skene": _("Dawid-Skene (decisions)"),
    "mace": _("MACE (decisions)"),
}
EXPLAINED = {
    "mean": _("Mean of the ratings of a text."),
    "median": _("Middle rating; between the two middle ones their mean."),
    "majority": _("Most frequent rating; none where two are equally frequent."),
    "trimmed": _("Mean without the lowest and the highest fifth, from five ratings on."),
    "z": _(
        "Mean of the ratings in standard deviations of their annotator; not on the scale, so no "
        "threshold applies."
    ),
    "severity": _(
        "What the average annotator would give: each annotator’s harshness is estimated on the "
        "texts shared with others and taken off."
    ),
    "dawid-skene": _(
        "Most probable pass decision, each annotator weighed by error rates learnt from the data; "
        "no value on a scale."
    ),
    "mace": _(
        "Most probable pass decision, each annotator weighed by the probability that they do not "
        "guess; no value on a scale."
    ),
}


def method_choices() -> list[tuple[str, Any]]:
    """(name, what pages call it) of every method."""
    return [(name, NAMES[name]) for name in METHODS]


def value_methods() -> list[tuple[str, Any]]:
    """The same of the methods that give values on the scale, and of adjudicated values first."""
    found = [(name, NAMES[name]) for name in VALUE_METHODS]
    return [*found, (FIRST, _("Adjudicated, else the mean"))]


def asked_method(data: QueryDict) -> str:
    """The method that a form asks for: `method`, with `adjudicated` before it where ticked.

    z-scores stay alone: adjudicated values are on the scale, z-scores are not.
    """
    method = data.get("method") or "mean"
    if data.get("adjudicated") and method in METHODS and method != "z":
        return GoldMethod(method, adjudicated=True).text
    return method
