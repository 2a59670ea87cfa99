"""What pages say of codes and figures: labels of model codes, figures of quality control; and
rights for the navigation, with its "?".
"""

from __future__ import annotations

from typing import Any

from django import template
from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from annotation import access
from annotation.access import User
from annotation.accounts import audit_log
from annotation.campaigns.overview import Need
from annotation.http.glossary import HELP
from annotation.models import Campaign, Exclusion, QualityAction, QualityRule
from annotation.models.quality import Part
from annotation.quality.checks import Result
from annotation.quality.overview import practice_texts
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


# Quality control.


SERIOUS = {QualityRule.Act.PAUSE, QualityRule.Act.EXCLUDE}


@register.simple_tag
def has_practice(campaign: Campaign) -> bool:
    """Whether there are practice texts, whether required or not; one query."""
    return practice_texts(campaign=campaign, part=Part.PRACTICE).exists()


@register.filter
def percent(share: float | None) -> str:
    """Format a share in percent; a dash for None."""
    return "–" if share is None else f"{100 * share:.3g} %"


@register.filter
def failed(result: Result) -> str:
    """Format the failed and checked numbers; a dash if nothing was checked."""
    return f"{result.failed} / {result.n}" if result.n else "–"


@register.filter
def standing(action: QualityAction) -> str:
    """Return the CSS class of an action's badge."""
    if action.lifted_at is not None or action.rule.act == QualityRule.Act.NOTE:
        return ""
    return "bad" if action.rule.act in SERIOUS else "warn"


@register.filter
def state(action: QualityAction) -> str:
    """Return the state of an action as text."""
    if action.lifted_at is not None:
        return _("Lifted") if action.taken_at is not None else _("Dropped")
    if action.taken_at is None:
        return _("Comes at sheet %(n)d") % {"n": action.due_at_done}
    if action.rule.act == QualityRule.Act.WARN:
        return _("Read") if action.read_at is not None else _("Not read yet")
    return _("In force")


@register.filter
def chance(value: float) -> str:
    """Format a probability; very small ones as "< 0.001"."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


# The frame of a page.


@register.filter
def creates_campaigns(user: User) -> bool:
    """Whether the user may create campaigns; at most two queries."""
    return access.may_create(user=user)


@register.filter
def researches(user: User) -> bool:
    """Whether the user is a researcher in any campaign; one query."""
    return access.researches(user=user)


@register.filter
def takes_part(user: User | AnonymousUser) -> bool:
    """Whether the user came by a panel's link: pages never show the made-up login; no query."""
    return access.takes_part(user=user)


@register.inclusion_tag("parts/help.html", takes_context=True)
def page_help(context: dict[str, Any]) -> dict[str, object]:
    """The words of the page and the way to its documentation; nothing for pages without help."""
    match = getattr(context.get("request"), "resolver_match", None)
    return {"help": HELP.get(match.url_name) if match else None}
