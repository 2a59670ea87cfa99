"""Words for the codes of models, where a page has the code alone."""

from __future__ import annotations

from django import template
from django.apps import apps

from annotation import wording_log
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


@register.filter
def log_verb(verb: str) -> str:
    """What was done, in words."""
    return wording_log.log_verb(verb)


@register.filter
def log_object(name: str) -> object:
    """What an entry of the log is about, in words; empty where its verb says it."""
    return wording_log.OBJECTS.get(name, "")
