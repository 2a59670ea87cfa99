"""The board: what it watches, the figures that a worker computes for it, and its alarms; the log of
actions, letters, and work that is paused.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign
from annotation.models.fields import public_key
from annotation.models.people import Annotator, Invitation
from paraanno import clock
from paraanno.common.records import with_parts


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


# The log of actions.


class AuditEntry(models.Model):
    """One action of a person or of the system (no actor), and whom it is about; append-only."""

    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, related_name="audit")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    verb = models.CharField(max_length=60)
    object_type = models.CharField(max_length=60)
    object_id = models.CharField(max_length=64, blank=True)
    # A person by their login, which is forgotten with it; an annotator by their code.
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    about = models.CharField(max_length=60, blank=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["campaign", "at"], name="audit_in_campaign")]

    def __str__(self) -> str:
        return f"{self.verb} {self.object_type}"


# Letters: e-mails that wait, were accepted by a mail server, or were refused by one.


class Letter(models.Model):
    """One e-mail to one address, written in the transaction of what causes it.

    Its text may have a link that opens an account, so it is encrypted with the site's key, and
    deleted when the letter is closed. `token_hash` is of the link of a further letter to somebody
    who was invited; the invitation's own link stays valid until this letter was accepted.

    A process that sends a letter moves `next_at` on: if it dies, the letter is due again then.
    """

    class Kind(models.TextChoices):
        INVITATION = "invitation", _("Invitation")
        REMINDER = "reminder", _("Reminder")
        FORGOTTEN = "forgotten", _("Request for a new password")
        PASSWORD = "password", _("Link to set a password")
        ADDRESS = "address", _("Link to confirm an address")
        NOTICE = "notice", _("Notice")
        ALARM = "alarm", _("Alarm")
        TEST = "test", _("Test")

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("refused")

    key = public_key()
    kind = models.CharField(max_length=10, choices=Kind)
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, related_name="letters")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="letters"
    )
    invitation = models.ForeignKey(Invitation, models.CASCADE, null=True, related_name="letters")
    alarm = models.ForeignKey(BoardAlarm, models.CASCADE, null=True, related_name="letters")
    to = models.EmailField()
    subject = models.CharField(max_length=300)
    sealed = models.TextField(blank=True, help_text="Text and headers, encrypted; empty if closed.")
    token_hash = models.CharField(max_length=64, blank=True, editable=False)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    why = models.TextField(blank=True, help_text="Why it was not accepted, the last time.")
    why_parts = models.JSONField(null=True, help_text="What `why` was made from.")
    attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    next_at = models.DateTimeField(default=clock.now, help_text="When it is sent (again).")
    until = models.DateTimeField(null=True, help_text="When its link ends: it is of no use then.")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["next_at"], condition=Q(status="waiting"), name="letter_due"),
            models.Index(
                fields=["token_hash"], condition=~Q(token_hash=""), name="letter_by_token"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["invitation"],
                condition=Q(status="waiting"),
                name="letter_waits_once_for_an_invitation",
            ),
            models.CheckConstraint(
                condition=Q(status="waiting", closed_at__isnull=True)
                | Q(status__in=["sent", "refused"], closed_at__isnull=False, sealed=""),
                name="letter_closed_without_its_text",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"

    @property
    def sentence(self) -> str:
        """Why it was not accepted, with the parts of the sentence."""
        return with_parts(self.why, self.why_parts)


# Kinds of work that workers leave alone for now.


class PausedWork(models.Model):
    """A kind of jobs that an administrator has paused: what waits goes on waiting."""

    name = models.CharField(
        max_length=30, unique=True, help_text="Of the kind, as in `paraanno.jobs.engine`."
    )
    paused_at = models.DateTimeField(auto_now_add=True)
    paused_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


# The hosts that serve pages.


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
