"""Alpha of each scale and metrics below the ceiling, as rows of a chart."""

import pytest

from scoring.agreement.words import alphas_chart, metrics_chart

pytestmark = pytest.mark.django_db  # The ceiling's name is translated.


def estimate(value):
    ends = (None, None) if value is None else (value - 0.1, value + 0.1)
    return {"value": value, "ci_low": ends[0], "ci_high": ends[1], "n": 9, "reason": "none"}


FOUND = {
    "human": {
        "M": {
            "metrics": {
                name: {"pearson": estimate(value)}
                for name, value in (("a", 0.2), ("b", None), ("c", 0.5))
            }
        }
    },
    "ceiling": {"M": {"leave_one_out": {"pearson": estimate(0.8)}}},
    "runs": [],
}


def test_metrics_stand_best_first_below_the_ceiling():
    chart = metrics_chart(FOUND, "M", {"c": "/c/"})
    assert chart is not None and chart.ceiling is not None
    assert [row.name for row in chart.rows] == ["c", "a", "b"]
    assert chart.rows[0].url == "/c/" and chart.rows[0].shown == ".50"
    assert chart.rows[2].shown == "–" and chart.rows[2].reason == "none"
    assert chart.ceiling.hollow and chart.ceiling.ends == "[.70, .90]"
    assert [row.name for row in (metrics_chart(FOUND, "M", {}, most=1) or chart).rows] == ["c"]


def test_without_metrics_or_ceiling():
    assert metrics_chart(FOUND, "other", {}) is None
    bare = {**FOUND, "ceiling": {"M": {"leave_one_out": {"pearson": estimate(None)}}}}
    chart = metrics_chart(bare, "M", {})
    assert chart is not None and chart.ceiling is None


def test_alpha_is_that_of_the_level_of_measurement():
    names = ("alpha_nominal", "alpha_ordinal", "alpha_interval")
    block = {name: estimate(0.1 * at) for at, name in enumerate(names, 5)}
    found = {"scales": {"M": block, "N": block}}
    chart = alphas_chart(found, {"M": "ordinal", "N": "nominal"}, "/agreement/")
    assert chart is not None
    assert [row.shown for row in chart.rows] == [".60", ".50"]
    assert chart.rows[1].url == "/agreement/#scale-2"
    assert chart.refs == (0.667, 0.8)
    assert alphas_chart({"scales": {}, "voices": []}, {}) is None
