"""Mixes of metrics: two by weight, and the best linear one of all."""

import pytest

from paraanno.jobs.engine import job_work
from scoring.models import Report
from tests.clients import html_of
from tests.scoring.views.correlation.world import get


def test_the_ratios_of_the_curve_are_marked(world):
    page = get("mixes/", scale="MEANING", scaling="z")
    ratios = [point["ratio"] for point in page.context["points"]]
    assert ratios == ["0:10", "2:8", "5:5", "8:2", "10:0"]
    assert all(f'dx="4">{one}</text>' in html_of(page) for one in ratios[1:4])
    first = world.runs.get(metric="bleu").key
    assert get("mixes/", first=first, second=first).context["curve"]["second"] == "pinc"


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
