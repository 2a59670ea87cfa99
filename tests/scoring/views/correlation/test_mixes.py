"""Mixes of metrics: two by weight, and the best linear one of all."""

import pytest

from paraanno.jobs.engine import job_work
from scoring.correlation.report import columns_get
from scoring.models import Report
from scoring.stats.evaluation.mixes import best_mix, mix_curve
from tests.clients import html_of
from tests.scoring.views.correlation.world import get


def test_mixes_are_those_of_the_pure_functions(world):
    shown = get("mixes/", scale="MEANING", scaling="z", fit="ols").context
    columns = columns_get(campaign=world)
    human, item = columns.human["MEANING"], columns.ratings.item
    bleu, pinc = ((name, columns.metrics[name]) for name in ("bleu", "pinc"))
    pure = mix_curve(human, bleu, pinc, item, scale="z")
    assert [one["pearson"]["value"] for one in shown["curve"]["points"]] == [
        one.value for one in pure.pearson
    ]
    ratios = [point["ratio"] for point in shown["points"]]
    assert ratios == ["0:10", "2:8", "5:5", "8:2", "10:0"]
    best = best_mix(human, columns.metrics, item, fit="ols")
    assert shown["best"]["weights"] == pytest.approx(list(best.weights))
    first = world.runs.get(metric="bleu").key
    assert get("mixes/", first=first, second=first).context["curve"]["second"] == "pinc"
    page = html_of(get("mixes/", scale="MEANING", scaling="z"))
    assert all(f'dx="4">{one}</text>' in page for one in ("2:8", "5:5", "8:2"))


@pytest.mark.parametrize("name", ["mixes", "one-metric"])
def test_a_page_that_takes_long_says_so_and_fills_itself(world, name, settings, monkeypatch):
    settings.REPORT_ON_THE_SPOT = 0
    address = "metric/" if name == "one-metric" else "mixes/"
    with monkeypatch.context() as patched:  # Nothing is computed within a page.
        patched.delattr("scoring.correlation.report.columns_get")
        patched.delattr("scoring.correlation.one_metric.columns_get")
        html = html_of(get(address, scale="GRAMMAR"))
    assert "The numbers are being computed" in html
    assert 'hx-trigger="load delay:300ms"' in html and "<table" not in html
    assert '<option value="GRAMMAR" selected' in html, "another one can be asked for"
    waiting = Report.objects.get(kind=name)
    assert waiting.options["asked"]["scale"] == "GRAMMAR"
    job_work("report", waiting.pk)
    html = html_of(get(address, scale="GRAMMAR"))
    assert "being made" not in html and "<table" in html
    assert Report.objects.count() == 1
