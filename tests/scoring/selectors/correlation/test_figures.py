"""The figures of the correlation pages by name: what is asked for, and what is not there."""

import pytest

from annotation.errors import NotFound
from scoring.correlation.figures import (
    MOST_LINES,
    FigureRequest,
    among,
    by_data,
    coefficients,
    figure_get,
    per_system,
    systems,
    two_metrics,
)
from scoring.ratings.choice import Choice
from scoring.reports.compute import KINDS
from tests.scoring.factories import done_run
from tests.scoring.hand import hand_campaign


def figure(campaign, name, report=None, **data):
    """The figure of a report, by default of one that is computed, of the campaign's one run."""

    def found(kind, about=None):
        if report is None:
            return KINDS[kind](campaign=campaign, choice=Choice(), parameters=about)
        return report[kind]

    data = {"run": str(campaign.runs.get().key), "scale": "MEANING", **data}
    return figure_get(name=name, request=FigureRequest(campaign, Choice(), data, found))


@pytest.fixture
def hand():
    """With one metric that agrees with people."""
    campaign = hand_campaign()
    done_run(campaign, {"one": 0.9, "two": 0.5, "three": 0.1})
    return campaign


def test_points_are_the_texts_with_metric_and_scale(hand):
    scatter = figure(hand, "scatter")
    [series] = scatter.series
    assert sorted(zip(series.x, series.y, strict=True)) == [(0.1, 1), (0.5, 3), (0.9, 4.5)]
    assert scatter.x.title == "BLEU"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("nothing", {}),
        ("scatter", {"scale": "nothing"}),
        ("scatter", {"run": "nothing"}),
        ("mix", {}),  # Of one metric.
    ],
)
def test_what_is_not_there_is_not_found(hand, name, data):
    with pytest.raises(NotFound):
        figure(hand, name, **data)


def test_where_all_texts_pass_there_is_no_curve(hand):
    assert figure(hand, "roc").series
    hand.scales.update(threshold=1)
    with pytest.raises(NotFound, match="no text passes, or all do"):
        figure(hand, "roc")


@pytest.mark.parametrize(
    ("by", "name"), [("spearman", "spearman"), ("nonsense", "pearson"), ("", "pearson")]
)
def test_stability_is_drawn_by_a_coefficient_that_is_computed(hand, by, name):
    points = [{"size": 1, "mean": 0.5, "low": 0.4, "high": 0.6}]
    curves = [
        {"metric": one, "coefficient": one, "points": points} for one in ("pearson", "spearman")
    ]
    report = {"stability": {"human": {"MEANING": {"items": curves, "annotators": []}}}}
    assert [one.name for one in figure(hand, "by-items", report, by=by).series] == [name]
    with pytest.raises(NotFound, match="nothing to draw"):
        figure(hand, "by-annotators", report, by=by)


# Figures made from the stored reports on correlation.


NO_NUMBER = {"value": None, "ci_low": None, "ci_high": None}


def estimate(value):
    return {"value": value, "ci_low": value - 0.1, "ci_high": value + 0.1}


def test_a_metric_without_a_coefficient_keeps_its_place():
    metrics = {"bleu": estimate(0.5), "ter": NO_NUMBER, "pinc": estimate(-0.25)}
    of_people = {"metrics": {name: {"pearson": one} for name, one in metrics.items()}}
    found = {"runs": [{"label": name} for name in metrics], "human": {"MEANING": of_people}}
    figure = coefficients(found)
    [series] = figure.series
    assert figure.x.names == ("bleu", "ter", "pinc") and figure.beside
    assert (series.name, series.x, series.y) == ("MEANING", (0.0, 2.0), (0.5, -0.25))
    assert series.low == (0.4, -0.35) and series.high == (0.6, -0.15)


def test_values_are_written_into_a_small_matrix_alone():
    for many in (16, 17):
        names = [f"m{n}" for n in range(many)]
        cells = among({"among": {"names": names, "value": [[0.5] * many] * many}}).cells
        assert (cells.written, cells.low, cells.high) == (many == 16, -1, 1)
    for report in ({}, {"among": {"names": ["alone"], "value": [[1]]}}):
        with pytest.raises(NotFound, match="Two metrics"):
            among(report)


def test_systems_are_points_by_their_texts_and_by_their_corpus_score():
    rows = [
        {"system": "A", "metric": 0.1, "human": 3.0},
        {"system": "B", "metric": 0.2, "human": 4},
    ]
    level = {"bleu": {"systems": rows}}
    found = {"human": {"MEANING": {"systems": level, "corpus": level}}, "runs": []}
    mean, corpus = systems(found, "MEANING", "bleu").series
    assert (mean.name, corpus.name) == ("mean of texts", "corpus score")
    assert mean.about == (("A",), ("B",)), "the numbers of the figure name the systems"
    assert (mean.x, mean.y, mean.texts) == ((0.1, 0.2), (3.0, 4.0), ("A", "B"))
    found["human"]["MEANING"]["corpus"] = {}
    assert len(systems(found, "MEANING", "bleu").series) == 1
    for human, metric in (("GRAMMAR", "bleu"), ("MEANING", "ter")):
        with pytest.raises(NotFound):
            systems(found, human, metric)


def test_two_metrics_over_systems_with_people_as_size():
    def rows(values):
        people = {"A": 2.5, "B": 4.5, "C": 3.0}
        return {
            "systems": [
                {"system": name, "human": people[name], "metric": one}
                for name, one in values.items()
            ]
        }

    level = {"bleu": rows({"A": 0.1, "B": 0.4, "C": 0.2}), "pinc": rows({"C": 0.6, "A": 0.9})}
    found = {"human": {"MEANING": {"systems": level}}, "runs": []}
    figure = two_metrics(found, "MEANING", "bleu", "pinc")
    (points,) = figure.series
    assert (points.x, points.y) == ((0.1, 0.2), (0.9, 0.6))  # B has no score by PINC.
    assert points.texts == ("A: 2.50", "C: 3.00") and points.sizes == (0, 1)
    assert figure.about == ("system", "people")
    assert points.about == (("A", "2.5"), ("C", "3"))
    for human, one, other in (
        ("FLOW", "bleu", "pinc"),
        ("MEANING", "bleu", "bleu"),
        ("MEANING", "bleu", "ter"),
    ):
        with pytest.raises(NotFound):
            two_metrics(found, human, one, other)


def test_systems_are_rows_and_metrics_columns():
    rows = {
        "A": {"bleu": {"pearson": estimate(0.5)}, "ter": {"pearson": NO_NUMBER}},
        "B": {"bleu": {"pearson": estimate(0.25)}, "ter": {"pearson": estimate(0)}},
    }
    found = {
        "human": {"MEANING": {"per_system": rows}},
        "runs": [{"label": "bleu"}, {"label": "ter"}],
    }
    cells = per_system(found, "MEANING").cells
    assert (cells.x, cells.y) == (("bleu", "ter"), ("A", "B"))
    assert cells.values == ((0.5, None), (0.25, 0))
    for wrong in ({**found, "runs": []}, {**found, "human": {}}):
        with pytest.raises(NotFound):
            per_system(wrong, "MEANING")


def curve(metric, *means, coefficient="pearson"):
    points = [
        {"size": 10 * at, "mean": mean, "low": mean and mean - 0.1, "high": mean and mean + 0.1}
        for at, mean in enumerate(means, 1)
    ]
    return {"metric": metric, "coefficient": coefficient, "points": points}


def test_the_best_metrics_at_full_size_have_lines():
    many = [curve(f"m{n}", 0.9, n / 10) for n in range(MOST_LINES + 2)]
    gap, other = curve("gap", 0.8, None, 1.0), curve("other", 1.0, 1.0, coefficient="kendall")
    found = {"human": {"MEANING": {"items": [*many, gap, other], "annotators": []}}}
    series = by_data(found, "MEANING", "pearson", "items").series
    best = [f"m{n}" for n in range(MOST_LINES + 1, 2, -1)]
    assert [one.name for one in series] == ["gap", *best]
    assert series[0].x == (10, 30) and series[0].y == (0.8, 1.0)  # The middle is undefined.
    for human, kind in (("MEANING", "annotators"), ("GRAMMAR", "items")):
        with pytest.raises(NotFound, match="nothing to draw"):
            by_data(found, human, "pearson", kind)
