"""Coefficients as pictures: alpha of each scale, and metrics beside the human ceiling."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from annotation.presenters.charts import DotChart, DotRow
from scoring.stats.agreement.json_types import AgreementReport, estimates_of
from scoring.stats.agreement.verdict import ALPHA, RELIABLE, TENTATIVE
from scoring.stats.estimate import EstimateJson
from scoring.stats.evaluation.json_types import CorrelationReport

CEILING = "leave_one_out"


def estimate_dot(name: str, found: EstimateJson, url: str = "", *, hollow: bool = False) -> DotRow:
    """A coefficient of at most 1 as a row."""
    return DotRow(
        name, found["value"], found["ci_low"], found["ci_high"], hollow, url, bounded=True,
        reason=found["reason"] or "",
    )  # fmt: skip


def alphas_chart(
    found: AgreementReport, levels: Mapping[str, str], url: str = ""
) -> DotChart | None:
    """Krippendorff's alpha of each scale, at its level of measurement, with the conventional
    bounds .667 and .800. None without a scale."""
    rows = [
        estimate_dot(name, estimates_of(block)[ALPHA[levels.get(name, "ordinal")]],
                     f"{url}#scale-{at}" if url else "")
        for at, (name, block) in enumerate(found["scales"].items(), 1)
    ]  # fmt: skip
    return DotChart.of(rows, refs=(TENTATIVE, RELIABLE), most=1.0) if rows else None


def metrics_chart(
    found: CorrelationReport, human: str, urls: Mapping[str, str], *, most: int | None = None
) -> DotChart | None:
    """The Pearson correlation of each metric with people, the best first, below the ceiling: one
    annotator with the mean of the others. None without a metric."""
    part = found["human"].get(human)
    if part is None or not part["metrics"]:
        return None
    rows = [
        estimate_dot(label, one["pearson"], urls.get(label, ""))
        for label, one in part["metrics"].items()
    ]
    rows.sort(key=lambda row: -2.0 if row.value is None else -row.value)
    rows = [row for row in rows if row.value is not None] + [
        row for row in rows if row.value is None
    ]
    return DotChart.of(rows[:most], ceiling=ceiling_dot(found, human), most=1.0)


def ceiling_dot(
    found: CorrelationReport, human: str, coefficient: str = "pearson"
) -> DotRow | None:
    """The human ceiling by a coefficient; None where there is none."""
    top = found["ceiling"].get(human, {}).get(CEILING, {}).get(coefficient)
    if top is None or top["value"] is None:
        return None
    return estimate_dot(_("human ceiling"), top, hollow=True)
