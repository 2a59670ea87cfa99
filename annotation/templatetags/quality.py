"""Formatting of quality control figures."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from annotation.models import Campaign, QualityAction, QualityRule
from annotation.models.quality import Part
from annotation.quality.checks import Result
from annotation.quality.overview import practice_texts

register = template.Library()
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
