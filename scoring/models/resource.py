"""Files that metrics need."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.fields import public_key


class Resource(models.Model):
    """Word vectors, a paraphrase table, synonyms, page counts or n-best lists, known by content."""

    class Status(models.TextChoices):
        CHECKING = "checking", _("Being checked")
        READY = "ready", _("Ready")
        REFUSED = "refused", _("Refused")

    key = public_key()
    kind = models.CharField(max_length=30, help_text="vectors, table, synonyms, counts, nbest")
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    path = models.CharField(max_length=500, help_text="Relative to the data folder.")
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    error = models.TextField(blank=True)
    meta = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "name"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "sha256"], name="resource_content_once"),
            models.CheckConstraint(
                condition=Q(status__in=["checking", "ready", "refused"]),
                name="resource_status_known",
            ),
            models.CheckConstraint(condition=Q(size__gte=0), name="resource_size_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"
