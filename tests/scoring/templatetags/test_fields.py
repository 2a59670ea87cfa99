"""Labelled selects of the small forms above reports."""

from django.template import Context, Template


def drawn(arguments, **context):
    tag = "{% load fields %}{% select_field " + arguments + " %}"
    return Template(tag).render(Context(context))


def test_values_and_pairs_are_options_and_the_chosen_one_is_marked():
    options = ["plain", ("key", "A label"), (3, "Three")]
    page = drawn("'by' 'Order by' options chosen", options=options, chosen=3)
    assert '<label for="by">Order by</label><select id="by" name="by">' in page
    assert '<option value="plain">plain</option>' in page
    assert '<option value="key">A label</option>' in page
    assert '<option value="3" selected>Three</option>' in page
    assert page.count(" selected") == 1


def test_texts_of_a_campaign_are_escaped():
    page = drawn("'s' 'Scale' options", options=["<b>"])
    assert "<b>" not in page and "&lt;b&gt;" in page


def test_help_is_there_if_given_and_no_options_are_no_error():
    assert 'class="help">Why.' in drawn("'s' 'Scale' options help='Why.'", options=None)
    page = drawn("'s' 'Scale' options", options=None)
    assert "<option" not in page and "help" not in page
