"""Templates that the administrators of the site offer."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SiteTemplate(models.Model):
    """A template for everybody who may create campaigns; `text` is the file."""

    name = models.SlugField(max_length=60, unique=True)
    label = models.CharField(max_length=200, help_text="What the list of templates shows.")
    text = models.TextField(help_text="YAML; see docs/templates.md.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["label", "pk"]

    def __str__(self) -> str:
        return self.name
