"""Figures of quality control as pages show them."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from annotation.models import Campaign, QualityAction, QualityRule
from annotation.models.practice import Part
from annotation.selectors.practice import practice_texts
from annotation.selectors.quality_checks import Result

register = template.Library()
SERIOUS = {QualityRule.Act.PAUSE, QualityRule.Act.EXCLUDE}


@register.simple_tag
def has_practice(campaign: Campaign) -> bool:
    """Whether there is something to practise, wanted or not; one query."""
    return practice_texts(campaign=campaign, part=Part.PRACTICE).exists()


@register.filter
def percent(share: float | None) -> str:
    """A share in percent; a dash for none."""
    return "–" if share is None else f"{100 * share:.3g} %"  # noqa: RUF001


@register.filter
def failed(result: Result) -> str:
    """How many failed of how many; a dash where nothing was checked."""
    return f"{result.failed} / {result.n}" if result.n else "–"  # noqa: RUF001


@register.filter
def standing(action: QualityAction) -> str:
    """The class of an action's badge."""
    if action.lifted_at is not None or action.rule.act == QualityRule.Act.NOTE:
        return ""
    return "bad" if action.rule.act in SERIOUS else "warn"


@register.filter
def state(action: QualityAction) -> str:
    """Where an action stands, in words."""
    if action.lifted_at is not None:
        return _("Lifted") if action.taken_at is not None else _("Dropped")
    if action.taken_at is None:
        return _("Comes at sheet %(n)d") % {"n": action.due_at_done}
    if action.rule.act == QualityRule.Act.WARN:
        return _("Read") if action.read_at is not None else _("Not read yet")
    return _("In force")


@register.filter
def chance(value: float) -> str:
    """A probability; tiny ones are only said to be so."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
