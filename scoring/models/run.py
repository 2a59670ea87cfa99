"""One execution of a metric over a campaign."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from annotation.models.fields import digest_field, public_key, text_digest
from paraanno.jobs.row import JobRow
from scoring.metrics.references import Met
from scoring.models.fields import OrderedJSONField

EXTERNAL = "external"  # The metric name of imported scores, which no worker computes.


class Run(JobRow):
    """A metric with its options over all outputs that the campaign had when the run started.

    The status goes from queued to preparing, running and done. Each of the first three may also
    become failed or cancelled. A retry requeues a run that is over, and an update requeues a done
    run for texts added later. The job is its preparation; chunks are jobs of their own.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", _("Queued")
        PREPARING = "preparing", _("Preparing")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    class Scope(models.TextChoices):
        SENTENCE = "sentence", _("The whole sentence with the paraphrase in place")
        PHRASE = "phrase", _("The phrase and its paraphrase alone")

    ACTIVE = (Status.QUEUED, Status.PREPARING, Status.RUNNING)

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="runs")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    key = public_key()
    metric = models.CharField(max_length=60)
    label = models.CharField(max_length=200, help_text="What tables and plots call it.")
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.SENTENCE)
    options = models.JSONField(default=dict)
    options_hash = digest_field()
    signature = models.TextField(blank=True)
    met = OrderedJSONField(
        null=True,
        help_text="What its texts were compared with; none for runs older than this column.",
    )
    higher_is_better = models.BooleanField(default=True)
    queue = models.CharField(
        max_length=20, blank=True, help_text="Which workers take it; empty: the usual ones."
    )
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0, help_text="Texts treated, the failed among them.")
    failed = models.PositiveIntegerField(default=0, help_text="Texts on which the metric broke.")
    reused = models.PositiveIntegerField(
        default=0, help_text="Texts whose score was taken from an earlier run."
    )
    last_substitution = models.BigIntegerField(
        default=0, help_text="The greatest id when the run began: later texts are not its own."
    )
    last_reference = models.BigIntegerField(
        null=True, help_text="The same of references; none for runs older than this column."
    )
    last_output = models.BigIntegerField(
        default=0, help_text="The same of outputs when system scores were last made."
    )
    language_changes = models.PositiveIntegerField(
        null=True,
        help_text="The campaign's number when the run began; none where the metric reads any.",
    )
    state = models.JSONField(null=True, help_text="What the metric counted over all texts.")
    state_hash = models.CharField(max_length=64, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    resumed_at = models.DateTimeField(
        null=True, help_text="When scoring began, the last time that it did."
    )
    resumed_done = models.PositiveIntegerField(default=0, help_text="Texts treated since then.")

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    status__in=["queued", "preparing", "running", "done", "failed", "cancelled"]
                ),
                name="run_status_known",
            ),
            models.CheckConstraint(
                condition=Q(scope__in=["sentence", "phrase"]), name="run_scope_known"
            ),
            models.CheckConstraint(
                condition=Q(failed__lte=models.F("done")), name="run_failed_are_among_done"
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, status__in=["queued", "preparing", "running"])
                | Q(finished_at__isnull=False, status__in=["done", "failed", "cancelled"]),
                name="run_finished_means_over",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(error=""), name="run_failed_says_why"
            ),
            # A double click, or two users who start the same metric, make one run.
            models.UniqueConstraint(
                fields=["campaign", "options_hash"],
                condition=Q(status__in=["queued", "preparing", "running"]),
                name="run_active_once_per_options",
            ),
        ]
        indexes = [
            models.Index(
                fields=["status"],
                condition=Q(status__in=["queued", "preparing", "running"]),
                name="run_active",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.status})"

    @property
    def full_signature(self) -> str:
        """The signature with what the texts were compared with, where that is known.

        Scores are reused, and runs resumed, by `signature` alone: the counts are those of the run,
        and the score of a text does not depend on other texts' references.
        """
        return f"{self.signature}|{self.compared}" if self.compared else self.signature

    @property
    def completed(self) -> float | None:
        return min(1.0, self.done / self.total) if self.total else None

    @property
    def rate(self) -> float | None:
        """Texts per second since scoring last began, without those whose scores were there."""
        if self.resumed_at is None or not self.resumed_done:
            return None
        seconds = ((self.finished_at or timezone.now()) - self.resumed_at).total_seconds()
        return self.resumed_done / seconds if seconds > 0 else None

    @property
    def seconds_left(self) -> int | None:
        rate = self.rate
        if not rate or self.status != self.Status.RUNNING:
            return None
        return round(max(0, self.total - self.done) / rate)

    @property
    def compared(self) -> Met | None:
        """What its texts were compared with; None if unknown."""
        return Met(**self.met) if self.met else None

    @property
    def imported(self) -> bool:
        """Whether its scores were imported, so that it cannot be cancelled or retried."""
        return self.metric == EXTERNAL


def run_options_hash(metric: str, options: Mapping[str, str], scope: str) -> str:
    """The hash that runs of one metric with equal options share."""
    flat = [part for option in sorted(options.items()) for part in option]
    return text_digest(metric, scope, *flat)
