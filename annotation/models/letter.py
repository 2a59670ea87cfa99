"""Letters: e-mails that wait, were accepted by a mail server, or were refused by one."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.board import BoardAlarm
from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import public_key
from annotation.models.people.invitation import Invitation
from paraanno import clock
from paraanno.plain.sentence_columns import kept


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
                fields=["invitation"], condition=Q(status="waiting"),
                name="letter_waits_once_for_an_invitation",
            ),
            models.CheckConstraint(
                condition=Q(status="waiting", closed_at__isnull=True)
                | Q(status__in=["sent", "refused"], closed_at__isnull=False, sealed=""),
                name="letter_closed_without_its_text",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind} {self.status}"

    @property
    def said(self) -> str:
        """Why it was not accepted, with the parts of the sentence."""
        return kept(self.why, self.why_parts)
