"""The hosts that serve pages."""

from __future__ import annotations

from django.db import models


class WebHost(models.Model):
    """One host that serves pages: when it last wrote here, and which data folder it keeps.

    `/readyz` writes this row, which proves that answers can be saved. `storage` is the text of
    `storage_id` in the data folder; hosts with different texts do not share their files.
    """

    name = models.CharField(max_length=100, unique=True)
    storage = models.CharField(max_length=100)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["-seen_at"]

    def __str__(self) -> str:
        return self.name
