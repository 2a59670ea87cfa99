"""The main numbers of a campaign's reports, day by day."""

from __future__ import annotations

from django.db import models

from annotation.models import Campaign
from scoring.models.fields import OrderedJSONField


class TrendPoint(models.Model):
    """The main numbers of a day's newest report of a kind; kept when the report is deleted.

    `numbers` holds [value, ci_low, ci_high, name] by scale: Krippendorff's alpha of the scale's
    level and which of the three that is (agreement), or the best metric's Pearson with people and
    its label (correlation).
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="trend")
    kind = models.CharField(max_length=30)
    day = models.DateField()
    numbers = OrderedJSONField(default=dict)

    class Meta:
        ordering = ["campaign_id", "kind", "day"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "day"], name="trend_point_once_per_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.campaign_id} on {self.day}"
