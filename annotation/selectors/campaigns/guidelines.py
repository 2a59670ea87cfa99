"""The guidelines of a campaign and their versions."""

from __future__ import annotations

from django.db.models import Min
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import Annotator, Campaign, Guideline, Judgment


def guideline_get(*, campaign: Campaign, version: str) -> Guideline:
    """Return one version. Raises NotFound if there is none with that number."""
    number = min(int(version), 2**31 - 1) if version.isdecimal() else 0
    found = campaign.guidelines.filter(version=number).first()
    if found is None:
        raise NotFound(_("There is no such version."))
    return found


def guideline_first_used(*, annotator: Annotator) -> Guideline | None:
    """Return the version with which the annotator started; None if they have not started."""
    first = Judgment.objects.filter(annotator=annotator).aggregate(
        version=Min("guideline__version")
    )["version"]
    return Guideline.objects.filter(campaign=annotator.campaign_id, version=first).first()
