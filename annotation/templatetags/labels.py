"""Words for the codes of models, where a page has the code alone."""

from __future__ import annotations

from django import template
from django.apps import apps

from annotation import wording, wording_log

register = template.Library()
register.filter("translated", wording.translated)


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


@register.filter
def stored_reason(reason: object) -> str:
    """A reason that a service stored, in the active language; one in own words as it is."""
    return wording.stored_reason(reason)
