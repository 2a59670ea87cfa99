"""Plotly's own texts in the language of the page."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

register = template.Library()
# Plotly's own texts, verbatim: those that our figures show.
TEXTS = [
    gettext_noop("Download plot as a PNG"),
    gettext_noop("Zoom"),
    gettext_noop("Pan"),
    gettext_noop("Box Select"),
    gettext_noop("Zoom in"),
    gettext_noop("Zoom out"),
    gettext_noop("Autoscale"),
    gettext_noop("Reset axes"),
    gettext_noop("Preparing image - this may take a few seconds"),
    gettext_noop("Image download succeeded"),
    gettext_noop("Sorry, there was a problem downloading your image!"),
    gettext_noop("Double-click to zoom back out"),
    gettext_noop("Double-click on legend to isolate one trace"),
]


@register.simple_tag
def figure_texts() -> dict[str, str]:
    """The dictionary for `locales` in Plotly's configuration."""
    return {text: _(text) for text in TEXTS}
