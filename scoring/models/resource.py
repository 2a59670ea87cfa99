"""Files that metrics need."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.fields import public_key
from annotation.models.scope import Scoped, once_in_place, scope_checks
from paraanno.jobs.row import JobRow


class Resource(JobRow, Scoped):
    """Word vectors, a paraphrase table, synonyms, page counts or n-best lists, known in its place
    by content: who sends the bytes that somebody else has sent gets a row of their own.

    While it is being checked, `source` is the original file; an attempt converts it.
    """

    class Status(models.TextChoices):
        CHECKING = "checking", _("Being checked")
        READY = "ready", _("Ready")
        REFUSED = "refused", _("Refused")

    key = public_key()
    kind = models.CharField(max_length=30, help_text="vectors, table, synonyms, counts, nbest")
    name = models.CharField(max_length=200)
    file_name = models.CharField(max_length=255, blank=True, help_text="As it was given.")
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    source = models.CharField(
        max_length=1000, blank=True,
        help_text="The file to convert, relative to the data folder; or a full path on the server.",
    )  # fmt: skip
    status = models.CharField(max_length=10, choices=Status, default=Status.CHECKING)
    progress = models.FloatField(default=0, help_text="Share of the file that is converted.")
    meta = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "name", "pk"]
        constraints = [
            *scope_checks("resource"),
            *once_in_place("resource", "kind", "sha256"),
            models.CheckConstraint(
                condition=Q(status__in=["checking", "ready", "refused"]),
                name="resource_status_known",
            ),
            models.CheckConstraint(condition=Q(size__gte=0), name="resource_size_not_negative"),
            models.CheckConstraint(
                condition=Q(progress__gte=0, progress__lte=1), name="resource_progress_is_a_share"
            ),
            models.CheckConstraint(
                condition=~Q(status="ready") | ~Q(path=""), name="resource_ready_has_path"
            ),
            models.CheckConstraint(
                condition=~Q(status="refused") | ~Q(error=""), name="resource_refused_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"

    @property
    def completed(self) -> float | None:
        return self.progress

    @property
    def stored(self) -> Path:
        """The path of the converted store, once it is ready."""
        return Path(settings.DATA_DIR) / self.path

    @property
    def origin(self) -> Path:
        """The path of the file to convert (an absolute path is kept)."""
        return Path(settings.DATA_DIR) / self.source
