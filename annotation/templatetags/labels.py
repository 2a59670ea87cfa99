"""Words for the codes of models, where a page has the code alone."""

from __future__ import annotations

from django import template
from django.apps import apps

from annotation.wording import translated

register = template.Library()
register.filter("translated", translated)


@register.filter
def label(code: str | None, choices: str) -> str:
    """The label of a code, by the place of its choices: `status|label:"scoring.Run.Status"`."""
    if not code:
        return ""
    app, model, name = choices.split(".")
    return str(getattr(apps.get_model(app, model), name)(code).label)
