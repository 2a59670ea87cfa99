"""Templates that people keep."""

from __future__ import annotations

from django.db import models

from annotation.models.fields import public_key
from annotation.models.scope import Scoped, once_in_place, scope_checks


class SavedTemplate(Scoped):
    """A template for whom its scope names, if they may create campaigns; `text` is the file."""

    key = public_key()
    name = models.SlugField(max_length=60)
    label = models.CharField(max_length=200, help_text="What the list of templates shows.")
    text = models.TextField(help_text="YAML; see docs/templates.md.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["label", "pk"]
        constraints = [*scope_checks("template"), *once_in_place("template", "name")]

    def __str__(self) -> str:
        return self.name
