"""The instructions of a campaign and their versions."""

from __future__ import annotations

from django.db.models import Min
from django.utils.translation import gettext as _

from annotation.models import Annotator, Campaign, Guideline, Judgment
from annotation.services.errors import NotFound


def guideline_get(*, campaign: Campaign, version: str) -> Guideline:
    """One version. Raises NotFound where there is none with that number."""
    number = min(int(version), 2**31 - 1) if version.isdecimal() else 0
    found = campaign.guidelines.filter(version=number).first()
    if found is None:
        raise NotFound(_("There is no such version."))
    return found


def guideline_first_used(*, annotator: Annotator) -> Guideline | None:
    """The version with which the annotator began to judge; None where they have not."""
    first = Judgment.objects.filter(annotator=annotator).aggregate(
        version=Min("guideline__version")
    )["version"]
    return Guideline.objects.filter(campaign=annotator.campaign_id, version=first).first()
