"""The texts with a metric and a scale, as pages have them."""

from scoring.correlation.one_metric import points_for, points_of
from scoring.ratings.choice import Choice


def points_get(*, campaign, run, human):
    asked = {"run": str(run.key), "scale": human}
    return points_of(
        campaign=campaign, report=points_for(campaign=campaign, choice=Choice(), parameters=asked)
    )
