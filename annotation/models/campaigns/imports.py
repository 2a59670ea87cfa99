"""The origin of imported rows."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import digest_field, public_key


class ImportBatch(models.Model):
    """One imported file, with the number of rows it added."""

    class What(models.TextChoices):
        ITEMS = "items", _("Items")
        JUDGMENTS = "judgments", _("Judgments")
        GOLD = "gold", _("Gold")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="batches")
    key = public_key()
    what = models.CharField(max_length=10, choices=What)
    file_name = models.CharField(max_length=255)
    sha256 = digest_field()
    rows = models.PositiveIntegerField()
    counts = models.JSONField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(what__in=["items", "judgments", "gold"]), name="import_what_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} from {self.file_name}"
