"""One metric against people, text by text: the points, and what they are when looked at."""

from scoring.models import Run
from tests.scoring.selectors.points import points_get


def test_lower_is_better_turns_the_order_but_not_the_values(one_world):
    campaign, run, _ = one_world
    Run.objects.filter(pk=run.pk).update(higher_is_better=False)
    run.refresh_from_db()
    points = points_get(campaign=campaign, run=run, human="MEANING")
    higher, _lower = points.disagreements()
    assert points.metric.min() == 0 and higher[0].point.metric == 1
