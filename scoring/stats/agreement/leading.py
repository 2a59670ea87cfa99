"""Which coefficients come first for a scale, and which have no meaning for its values.

Nominal values have neither order nor distance, so a coefficient that uses these says nothing about
them. With two values all weighted forms equal the unweighted ones. Pages, papers and commands take
the choice from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from scoring.stats.agreement.catalogue import Coefficient, coefficients
from scoring.stats.agreement.families import OfRankings, OfReliability

Fit = Literal["names", "two values", "ordered"]
OF_NAMES = ("alpha_nominal", "percent_agreement", "cohen_kappa_pooled", "gwet_ac1")
BESIDE = ("percent_agreement", "within_one", "gwet_ac2")


def fit_of(level: str, n_levels: int) -> Fit:
    """Return what a scale of that level of measurement with so many values is to its statistics."""
    if n_levels == 2:
        return "two values"
    return "names" if level == "nominal" else "ordered"


def fit_of_answer(answer: Mapping[str, Any] | None) -> Fit:
    """Return the fit that a report names, where `answer` is None that of pass decisions; a report
    of the version before shows it by its coefficient."""
    if answer is None:
        return "two values"
    if "fit" in answer:
        return cast(Fit, answer["fit"])
    return "names" if answer["coefficient"] == "alpha_nominal" else "ordered"


def leading(answer: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the names of the coefficients that lead, in order."""
    if answer is None or fit_of_answer(answer) != "ordered":
        return OF_NAMES
    icc = answer["icc"]
    return (answer["coefficient"], icc, icc.replace("k", "1"), *BESIDE)


def fits(one: Coefficient, fit: Fit) -> bool:
    """Whether a coefficient says something of its own about such a scale.

    On two values an intraclass correlation and Kendall's W can be computed, so they stay, but do
    not lead.
    """
    if fit == "ordered":
        return True
    ranks = isinstance(one.how, OfRankings | OfReliability)
    return one.of_passes and not (ranks and fit == "names")


def fitting(answer: Mapping[str, Any] | None) -> list[str]:
    """Return all names that fit: those that lead, then the others in the order of the catalogue."""
    head, fit = leading(answer), fit_of_answer(answer)
    rest = [key for key, one in coefficients().items() if key not in head and fits(one, fit)]
    return [*head, *rest]


def unfit(answer: Mapping[str, Any] | None) -> list[str]:
    """Return the names of the coefficients that do not fit."""
    shown = fitting(answer)
    return [key for key in coefficients() if key not in shown]
