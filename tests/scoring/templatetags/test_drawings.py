"""The drawings within pages, as templates draw them."""

import pytest
from django.template import Context, Template
from django.utils import translation

from scoring.annotators.pictures import trend_figure


def drawn(tag, **context):
    return Template("{% load drawings %}{% " + tag + " %}").render(Context(context)).strip()


def test_bars_say_their_numbers_to_who_does_not_see_them():
    page = drawn("bar_chart counts 'How often'", counts={"-1": 2, "3": 4})
    assert 'aria-label="How often: −1: 2, 3: 4"' in page
    assert page.count("<rect") == 2 and 'y="16.0"' in page and 'height="40.0"' in page


def test_a_range_is_a_dot_between_its_ends():
    page = drawn("interval_range 0.5 0.25 1.0")
    assert 'cx="100.0"' in page and 'd="M50.0 8H200.0"' in page
    assert 'aria-hidden="true"' in page and "1V15" not in page


def test_a_range_without_a_value_or_an_interval():
    assert drawn("interval_range value", value=None) == ""
    assert 'class="ends"' not in drawn("interval_range 0.5 low 0.75", low=None)


def test_what_lies_outside_is_drawn_on_the_edge():
    assert 'cx="0.0"' in drawn("interval_range value", value=-0.3)


def test_a_range_around_zero_marks_it_and_may_say_its_ends():
    page = drawn("interval_range value least=least most=2 label='[−1, 2]'", value=1, least=-2)
    assert "M100.0 1V15" in page and 'cx="150.0"' in page
    assert 'role="img" aria-label="[−1, 2]"' in page and "<title>[−1, 2]</title>" in page


@pytest.mark.parametrize("tag", ["interval_range 0.5", "spark_line values 'Course'"])
def test_places_take_a_point_in_every_language(tag):
    with translation.override("de"):
        page = drawn(tag, values=[0.25, 0.5])
    assert "100.0" in page or "111.0" in page


def test_a_trend_says_its_points():
    figure = trend_figure({"value": 1.0, "intercept": 0.0, "points": [[0, -0.5, 2], [9, 1, 2]]}, 10)
    page = drawn("trend_chart figure 'MEANING'", figure=figure)
    assert 'aria-label="MEANING: 1: −0.50, 10: +1.00"' in page
    assert page.count("<circle") == 2


def test_sparks():
    assert 'class="spark bars-small"' in drawn("spark_bars values 'Days'", values=[0, 2])
    assert drawn("spark_bars values 'Days'", values=[0, 0]) == ""
    assert drawn("spark_line values 'Course'", values=[]) == ""
