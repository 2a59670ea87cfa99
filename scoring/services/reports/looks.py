"""Count the states of the judgments in which comparisons were looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.models import Campaign
from scoring.models import Look
from scoring.selectors.ratings.choice import Choice
from scoring.stats.significance.looks import looks_told

COMPARE = {
    "results": Look.About.RESULTS,
    "results-gold": Look.About.RESULTS,
    "correlation": Look.About.CORRELATION,
}


def look_note(
    *, campaign: Campaign, kind: str, choice: Choice, state: str, result: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Note the look and return the result with `looks`; others and those that compare nothing are
    returned as they are. Call it in the transaction that stores the report.

    A look at chosen judgments is a look at the state that they are of. One as of a past day looks
    at what was there before: it tells the number and adds nothing to it.
    """
    about = COMPARE.get(kind)
    if about is None or not _compares(result):
        return result
    if not choice.as_of:
        Look.objects.get_or_create(campaign=campaign, about=about, state=state)
    states = list(
        Look.objects.filter(campaign=campaign, about=about).values_list("state", flat=True)
    )
    unknown = "" in states
    looks = looks_told(len(states) - unknown, unknown_before=unknown)
    return {**result, "looks": looks}


def _compares(result: Mapping[str, Any]) -> bool:
    """Whether there are two systems, or two metrics, that could be called different."""
    if "pairs" in result:
        return bool(result["pairs"])
    return any(part["comparisons"] for part in result.get("human", {}).values())
