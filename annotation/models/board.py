"""The board: what it watches, the figures that a worker computes for it, and its alarms."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign
from annotation.models.fields import public_key
from annotation.models.people import Annotator


class BoardWatch(models.Model):
    """The thresholds of a campaign's alarms (empty: off) and whom they are sent to; the defaults
    apply without a row.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="board_watch")
    quiet_hours = models.PositiveSmallIntegerField(
        null=True, blank=True, default=24, help_text="Nobody has judged for this many hours."
    )
    fast_seconds = models.FloatField(
        null=True, blank=True, default=3.0, help_text="A person needs fewer seconds for a text."
    )
    agreement_fall = models.FloatField(
        null=True, blank=True, default=0.1, help_text="Alpha of the newest texts is lower by this."
    )
    expired_times = models.PositiveSmallIntegerField(
        null=True, blank=True, default=2, help_text="A place was lost this many times."
    )
    mail_to = models.CharField(max_length=500, blank=True, help_text="E-mail addresses.")
    webhook_url = models.CharField(max_length=500, blank=True)
    webhook_secret = models.CharField(max_length=100, blank=True)
    board_url = models.CharField(
        max_length=500, blank=True, help_text="The board, as who saved this reached it."
    )
    language = models.CharField(max_length=10, blank=True, help_text="Of who saved this.")

    class Meta:
        ordering = ["campaign_id"]

    def __str__(self) -> str:
        return f"Alarms of {self.campaign_id}"


class BoardFigures(models.Model):
    """What is too much to compute at every poll, with its time.

    `state` tells what the figures were made of; a worker that finds the same state computes
    nothing. `asked_at` is when a worker was last asked to look.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="board_figures")
    numbers = models.JSONField(default=dict)
    state = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["campaign_id"]

    def __str__(self) -> str:
        return f"Figures of {self.campaign_id}"


class AlarmSending(models.TextChoices):
    """How far an alarm got to the webhook; its e-mails are letters."""

    NOT_WANTED = "", _("Not sent")
    WAITING = "waiting", _("Waits")
    SENDING = "sending", _("Being sent")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Could not be sent")


class BoardAlarm(models.Model):
    """One occurrence of something that needs attention, until it is over.

    `about` is the person (their id) or the scale (its name), so that each has its own.
    """

    class Kind(models.TextChoices):
        QUIET = "quiet", _("Nobody judges")
        FAST = "fast", _("A person is too fast")
        FALLING = "falling", _("Agreement falls")
        EXPIRED = "expired", _("Places expire again and again")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="board_alarms")
    key = public_key()
    kind = models.CharField(max_length=8, choices=Kind)
    about = models.CharField(max_length=200, blank=True)
    annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="+")
    facts = models.JSONField(default=dict)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    hook = models.CharField(max_length=8, choices=AlarmSending, blank=True)
    hook_tries = models.PositiveSmallIntegerField(default=0)
    hook_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "about"],
                condition=Q(ended_at__isnull=True),
                name="board_alarm_in_force_once",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["quiet", "fast", "falling", "expired"]),
                name="board_alarm_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"
