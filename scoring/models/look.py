"""In which states of the judgments comparisons were looked at."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Campaign


class Look(models.Model):
    """The comparisons of systems, or of metrics, were made from one state of the judgments.

    `state` is `judgments_state`; empty: there were looks before they were counted, nobody knows how
    many. A state counts once, however often it is looked at, and rows stay when reports go.
    """

    class About(models.TextChoices):
        RESULTS = "results"
        CORRELATION = "correlation"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="looks")
    about = models.CharField(max_length=11, choices=About)
    state = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "about", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "about", "state"], name="look_once_per_state"
            ),
            models.CheckConstraint(
                condition=Q(about__in=["results", "correlation"]), name="look_about_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.about} of {self.campaign_id} at {self.at}"
