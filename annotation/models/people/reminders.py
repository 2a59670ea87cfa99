"""When people are reminded by e-mail."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.campaigns.campaign import Campaign


class ReminderRule(models.Model):
    """After how many days somebody with work left is written to, and how often at most.

    Workers have no request: `site` is the address under which the rule was made.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="reminder_rule")
    days = models.PositiveSmallIntegerField()
    at_most = models.PositiveSmallIntegerField()
    site = models.CharField(max_length=200)
    next_at = models.DateTimeField(help_text="When a worker looks again.")

    class Meta:
        ordering = ["campaign_id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(days__gte=1, at_most__gte=1), name="reminder_rule_from_one"
            )
        ]

    def __str__(self) -> str:
        return f"Reminders of {self.campaign_id}"
