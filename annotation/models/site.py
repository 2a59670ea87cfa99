"""The audit log."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.board import BoardAlarm
from annotation.models.campaigns import Campaign
from annotation.models.fields import public_key
from annotation.models.people import Invitation
from paraanno import clock
from paraanno.common.records import with_parts


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
