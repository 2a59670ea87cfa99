"""May a metric be used in place of people? By the interval of its share of one more person."""

import pytest

from scoring.stats.evaluation.verdicts import metric_verdict


def report(share, person=(0.9, 0.8, 0.95), own=(0.5, 0.4, 0.6)):
    def estimate(of):
        return dict(zip(("value", "ci_low", "ci_high"), of, strict=True))

    block = {
        "metrics": {"chrf": {"pearson": estimate(own)}},
        "against_ceiling": {"chrf": {"pearson": {"share": estimate(share)}}},
    }
    ceiling = {"M": {"leave_one_out": {"pearson": estimate(person)}}}
    return {"human": {"M": block}, "ceiling": ceiling}


@pytest.mark.parametrize(
    ("share", "code"),
    [
        ((1.1, 1.0, 1.2), "person"),
        ((0.9, 0.8, 1.0), "open"),
        ((0.9, 0.8, 0.99), "compares"),
        ((0.4, 0.317, 0.5), "compares"),
        ((0.4, 0.316, 0.5), "unsure"),  # The floor is sqrt(.1) = .3162.
        ((0.2, 0.1, 0.317), "unsure"),
        ((0.2, 0.1, 0.316), "no"),
        ((-0.5, -0.6, -0.4), "no"),
        ((None, None, None), "unsure"),
    ],
)
def test_the_interval_decides_and_not_the_value(share, code):
    assert metric_verdict(report(share), "M", "chrf").code == code


def test_what_a_judgment_is_worth_and_why_nothing_can_be_said():
    said = metric_verdict(report((0.5, 0.4, 0.6)), "M", "chrf").reason
    assert "50 % (95 % interval: 40 to 60)" in said and "4 of its scores" in said
    unclear = report((0.9, 0.8, 0.95), person=(0.2, -0.1, 0.4))
    assert "do not clearly agree" in metric_verdict(unclear, "M", "chrf").reason
    few = report((0.9, 0.8, 0.95), own=(0.5, None, None))
    assert "too few texts" in metric_verdict(few, "M", "chrf").reason
    alone = report((0.9, 0.8, 0.95), person=(None, None, None))
    assert "unknown" in metric_verdict(alone, "M", "chrf").reason
