"""Mixes of metrics: two by weight, and the best linear one of all."""

from tests.clients import html_of
from tests.scoring.views.correlation.world import get


def test_the_ratios_of_the_curve_are_marked(world):
    page = get("mixes/", scale="MEANING", scaling="z")
    ratios = [point["ratio"] for point in page.context["points"]]
    assert ratios == ["0:10", "2:8", "5:5", "8:2", "10:0"]
    assert all(f'dx="4">{one}</text>' in html_of(page) for one in ratios[1:4])
    first = world.runs.get(metric="bleu").key
    assert get("mixes/", first=first, second=first).context["curve"]["second"] == "pinc"
