"""Logins: at a provider outside, second factors, sessions and tokens; reminders and withdrawals;
and guests, who take part in one campaign by giving a name, without a password.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign
from annotation.models.fields import digest_field, public_key
from annotation.models.people import Annotator
from paraanno import clock


class OutsideLogin(models.Model):
    """Somebody's login at a provider of single sign-on, by the provider's own name for them: an
    e-mail address may change hands, a subject may not."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="outside_logins"
    )
    key = public_key()
    issuer = models.CharField(max_length=200)
    subject = models.CharField(max_length=255)
    label = models.CharField(
        max_length=254, blank=True, help_text="The address or name there when it was connected."
    )
    created_at = models.DateTimeField(default=clock.now)
    used_at = models.DateTimeField(null=True, help_text="Its last login here.")

    class Meta:
        ordering = ["user_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="outside_login_once"),
        ]

    def __str__(self) -> str:
        return self.label or self.subject


# The second factor of a login: an app's codes, and codes for the day it is lost.


class SecondFactor(models.Model):
    """An app that shows codes (RFC 6238), confirmed by one of them.

    The secret is encrypted with the site's key, so that a copy of the database cannot make codes.
    `last_step` is the step of time of the last code taken: no code is taken twice.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor"
    )
    secret = models.CharField(max_length=400, editable=False)
    last_step = models.BigIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0, help_text="Since the last right code.")
    failed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["user_id"]

    def __str__(self) -> str:
        return f"second factor of {self.user_id}"


class RecoveryCode(models.Model):
    """A code that works once instead of the app. Only its hash is stored; a used one is gone."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="recovery_codes"
    )
    code_hash = digest_field()

    class Meta:
        ordering = ["user_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "code_hash"], name="recovery_code_once"),
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.user_id}"


# Where somebody is signed in.


class SignedIn(models.Model):
    """A login in one browser: whose session it is, which the session's own row does not say.

    It stands for nothing once the row of the session is gone.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="signed_in")
    key = public_key()
    session_key = models.CharField(max_length=40, unique=True, editable=False)
    agent = models.CharField(max_length=200, blank=True, help_text="What the browser calls itself.")
    at = models.DateTimeField(default=clock.now)
    seen_at = models.DateTimeField(default=clock.now, help_text="To the hour.")

    class Meta:
        ordering = ["user_id", "-seen_at"]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.seen_at:%Y-%m-%d}"


# API tokens.


class ApiToken(models.Model):
    """A token that lets a program act as its user, within a scope.

    Only the hash is stored, so that a copy of the database grants no access. `campaigns` are those
    that it reaches unless it reaches all of its owner's (`everywhere`); if they are deleted, it
    reaches none.
    """

    class Scope(models.TextChoices):
        """What it may do. READ and JUDGE are parts of MANAGE, which is all that its owner may do in
        campaigns; ALL has the rest of the site, too."""

        ALL = "", _("everything")
        READ = "read", _("read")
        JUDGE = "judge", _("judge")
        MANAGE = "manage", _("manage")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    key = public_key()
    token_hash = digest_field()
    label = models.CharField(max_length=60, blank=True, help_text="What it is for.")
    scope = models.CharField(max_length=10, choices=Scope.choices, blank=True, default=Scope.ALL)
    everywhere = models.BooleanField(default=True, help_text="In all campaigns of its owner.")
    campaigns = models.ManyToManyField(Campaign, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, help_text="Empty: made before tokens expired.")
    used_at = models.DateTimeField(null=True, help_text="To the hour.")

    class Meta:
        ordering = ["user_id", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="api_token_once"),
            models.CheckConstraint(
                condition=models.Q(everywhere=True) | ~models.Q(scope=""),
                name="api_token_of_campaigns_has_a_scope",
            ),
        ]

    def __str__(self) -> str:
        return self.label or str(self.key)


# Withdrawals of annotators from a campaign.


class Withdrawal(models.Model):
    """A withdrawal in force from `at` until the annotator returns by a new invitation; never
    deleted.

    If the judgments are removed, an Exclusion of kind withdrawal is stored too.
    """

    class Judgments(models.TextChoices):
        KEEP = "keep", _("kept")
        REMOVE = "remove", _("out of every statistic")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="withdrawals")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="withdrawals")
    judgments = models.CharField(max_length=6, choices=Judgments, default=Judgments.KEEP)
    erased = models.BooleanField(
        default=False, help_text="Login and background answers were erased."
    )
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["campaign_id", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(judgments__in=["keep", "remove"]), name="withdrawal_judgments_known"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("at")),
                name="withdrawal_ends_after_start",
            ),
            models.UniqueConstraint(
                fields=["annotator"],
                condition=Q(ended_at__isnull=True),
                name="withdrawal_in_force_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} withdrew"


# When people are reminded by e-mail.


class ReminderRule(models.Model):
    """After how many days somebody with work left is written to, and how often at most.

    Workers have no request: `site` is the address under which the rule was made.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="reminder_rule")
    days = models.PositiveSmallIntegerField()
    at_most = models.PositiveSmallIntegerField()
    site = models.CharField(max_length=200)
    next_at = models.DateTimeField(help_text="When a worker looks again.")

    class Meta:
        ordering = ["campaign_id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(days__gte=1, at_most__gte=1), name="reminder_rule_from_one"
            )
        ]

    def __str__(self) -> str:
        return f"Reminders of {self.campaign_id}"


# Guests: people who take part in one campaign by giving a name.


def guest_login() -> str:
    """Return a new name of a login that no guest ever types: see PARTICIPANT_LOGIN."""
    return f"guest-{secrets.token_hex(8)}"


class Guest(models.Model):
    """The name that an annotator gave, and the link that brings them back.

    Only the hash of the link's token is stored. A link for one person is that person's way back,
    too: its hash is then that of the invitation.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guests")
    annotator = models.OneToOneField(Annotator, models.CASCADE, related_name="guest")
    key = public_key()
    name = models.CharField(max_length=60)
    name_key = models.CharField(max_length=240, editable=False, help_text="To compare names by.")
    token_hash = digest_field()
    renewed_at = models.DateTimeField(default=clock.now, editable=False)
    revoked_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_hash"], name="guest_token_once"),
            models.UniqueConstraint(
                fields=["campaign", "name_key"], name="guest_name_once_per_campaign"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True) | Q(revoked_at__gte=F("created_at")),
                name="guest_revoked_after_start",
            ),
        ]

    def __str__(self) -> str:
        return self.name
