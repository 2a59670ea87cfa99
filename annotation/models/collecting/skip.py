"""Sheets that annotators gave back."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.campaigns.campaign import Campaign
from annotation.models.collecting.sheet import Sheet
from annotation.models.people.annotator import Annotator


class Skip(models.Model):
    """A sheet given back by an annotator, with the reason; it is not offered to them again."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="skips")
    annotator = models.ForeignKey(Annotator, models.RESTRICT, related_name="skips")
    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="skips")
    reason = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["annotator", "sheet"], name="skip_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="skip_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} skipped {self.sheet_id}"
