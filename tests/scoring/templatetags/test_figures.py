"""Plotly's own texts in the language of the page."""

import re
from pathlib import Path

from django.contrib.staticfiles import finders
from django.utils import translation

from paraanno.finders import NAME
from scoring.templatetags.figures import TEXTS, figure_texts


def test_every_text_is_korean_on_a_korean_page():
    assert figure_texts() == {text: text for text in TEXTS}
    with translation.override("ko"):
        found = figure_texts()
    assert set(found) == set(TEXTS)
    assert all(re.search("[가-힣]", text) for text in found.values())


def test_the_texts_are_plotlys_verbatim():
    """Under any other key Plotly would not find them."""
    script = finders.find(NAME)
    assert isinstance(script, str)
    plotly = Path(script).read_text(encoding="utf-8")
    assert [text for text in TEXTS if f'"{text}"' not in plotly] == []
