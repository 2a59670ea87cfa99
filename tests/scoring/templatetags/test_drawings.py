"""The drawings within pages, as templates draw them."""

import pytest
from django.template import Context, Template
from django.utils import translation

from scoring.templatetags.metrics import shape, spaced


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


def test_sparks():
    assert 'class="spark bars-small"' in drawn("spark_bars values 'Days'", values=[0, 2])
    assert drawn("spark_bars values 'Days'", values=[0, 0]) == ""
    assert drawn("spark_line values 'Course'", values=[]) == ""


# The detail of a score, laid out by what it is.


@pytest.mark.parametrize(
    ("detail", "layout"),
    [
        ({"extra_words": 1}, "names"),
        ([[1, 2], [3, 4]], "rows"),
        ([1, {"a": 2}], "rows"),
        ([1, 2], "list"),
        ((), "list"),
        ("abc", "plain"),
        (1.5, "plain"),
        (None, "plain"),
    ],
)
def test_the_layout_of_a_detail(detail, layout):
    assert shape(detail) == layout


def test_names_of_values_are_words():
    assert spaced("extra_words") == "extra words" and spaced(2) == "2"


# Labels and links of metrics.


def of_metric(expression, **context):
    return Template("{% load metrics %}{{ " + expression + " }}").render(Context(context))


def test_a_kind_of_file_is_called_by_its_label():
    assert of_metric("kind|file_kind", kind="vectors") == "Word vectors"
    with translation.override("ko"):
        assert of_metric("kind|file_kind", kind="vectors") != "Word vectors"


def test_a_kind_of_a_package_that_is_gone_keeps_its_name():
    assert of_metric("kind|file_kind", kind="former") == "former"


def test_a_signature_leads_to_its_metric():
    assert of_metric("name|metric_of", name="bleu") == "bleu"
    assert of_metric("name|metric_of", name="no such metric") == ""


# Labelled selects of the small forms above reports.


def drawn_field(arguments, **context):
    tag = "{% load metrics %}{% select_field " + arguments + " %}"
    return Template(tag).render(Context(context))


def test_values_and_pairs_are_options_and_the_chosen_one_is_marked():
    options = ["plain", ("key", "A label"), (3, "Three")]
    page = drawn_field("'by' 'Order by' options chosen", options=options, chosen=3)
    assert '<label for="by">Order by</label><select id="by" name="by">' in page
    assert '<option value="plain">plain</option>' in page
    assert '<option value="key">A label</option>' in page
    assert '<option value="3" selected>Three</option>' in page
    assert page.count(" selected") == 1


def test_texts_of_a_campaign_are_escaped():
    page = drawn_field("'s' 'Scale' options", options=["<b>"])
    assert "<b>" not in page and "&lt;b&gt;" in page


def test_help_is_there_if_given_and_no_options_are_no_error():
    assert 'class="help">Why.' in drawn_field("'s' 'Scale' options help='Why.'", options=None)
    page = drawn_field("'s' 'Scale' options", options=None)
    assert "<option" not in page and "help" not in page
