"""Annotators' remarks on texts, apart from their ratings."""

from __future__ import annotations

from django.db import models

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.substitution import Substitution
from annotation.models.collecting.sheet import Sheet
from annotation.models.people.annotator import Annotator


class Remark(models.Model):
    """A flag, a comment or both, on a sheet or one of its substitutions.

    Append-only: the newest remark on a place is current. One with neither flag nor text withdraws
    the previous one.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="remarks")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="remarks")
    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="remarks")
    substitution = models.ForeignKey(
        Substitution,
        models.CASCADE,
        null=True,
        related_name="remarks",
        help_text="Empty: the item.",
    )
    flagged = models.BooleanField(default=False)
    text = models.TextField(blank=True)
    request_id = models.UUIDField(
        unique=True, help_text="Made by the browser: sent twice, kept once."
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["annotator", "sheet"], name="remark_of_annotator"),
            models.Index(fields=["campaign", "-id"], name="remark_newest"),
        ]

    def __str__(self) -> str:
        return f"Remark {self.pk} of {self.annotator}"
