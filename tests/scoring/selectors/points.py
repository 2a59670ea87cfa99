"""The texts with a metric and a scale, as pages have them."""

from __future__ import annotations

from annotation.models import Campaign
from scoring.models import Run
from scoring.selectors.correlation.one_metric import Points, points_for, points_of
from scoring.selectors.ratings.tables import Choice


def points_get(*, campaign: Campaign, run: Run, human: str) -> Points:
    asked = {"run": str(run.key), "scale": human}
    return points_of(
        campaign=campaign, found=points_for(campaign=campaign, choice=Choice(), asked=asked)
    )
