"""Withdrawals of annotators from a campaign."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.people.annotator import Annotator


class Withdrawal(models.Model):
    """A withdrawal in force from `at` until the annotator returns by a new invitation; never
    deleted.

    If the judgments are removed, an Exclusion of kind withdrawal is stored too.
    """

    class Judgments(models.TextChoices):
        KEEP = "keep", _("kept")
        REMOVE = "remove", _("out of every statistic")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="withdrawals")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="withdrawals")
    judgments = models.CharField(max_length=6, choices=Judgments, default=Judgments.KEEP)
    erased = models.BooleanField(
        default=False, help_text="Login and background answers were erased."
    )
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(judgments__in=["keep", "remove"]), name="withdrawal_judgments_known"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("at")),
                name="withdrawal_ends_after_start",
            ),
            models.UniqueConstraint(
                fields=["annotator"],
                condition=Q(ended_at__isnull=True),
                name="withdrawal_in_force_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} withdrew"
