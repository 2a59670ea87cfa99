"""Change or remove the scales of a draft campaign."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import Campaign, Scale, ScalePoint, ThresholdChange
from annotation.services.audit import Actor, audit
from annotation.services.campaigns.scale_input import names_apart
from annotation.services.transactions import short_write
from paraanno.plain.campaign_template import ScaleTemplate

FIELDS = (
    "name",
    "question",
    "level",
    "minimum",
    "maximum",
    "step",
    "higher_is_better",
    "copy_at_top",
    "threshold",
    "required",
)


def scale_change(*, scale: Scale, template: ScaleTemplate, actor: Actor) -> Scale:
    """Replace the scale's settings and points with the template's.

    Raises Invalid if the campaign was opened, the scale has values (imported ones), a point is off
    the scale, another scale has the name, or files of gold have a column of that name.
    """
    changed = Scale(**{name: getattr(template, name) for name in FIELDS})
    off = [value for value, _label, _anchor in template.points if not changed.holds(value)]
    if off:
        raise Invalid(
            _("The labelled point %(value)s is not on the scale.") % {"value": f"{off[0]:g}"}
        )
    values = [value for value, _label, _anchor in template.points]
    if len(set(values)) < len(values):
        raise Invalid(_("A value can have one label only."))
    try:
        with short_write():
            scale = _locked(scale)
            others = scale.campaign.scales.exclude(pk=scale.pk).values_list("name", flat=True)
            names_apart([*others, template.name])
            before = {name: getattr(scale, name) for name in FIELDS}
            for name in FIELDS:
                setattr(scale, name, getattr(template, name))
            scale.save(update_fields=FIELDS)
            scale.points.all().delete()
            ScalePoint.objects.bulk_create(
                ScalePoint(scale=scale, value=value, label=label, anchor=anchor)
                for value, label, anchor in template.points
            )
            if before["threshold"] != scale.threshold:
                ThresholdChange.objects.create(
                    scale=scale,
                    threshold=scale.threshold,
                    changed_by_id=actor.pk if actor else None,
                )
            after = {name: getattr(scale, name) for name in FIELDS}
            audit(
                actor=actor, verb="change scale", about=scale, campaign=scale.campaign,
                before={name: value for name, value in before.items() if value != after[name]},
                after={name: value for name, value in after.items() if value != before[name]},
            )  # fmt: skip
    except IntegrityError as error:
        raise Invalid(_("There is a scale %(name)s already.") % {"name": template.name}) from error
    return scale


def scale_remove(*, scale: Scale, actor: Actor, last: bool = False) -> None:
    """Delete the scale. Raises Invalid as `scale_change` does, and for the last scale unless
    `last` says that none is wanted.
    """
    with short_write():
        scale = _locked(scale)
        if not last and scale.campaign.scales.count() == 1:
            raise Invalid(_("A campaign needs at least one scale: add another one first."))
        audit(
            actor=actor, verb="remove scale", about=scale, campaign=scale.campaign, name=scale.name
        )
        scale.delete()


def scales_order(*, campaign: Campaign, names: Sequence[str]) -> None:
    """Put the scales of a draft campaign into the order of these names, which are all of them."""
    with short_write():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if campaign.opened_at is not None:
            raise Invalid(_("Scales are fixed since the campaign was opened; thresholds are not."))
        order = {name.casefold(): place for place, name in enumerate(names)}
        rows = list(campaign.scales.all())
        free = max([len(rows), *(row.position + 1 for row in rows)])
        for offset in (free, 0):  # no two in one place on the way
            for row in rows:
                place = offset + order[row.name.casefold()]
                Scale.objects.filter(pk=row.pk).update(position=place)


def _locked(scale: Scale) -> Scale:
    """Return the scale as stored now, with its campaign locked; raises Invalid if it is fixed."""
    campaign = Campaign.objects.select_for_update().get(pk=scale.campaign_id)
    if campaign.opened_at is not None:
        raise Invalid(_("Scales are fixed since the campaign was opened; thresholds are not."))
    scale = campaign.scales.get(pk=scale.pk)
    if scale.judgments.exists() or scale.imported_gold.exists():
        raise Invalid(
            _("There are values on %(name)s already, so it is fixed.") % {"name": scale.name}
        )
    return scale
