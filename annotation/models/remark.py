"""What an annotator says about a text, apart from their ratings."""

from __future__ import annotations

from django.db import models

from annotation.models.annotator import Annotator
from annotation.models.campaign import Campaign
from annotation.models.sheet import Sheet
from annotation.models.substitution import Substitution


class Remark(models.Model):
    """A flag, a comment or both, on a sheet or one substitution of it.

    Rows are only added: the newest on a place is what the annotator says now, and one with neither
    flag nor text takes it back.
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
