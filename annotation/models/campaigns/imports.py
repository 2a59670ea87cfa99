"""The origin of imported rows."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import digest_field, public_key
from paraanno.jobs.row import OVER, JobRow, JobStatus
from paraanno.plain.sentence import revived


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
    provenance = models.JSONField(
        default=dict, help_text="How the file was made here: signature, cut-offs, what was drawn."
    )
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


class ColumnMapping(models.Model):
    """What the columns of a table are: kept with the campaign, for the next table like it.

    `mapping` is the JSON of a `ColumnMap`. An equal one is kept once.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="column_mappings")
    key = public_key()
    what = models.CharField(max_length=10, choices=ImportBatch.What)
    file_name = models.CharField(max_length=255)
    mapping = models.JSONField()
    digest = digest_field()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(what__in=["items", "judgments", "gold"]),
                name="column_mapping_what_known",
            ),
            models.UniqueConstraint(
                fields=["campaign", "digest"], name="column_mapping_once_per_campaign"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} as in {self.file_name}"


class ImportJob(JobRow):
    """A large file that a worker imports, or checks.

    `done` and `total` count its rows; a row is done when it is checked and, unless this is a dry
    run, written. `report` is the import's, with at most some thousand problems. The file is kept
    until the job ends; that of a dry run whose result a page shows, until somebody decides.
    """

    class What(models.TextChoices):
        ITEMS = "items", _("Items")
        JUDGMENTS = "judgments", _("Judgments")
        GOLD = "gold", _("Gold")
        SCORES = "scores", _("Scores")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="import_jobs")
    key = public_key()
    what = models.CharField(max_length=10, choices=What)
    file_name = models.CharField(max_length=255)
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    options = models.JSONField(default=dict)
    dry_run = models.BooleanField(default=False)
    to_confirm = models.BooleanField(default=False, help_text="Keep the file after a dry run.")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    report = models.JSONField(null=True)
    batch = models.ForeignKey(ImportBatch, models.SET_NULL, null=True, related_name="jobs")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="import_job_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="done") | Q(report__isnull=False),
                name="import_job_done_has_report",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="import_job_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(status__in=OVER) | ~Q(path=""),
                name="import_job_waiting_has_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} from {self.file_name} ({self.status})"

    @property
    def completed(self) -> float | None:
        return self.done / self.total if self.total else None

    @property
    def told(self) -> dict[str, object]:
        """The report, with its problems as translatable sentences; empty if there is none."""
        found: dict[str, object] = revived(self.report or {})
        return found

    @property
    def stored(self) -> Path:
        """The path of the file."""
        return Path(settings.DATA_DIR) / self.path
