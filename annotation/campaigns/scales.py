"""Scales of one's own, as the API and the command `create_campaign` take them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Invalid
from annotation.importers.gold import ambiguous
from annotation.models import Campaign, Scale, ScalePoint, ThresholdChange
from paraanno.common.panel_links import SCALE_COLUMNS, ScaleTemplate

MAX_NAME, MAX_QUESTION, MAX_LABEL, MAX_ANCHOR = 40, 300, 60, 300
MAX_SCALES = 100
# Interval is the word of Stevens and of Krippendorff's alpha for what the pages call numeric.
LEVELS = {"nominal": "nominal", "ordinal": "ordinal", "numeric": "numeric", "interval": "numeric"}
FIELDS = (*SCALE_COLUMNS, "points")
POINT_FIELDS = ("value", "label", "anchor")


def scales_of(descriptions: object) -> list[ScaleTemplate]:
    """Return the described scales, in order; raises Invalid naming the scale that is wrong."""
    if not isinstance(descriptions, Sequence) or isinstance(descriptions, str):
        raise Invalid(_("Scales are a list of objects."))
    if not 1 <= len(descriptions) <= MAX_SCALES:
        raise Invalid(_("Give between 1 and %(most)s scales.") % {"most": MAX_SCALES})
    scales = [scale_of(one) for one in descriptions]
    names = [scale.name.casefold() for scale in scales]
    for number, scale in enumerate(scales):
        if names.index(scale.name.casefold()) != number:
            raise Invalid(_("There is a scale %(name)s already.") % {"name": scale.name})
    return scales


def scale_of(description: object) -> ScaleTemplate:
    """Return the described scale; raises Invalid with a sentence that says what is wrong.

    Without minimum or maximum they are the lowest and the highest point, else 1 and 5.
    """
    given = _object(description, FIELDS, _("A scale"))
    name = _text(given, "name", MAX_NAME, _("A scale")).strip()
    if not name:
        raise Invalid(_("A scale needs a name."))
    level = given.get("level", "ordinal")
    if not isinstance(level, str) or level not in LEVELS:
        raise Invalid(
            _("%(name)s: the level is one of %(levels)s.")
            % {"name": name, "levels": ", ".join(LEVELS)}
        )
    points = _points(given.get("points") or (), name)
    values = [value for value, _label, _anchor in points]
    threshold = given.get("threshold")
    scale = ScaleTemplate(
        name=name,
        question=_text(given, "question", MAX_QUESTION, name),
        points=points,
        level=LEVELS[level],
        minimum=_number(given.get("minimum", min(values, default=1.0)), "minimum", name),
        maximum=_number(given.get("maximum", max(values, default=5.0)), "maximum", name),
        step=_number(given.get("step", 1.0), "step", name),
        higher_is_better=_yes_or_no(given, "higher_is_better", name),
        copy_at_top=_yes_or_no(given, "copy_at_top", name),
        threshold=None if threshold is None else _number(threshold, "threshold", name),
        required=_yes_or_no(given, "required", name),
    )
    _check(scale, values)
    return scale


def names_apart(names: Sequence[str]) -> None:
    """Raise Invalid where a column of a gold file would not belong to one of the scales alone."""
    columns = ambiguous(list(dict.fromkeys(names)))
    if columns:
        raise Invalid(
            _(
                "A scale cannot have this name: files of gold have a column %(column)s already. "
                "Choose another name."
            )
            % {"column": columns[0]}
        )


def guideline_for(scales: Sequence[ScaleTemplate]) -> str:
    """Return a short guideline that asks the scales' questions: that of a template is about its own
    scales.
    """
    parts = ["# How to judge", "Judge every replacement on its own, not against the others."]
    parts += [f"**{scale.name}** {scale.question}".strip() for scale in scales]
    return "\n\n".join(parts) + "\n"


def _check(scale: ScaleTemplate, values: Sequence[float]) -> None:
    named = {"name": scale.name}
    if scale.minimum >= scale.maximum:
        raise Invalid(_("%(name)s: the minimum must be below the maximum.") % named)
    if scale.step <= 0:
        raise Invalid(_("%(name)s: the step must be greater than 0.") % named)
    stored = Scale(minimum=scale.minimum, maximum=scale.maximum, step=scale.step)
    if not stored.holds(scale.maximum):
        raise Invalid(_("%(name)s: the steps from the minimum do not reach the maximum.") % named)
    if scale.threshold is not None and not scale.minimum <= scale.threshold <= scale.maximum:
        raise Invalid(_("The threshold of %(name)s must be on the scale.") % named)
    off = [value for value in values if not stored.holds(value)]
    if off:
        raise Invalid(
            _("%(name)s: the labelled point %(value)s is not on the scale.")
            % {**named, "value": f"{off[0]:g}"}
        )
    if len(set(values)) < len(values):
        raise Invalid(_("%(name)s: a value can have one label only.") % named)


def _points(given: object, name: str) -> tuple[tuple[float, str, str], ...]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise Invalid(_("%(name)s: points are a list of objects.") % {"name": name})
    points = [_object(one, POINT_FIELDS, name) for one in given]
    return tuple(
        (
            _number(point.get("value"), "value", name),
            _text(point, "label", MAX_LABEL, name),
            _text(point, "anchor", MAX_ANCHOR, name),
        )
        for point in points
    )


def _object(given: object, fields: Sequence[str], name: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise Invalid(
            _("%(name)s: give an object with the fields %(fields)s.")
            % {"name": name, "fields": ", ".join(fields)}
        )
    unknown = [str(field) for field in given if field not in fields]
    if unknown:
        raise Invalid(
            _("%(name)s: there is no field %(field)s: use %(fields)s.")
            % {"name": name, "field": unknown[0], "fields": ", ".join(fields)}
        )
    return given


def _text(given: Mapping[str, Any], field: str, most: int, name: str) -> str:
    text = given.get(field, "")
    if not isinstance(text, str) or len(text) > most or "\0" in text:
        raise Invalid(
            _("%(name)s: %(field)s is a text of at most %(most)s characters.")
            % {"name": name, "field": field, "most": most}
        )
    return text


def _number(given: object, field: str, name: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise Invalid(_("%(name)s: %(field)s is a number.") % {"name": name, "field": field})
    return float(given)


def _yes_or_no(given: Mapping[str, Any], field: str, name: str) -> bool:
    answer = given.get(field, True)
    if not isinstance(answer, bool):
        raise Invalid(_("%(name)s: %(field)s is true or false.") % {"name": name, "field": field})
    return answer


# Change or remove the scales of a draft campaign.


def scale_change(*, scale: Scale, template: ScaleTemplate, actor: Actor) -> Scale:
    """Replace the scale's settings and points with the template's.

    Raises Invalid if the campaign was opened, an imported value would be off the scale, it has
    imported gold, a point is off the scale, another scale has the name, or files of gold have a
    column of that name.
    """
    changed = Scale(**template.columns)
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
            scale = _locked(scale, changed)
            others = scale.campaign.scales.exclude(pk=scale.pk).values_list("name", flat=True)
            names_apart([*others, template.name])
            before = {name: getattr(scale, name) for name in SCALE_COLUMNS}
            for name, value in template.columns.items():
                setattr(scale, name, value)
            scale.save(update_fields=SCALE_COLUMNS)
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
            after = {name: getattr(scale, name) for name in SCALE_COLUMNS}
            audit(
                actor=actor,
                verb="change scale",
                about=scale,
                campaign=scale.campaign,
                before={name: value for name, value in before.items() if value != after[name]},
                after={name: value for name, value in after.items() if value != before[name]},
            )
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
        campaign = lock_row(Campaign, campaign.pk, key=True)
        if campaign.opened_at is not None:
            raise Invalid(_("Scales are fixed since the campaign was opened; thresholds are not."))
        order = {name.casefold(): place for place, name in enumerate(names)}
        rows = list(campaign.scales.all())
        free = max([len(rows), *(row.position + 1 for row in rows)])
        for offset in (free, 0):  # no two in one place on the way
            for row in rows:
                place = offset + order[row.name.casefold()]
                Scale.objects.filter(pk=row.pk).update(position=place)


def _locked(scale: Scale, changed: Scale | None = None) -> Scale:
    """Return the scale as stored now, with its campaign locked; raises Invalid if it is fixed, or
    has values that are off the scale as it is `changed`."""
    campaign = lock_row(Campaign, scale.campaign_id, key=True)
    if campaign.opened_at is not None:
        raise Invalid(_("Scales are fixed since the campaign was opened; thresholds are not."))
    scale = campaign.scales.get(pk=scale.pk)
    judged = scale.judgments.filter(campaign=campaign)
    if scale.imported_gold.exists() or (changed is None and judged.exists()):
        raise Invalid(
            _("There are values on %(name)s already, so it is fixed.") % {"name": scale.name}
        )
    for value in judged.values_list("value", flat=True).distinct():
        if changed is not None and value is not None and not changed.holds(value):
            raise Invalid(
                _("The value %(value)s is there already, and would be off %(name)s.")
                % {"value": f"{value:g}", "name": scale.name}
            )
    return scale
