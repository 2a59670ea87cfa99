"""Labels for model codes, where a page has only the code."""

from __future__ import annotations

from django import template
from django.apps import apps
from django.utils.translation import gettext as _

from annotation.accounts import audit_log
from annotation.campaigns.overview import Need
from annotation.models import Campaign, Exclusion
from paraanno.common.texts import Sentence
from paraanno.template_filters import translated

register = template.Library()
SHOWN_IN_MINUTES = 120


@register.filter
def label(code: str | None, choices: str) -> str:
    """Return the label of a code, given the path of its choices:
    `status|label:"scoring.Run.Status"`.
    """
    if not code:
        return ""
    app, model, name = choices.split(".")
    return str(getattr(apps.get_model(app, model), name)(code).label)


@register.filter
def address_in(need: Need, campaign: Campaign) -> str:
    """Return where a need leads."""
    return need.address(campaign)


@register.filter
def time_left(seconds: int) -> str:
    """Return how long work will go on, in seconds, or from two minutes in minutes."""
    if seconds < SHOWN_IN_MINUTES:
        return _("%(s)s s left") % {"s": seconds}
    return _("%(m)s min left") % {"m": round(seconds / 60)}


@register.filter
def log_verb(verb: str) -> str:
    """Return the verb of an audit entry as text."""
    return audit_log.log_verb(verb)


@register.filter
def log_object(name: str) -> object:
    """Return the object type of an audit entry as text; empty if its verb names it."""
    return audit_log.OBJECTS.get(name, "")


@register.filter
def exclusion_reason(exclusion: Exclusion) -> str:
    """Return the reason: translated if the software made it, unchanged if a person wrote it."""
    reason = exclusion.sentence
    return translated(reason) if isinstance(reason, Sentence) else reason
