"""Exports that are too large to stream, and stored reports: results of statistics."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Campaign
from annotation.models.fields import digest_field, public_key
from paraanno.jobs.row import OVER, JobRow, JobStatus
from scoring.models.runs import OrderedJSONField, SentencesJSONField


class ExportFile(JobRow):
    """An export file made by a worker; its row count and SHA-256 prove that it is complete."""

    WHOLE = ("archive", "package")  # What holds a whole campaign, for who may keep everything.

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="export_files")
    key = public_key()
    what = models.CharField(max_length=30)
    format = models.CharField(max_length=10)
    options = models.JSONField(default=dict)
    rows = models.PositiveBigIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField(null=True)
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, help_text="When the file's lifetime was over.")

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="export_file_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="done")
                | (Q(rows__isnull=False, size__isnull=False) & ~Q(sha256="") & ~Q(path="")),
                name="export_file_done_is_whole",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="export_file_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True) | Q(status="done"),
                name="export_file_removed_was_done",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what}.{self.format} of {self.campaign_id} ({self.status})"

    @property
    def stored(self) -> Path:
        """The path of the finished file."""
        return Path(settings.DATA_DIR) / self.path

    @property
    def gone(self) -> bool:
        """Whether it was finished but its file has been removed."""
        if self.status != self.Status.DONE:
            return False
        return self.removed_at is not None or not self.stored.is_file()


# What only the researchers know about a campaign, for the files of its paper.


class ReviewerAnswer(models.Model):
    """What a reviewer will ask, answered once; a question without an answer has no row."""

    class Question(models.TextChoices):
        """The questions; pages word them (scoring/exports/provenance.py)."""

        KIND = "kind"
        ANNOTATORS = "annotators"
        PAY = "pay"
        INSTRUCTIONS = "instructions"
        TEXTS = "texts"
        COLLECTED = "collected"
        ETHICS = "ethics"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="reviewer_answers")
    question = models.CharField(max_length=12, choices=Question)
    text = models.TextField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "question"], name="reviewer_question_answered_once"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="reviewer_answer_not_empty"),
            models.CheckConstraint(
                condition=Q(
                    question__in=[
                        "kind",
                        "annotators",
                        "pay",
                        "instructions",
                        "texts",
                        "collected",
                        "ethics",
                    ]
                ),
                name="reviewer_question_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question} of {self.campaign_id}"


# Archives that are being restored.


RESTORES = Path("files", "restores")  # In the data folder.


class RestoreJob(JobRow):
    """An archive that a worker restores as a new campaign.

    `done` and `total` count its rows, each once as it is checked and once as it is written. The
    file is removed when the job ends.
    """

    key = public_key()
    slug = models.SlugField(
        max_length=60, blank=True, help_text="Of the new campaign; empty: as in the archive."
    )
    file_name = models.CharField(max_length=255)
    path = models.CharField(max_length=500, blank=True, help_text="Relative to the data folder.")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    campaign = models.ForeignKey(
        Campaign, models.SET_NULL, null=True, related_name="restored_by", help_text="What it made."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="restore_jobs"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="restore_job_status_known",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="restore_job_failed_says_why"
            ),
            models.CheckConstraint(
                condition=Q(status__in=OVER) | ~Q(path=""),
                name="restore_job_waiting_has_file",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.status})"

    @property
    def completed(self) -> float | None:
        return self.done / self.total if self.total else None

    @property
    def stored(self) -> Path:
        """The path of the file."""
        return Path(settings.DATA_DIR) / self.path


# Heartbeats of workers.


class WorkerBeat(models.Model):
    """One worker (a main process with its children), from its start to its end.

    `stopped_at` is set by a worker that stops normally, `lost_at` by the next worker on the same
    host for one that died. `memory` has a row per process, the main one first: pid, and in bytes
    `pss` (proportional set size: private pages plus its share of shared pages; null if the system
    does not report it) and `rss` (resident set size). `storage` tells its data folder
    from others (see `WebHost`); empty: not known.
    """

    name = models.CharField(max_length=150, unique=True)
    host = models.CharField(max_length=100)
    pid = models.PositiveIntegerField()
    queues = models.JSONField(default=list)
    memory = models.JSONField(default=list)
    processes = models.PositiveIntegerField(default=1)
    storage = models.CharField(max_length=100, blank=True)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)
    lost_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-seen_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(stopped_at__isnull=True) | Q(lost_at__isnull=True),
                name="worker_beat_stopped_or_lost",
            ),
        ]
        indexes = [models.Index(fields=["seen_at"], name="worker_beat_seen")]

    def __str__(self) -> str:
        return self.name


# Reports.


class Report(JobRow):
    """A dated result with its options and the fingerprint of its data.

    A report is computed once for each campaign, kind, options and fingerprint.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="reports")
    key = public_key()
    kind = models.CharField(max_length=30)
    options = models.JSONField(default=dict)
    options_hash = digest_field()
    fingerprint = models.CharField(max_length=64)
    result = SentencesJSONField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "kind", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "options_hash", "fingerprint"],
                name="report_once_per_data_and_options",
            ),
            models.CheckConstraint(
                condition=Q(status__in=JobStatus.values),
                name="report_status_known",
            ),
            models.CheckConstraint(
                condition=Q(status="done", result__isnull=False)
                | Q(status__in=["queued", "running", "failed", "cancelled"], result__isnull=True),
                name="report_done_means_result",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="report_failed_says_why"
            ),
        ]
        indexes = [models.Index(fields=["campaign", "kind", "created_at"], name="report_newest")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.campaign_id} ({self.status})"


# In which states of the judgments comparisons were looked at.


class Look(models.Model):
    """The comparisons of systems, or of metrics, were made from one state of the judgments.

    `state` is `judgments_state`; empty: there were looks before they were counted, nobody knows how
    many. A state counts once, however often it is looked at, and rows stay when reports go.
    """

    class About(models.TextChoices):
        RESULTS = "results"
        CORRELATION = "correlation"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="looks")
    about = models.CharField(max_length=11, choices=About)
    state = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign_id", "about", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "about", "state"], name="look_once_per_state"
            ),
            models.CheckConstraint(
                condition=Q(about__in=["results", "correlation"]), name="look_about_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.about} of {self.campaign_id} at {self.at}"


# The main numbers of a campaign's reports, day by day.


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
