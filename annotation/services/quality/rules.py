"""Hidden quality control: a campaign's plan, its rules and the expected bands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign, Expected, QualityPlan, QualityRule, Scale, Substitution
from annotation.selectors.quality.overview import plan_of
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from paraanno import clock

WATCHING = (Substitution.Role.CONTROL, Substitution.Role.PRACTICE)
BOUNDS = {
    "repeat_share": (0, 1),
    "repeat_after": (1, 1000),
    "fast_seconds": (0, 3600),
    "delay_least": (1, 100),
    "delay_most": (1, 100),
}


@dataclass(frozen=True, slots=True)
class Band:
    """The expected values on one scale, with an explanation."""

    low: float
    high: float
    explanation: str = ""


def plan_check(changes: Mapping[str, Any]) -> None:
    """Raise Invalid if a value of the plan is out of bounds."""
    for name, (least, most) in BOUNDS.items():
        if name in changes and not least <= changes[name] <= most:
            raise Invalid(
                _("%(name)s must be between %(least)s and %(most)s.")
                % {"name": name, "least": f"{least:,}", "most": f"{most:,}"}
            )


def plan_set(*, campaign: Campaign, actor: Actor, changes: Mapping[str, Any]) -> QualityPlan:
    """Change the quality plan. Raises Invalid if a value is out of bounds."""
    plan_check(changes)
    unknown = set(changes) - set(BOUNDS)
    if unknown:
        raise Invalid(_("%(unknown)s cannot be set.") % {"unknown": ", ".join(sorted(unknown))})
    with short_write():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        plan = plan_of(campaign)
        before = {name: getattr(plan, name) for name in changes}
        for name, value in changes.items():
            setattr(plan, name, value)
        if plan.delay_least > plan.delay_most:
            raise Invalid(_("The minimum delay must not exceed the maximum."))
        plan.save()
        audit(
            actor=actor, verb="set quality plan", about=campaign, campaign=campaign,
            before=before, after=dict(changes),
        )  # fmt: skip
    return plan


def rule_check(*, check: str, least: int, share: float, act: str) -> None:
    """Raise Invalid if a rule cannot be so."""
    if check not in QualityRule.Check.values or act not in QualityRule.Act.values:
        raise Invalid(_("There is no such check or action."))
    if not 1 <= least <= 100_000:
        raise Invalid(_("The minimum number of checks must be 1 or more."))
    if not 0 < share <= 1:
        raise Invalid(_("The failed share must be above 0 and at most 1."))


def rule_add(
    *, campaign: Campaign, check: str, least: int, share: float, act: str, actor: Actor
) -> QualityRule:
    """Add a rule. Raises Invalid if the check already leads to this action."""
    rule_check(check=check, least=least, share=share, act=act)
    try:
        with short_write():
            rule = QualityRule.objects.create(
                campaign=campaign, check_name=check, least=least, share=share, act=act
            )
            audit(
                actor=actor, verb="add quality rule", about=rule, campaign=campaign,
                check=check, least=least, share=share, act=act,
            )  # fmt: skip
    except IntegrityError as error:
        raise Invalid(_("This check leads to that action already: end the other rule.")) from error
    return rule


def rule_end(*, rule: QualityRule, actor: Actor) -> QualityRule:
    """End the rule: it decides nothing more; its actions stand until they are lifted."""
    with short_write():
        changed = QualityRule.objects.filter(pk=rule.pk, ended_at=None).update(ended_at=clock.now())
        if changed:
            audit(actor=actor, verb="end quality rule", about=rule, campaign=rule.campaign)
    rule.refresh_from_db()
    return rule


def expected_set(
    *, substitution: Substitution, bands: Mapping[Scale, Band], actor: Actor
) -> list[Expected]:
    """Set the expected values of a control or practice text; other scales are unchanged.

    Raises Invalid for another role, a reversed band, or values off the scale.
    """
    if substitution.role not in WATCHING:
        raise Invalid(_("Only controls and practice texts have expected values."))
    for scale, band in bands.items():
        if (problem := band_problem(scale, band)) is not None:
            raise Invalid(problem)
    with short_write():
        rows = [
            Expected.objects.update_or_create(
                substitution=substitution,
                scale=scale,
                defaults={
                    "low": band.low, "high": band.high, "explanation": band.explanation.strip(),
                },
            )[0]
            for scale, band in bands.items()
        ]  # fmt: skip
        audit(
            actor=actor, verb="expect", about=substitution, campaign=substitution.campaign,
            bands={scale.name: [band.low, band.high] for scale, band in bands.items()},
        )  # fmt: skip
    return rows


def expected_remove(*, substitution: Substitution, actor: Actor) -> None:
    """Remove the expected values; the text stays on its sheets, and its judgments are kept."""
    with short_write():
        gone, _models = Expected.objects.filter(substitution=substitution).delete()
        if gone:
            audit(
                actor=actor, verb="expect nothing", about=substitution,
                campaign=substitution.campaign,
            )  # fmt: skip


def band_problem(scale: Scale, band: Band) -> str | None:
    """Return what is wrong with a band on the scale; None if it is valid."""
    if not (math.isfinite(band.low) and math.isfinite(band.high)):
        return _("Give the lowest and the highest right value of %(name)s.") % {"name": scale.name}
    if band.low > band.high:
        return _("The band of %(name)s is the wrong way round.") % {"name": scale.name}
    if not (scale.minimum <= band.low and band.high <= scale.maximum):
        return _("The band of %(name)s must be on the scale.") % {"name": scale.name}
    if len(band.explanation.strip()) > 500:
        return _("An explanation has at most 500 characters.")
    return None
