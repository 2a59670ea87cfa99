"""Scales of one's own, as the API and the command `create_campaign` take them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.importers import ambiguous
from annotation.models import Scale
from paraanno.plain.campaign_template import ScaleTemplate

MAX_NAME, MAX_QUESTION, MAX_LABEL, MAX_ANCHOR = 40, 300, 60, 300
MAX_SCALES = 100
# Interval is the word of Stevens and of Krippendorff's alpha for what the pages call numeric.
LEVELS = {"nominal": "nominal", "ordinal": "ordinal", "numeric": "numeric", "interval": "numeric"}
FIELDS = (
    "name", "question", "level", "minimum", "maximum", "step", "higher_is_better",
    "copy_at_top", "threshold", "required", "points",
)  # fmt: skip
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
