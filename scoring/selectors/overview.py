"""What administrators see of every campaign."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from annotation.models import Annotator, Campaign
from scoring.models import Report, Run
from scoring.selectors.ratings import Choice


def with_last_run_and_report(campaigns: QuerySet[Campaign, Any]) -> QuerySet[Campaign, Any]:
    """The campaigns with `agreement` (scales of the newest report), `agreement_at`, `run_label`,
    `run_status`, `run_at`, `run_done`, `run_total` and `simulated`; still one query."""
    reports = Report.objects.filter(
        campaign=OuterRef("pk"),
        kind="agreement",
        options_hash=Choice().digest(),
        status=Report.Status.DONE,
    ).order_by("-pk")
    runs = Run.objects.filter(campaign=OuterRef("pk")).order_by("-pk")
    simulated = Annotator.objects.filter(campaign=OuterRef("pk"), origin=Annotator.Origin.SIMULATED)
    return campaigns.annotate(
        agreement=Subquery(reports.values("result__scales")[:1]),
        agreement_at=Subquery(reports.values("finished_at")[:1]),
        run_label=Subquery(runs.values("label")[:1]),
        run_status=Subquery(runs.values("status")[:1]),
        run_at=Subquery(runs.values("created_at")[:1]),
        run_done=Subquery(runs.values("done")[:1]),
        run_total=Subquery(runs.values("total")[:1]),
        simulated=Subquery(simulated.values("pk")[:1]),
    )
