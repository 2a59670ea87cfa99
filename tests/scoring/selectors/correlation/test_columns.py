"""What people say and what metrics say, as columns on the same units."""

import numpy as np
import pytest

from scoring.correlation.report import columns_get, correlation_for
from scoring.ratings.choice import Choice
from tests.scoring.selectors.points import points_get
from tests.scoring.selectors.ratings.reversed import ERRORS, reversed_campaign
from tests.scoring.views.site import done_run


@pytest.mark.parametrize("errors", [True, False])
def test_larger_is_better_in_every_column_of_correlation(errors):
    """The metric counts errors as people do, or the opposite of them."""
    campaign = reversed_campaign()
    # "one" has most errors.
    values = {text: 1 - value if errors else value for text, value in ERRORS.items()}
    run = done_run(campaign, values, higher_is_better=not errors)
    columns = columns_get(campaign=campaign)
    assert columns.turned_human == ("MEANING",)
    said, better = columns.gold["MEANING"], columns.human["MEANING"]
    assert np.allclose(better, -said) and np.nanargmax(better) == np.nanargmin(said)
    [metric] = columns.metrics.values()
    assert np.corrcoef(metric, better)[0, 1] > 0.9
    points = points_get(campaign=campaign, run=run, human="MEANING")
    assert np.corrcoef(*points.better)[0, 1] > 0.9
    report = correlation_for(campaign=campaign, choice=Choice())
    assert report["turned"] == ["MEANING"]
    assert [one["turned"] for one in report["runs"]] == [errors]
    [found] = report["human"]["MEANING"]["metrics"].values()
    assert found["pearson"]["value"] > 0.9
