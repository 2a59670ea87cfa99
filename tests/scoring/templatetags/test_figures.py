"""Plotly's own texts in the language of the page."""

import hashlib
import re
from pathlib import Path

from django.contrib.staticfiles import finders
from django.utils import translation

from scoring.templatetags.figures import TEXTS, figure_texts

# plotly-cartesian.min.js of plotly.js-cartesian-dist-min 4.1.1, as npm has it.
PLOTLY = "plotly/plotly-cartesian.min.js"
PLOTLY_SHA256 = "79542150855a52c567260e3137095dbe2b744e6d702a5cabe67da246942fba7a"


def script():
    path = finders.find(PLOTLY)
    assert isinstance(path, str)
    return Path(path)


def test_plotly_is_the_published_file_with_its_licence():
    data = script().read_bytes()
    assert hashlib.sha256(data).hexdigest() == PLOTLY_SHA256
    assert b"plotly.js (cartesian - minified) v4.1.1" in data[:200]
    licence = script().with_name("LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in licence and "Plotly" in licence


def test_every_text_is_korean_on_a_korean_page():
    assert figure_texts() == {text: text for text in TEXTS}
    with translation.override("ko"):
        found = figure_texts()
    assert set(found) == set(TEXTS)
    assert all(re.search("[가-힣]", text) for text in found.values())


def test_the_texts_are_plotlys_verbatim():
    """Under any other key Plotly would not find them."""
    plotly = script().read_text(encoding="utf-8")
    assert [text for text in TEXTS if f'"{text}"' not in plotly] == []
