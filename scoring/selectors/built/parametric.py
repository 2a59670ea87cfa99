"""Ratings of paraphrase tables that were made: their reports, and their figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.selectors.access import User
from scoring.building.recipes.parametric import REPORT, report_of
from scoring.figures import Axis, Figure, Series
from scoring.models import Resource
from scoring.selectors.resources import resource_get

KIND = "parametric"


def rating_get(*, user: User, key: UUID | str) -> tuple[Resource, Mapping[str, Any]]:
    """A rating and its report; NotFound for resources of other kinds, and where it is not ready."""
    resource = resource_get(user=user, key=key)
    if resource.kind != KIND or not resource.path or not (resource.stored / REPORT).exists():
        raise NotFound(_("There is no such rating."))
    return resource, report_of(resource.stored)


def rating_figure(report: Mapping[str, Any]) -> Figure:
    """Precision over recall, a point for each minimum probability."""
    known = [row for row in report["rows"] if row["precision"] is not None]
    if not known or known[0]["recall"] is None:
        raise NotFound(_("There is nothing to draw: the table has no phrase of the sentences."))
    points = Series(
        _("minimum probability"),
        tuple(row["recall"] for row in known),
        tuple(row["precision"] for row in known),
        texts=tuple(f"{row['least']:g}" for row in known),
        about=tuple((f"{row['least']:g}",) for row in known),
        labelled=True,
    )
    return Figure(
        "", Axis(_("relative recall")), Axis(_("lower-bound precision")), (points,),
        about=("least",),
    )  # fmt: skip
