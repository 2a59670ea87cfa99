"""Numbers on pages have minus signs; what programs read has hyphens."""

import math

import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.texts import say
from paraanno.template_filters import minus_of_number, translated
from tests.paraanno.plain.test_sentence import INSIDE


def shown(text, value):
    return Template(text).render(Context({"value": value}))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(
    ("template", "value", "wanted"),
    [
        ("{{ value|floatformat:2 }}", -0.25, "−0.25"),
        ("{{ value|floatformat:2 }}", 0.25, "0.25"),
        ("{{ value|floatformat:-2 }}", -2.0, "−2"),
        ("{{ value|floatformat }}", -2.25, "−2.3"),
        ('{{ value|floatformat:"2u" }}', -0.25, "-0.25"),
        ('{{ value|floatformat:"0g" }}', -1234, "−1,234"),
        ("{{ value|floatformat:2 }}", None, ""),
        ("{{ value|floatformat:2 }}", "a-b", ""),
        ("{{ value|minus }}", -2, "−2"),
        ("{{ value|minus }}", "-1.5e-05", "−1.5e−05"),
        ("{{ value|minus }}", "well-known", "well-known"),
        ("{{ value|minus }}", "2026-11-21", "2026-11-21"),
        ("{{ value|minus }}", "<b>", "&lt;b&gt;"),
        ('{{ value|minus|default_if_none:"–" }}', None, "–"),
    ],
)
def test_filters_that_every_template_has(language, template, value, wanted):
    with translation.override(language):
        assert shown(template, value) == wanted


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_number_is_the_same(value):
    text = str(minus_of_number(f"{value:g}"))
    assert "-" not in text
    assert math.isclose(float(text.replace("−", "-")), float(f"{value:g}"))


# Sentences of pure packages in the language of the page.


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
