"""Sentences of pure packages in the language of the page."""

from django.template import Context, Template
from django.utils import translation

from paraanno.common.texts import say
from paraanno.translated import translated
from tests.paraanno.plain.test_sentence import INSIDE


def test_sentences_are_said_in_the_language_of_the_page():
    page = Template("{{ reason|translated }}|{{ old|translated }}|{{ none|translated }}")
    context = Context({"reason": INSIDE, "old": "undefined: no ratings", "none": None})
    assert page.render(context) == f"{INSIDE}|undefined: no ratings|"
    with translation.override("ko"):
        said = page.render(context)
    assert "undefined" not in said and "independent" not in said and "units" not in said


def test_values_are_no_texts_of_ours():
    """A system called "units" keeps its name."""
    with translation.override("ko"):
        assert translated(say("new %(clusters)s", clusters="units")).count("units") == 1
        assert "units" not in translated(say("new %(clusters)s", clusters=say("units")))


def test_nothing_is_an_empty_text():
    """Not the header of the catalogue, which gettext gives for an empty text."""
    for language in ("en", "ko"):
        with translation.override(language):
            assert translated(None) == translated("") == translated(say("")) == ""
