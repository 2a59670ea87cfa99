"""Gold values from other sources."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.campaigns.campaign import Campaign
from annotation.models.campaigns.imports import ImportBatch
from annotation.models.campaigns.scale import Scale
from annotation.models.campaigns.substitution import Substitution


class ImportedGold(models.Model):
    """A published mean, with its standard deviation if known."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="imported_gold")
    substitution = models.ForeignKey(Substitution, models.CASCADE, related_name="imported_gold")
    scale = models.ForeignKey(Scale, models.CASCADE, related_name="imported_gold")
    value = models.FloatField()
    n = models.PositiveIntegerField(null=True)
    spread = models.FloatField(null=True, help_text="Standard deviation.")
    method = models.CharField(max_length=100, blank=True)
    source = models.CharField(max_length=200)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="gold")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["substitution", "scale", "source"], name="imported_gold_once_per_source"
            ),
            models.CheckConstraint(
                condition=Q(spread__isnull=True) | Q(spread__gte=0),
                name="imported_gold_spread_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.value:g} from {self.source}"
