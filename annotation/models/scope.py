"""What people make and share: who owns it, and who may see and use it."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns import Campaign
from annotation.models.fields import public_key


class Visibility(models.TextChoices):
    MINE = "mine", _("Only its owner")
    CAMPAIGN = "campaign", _("One campaign")
    SITE = "site", _("The whole site")


@dataclass(frozen=True, slots=True)
class Ownership:
    """A scope with its campaign or owner: rows of one place see each other, and no content stands
    there twice.

    `bound`: what is put there came from texts of the campaign and never leaves it.
    """

    scope: Visibility
    campaign: Campaign | None = None
    owner_id: int | None = None
    bound: bool = False

    def fields(self) -> dict[str, object]:
        """The columns of a new row."""
        return {"scope": self.scope, "campaign": self.campaign, "bound": self.bound}

    def binds(self) -> dict[str, object]:
        """The columns that change in a row which is there already: one that is bound stays so."""
        return {"bound": True} if self.bound else {}

    def within(self) -> Q:
        """The rows of the place."""
        if self.scope == Visibility.MINE:
            return Q(scope=self.scope, created_by=self.owner_id)
        return Q(scope=self.scope, campaign=self.campaign)

    def __str__(self) -> str:
        """A text that is different for each place, for hashes."""
        if self.scope == Visibility.MINE:
            return f"{self.scope}:{self.owner_id}"
        return f"{self.scope}:{self.campaign.pk}" if self.campaign else str(self.scope)


class Scoped(models.Model):
    """A row with an owner (`created_by`) and a scope; annotation/access.py reads them."""

    scope = models.CharField(max_length=10, choices=Visibility, default=Visibility.MINE)
    campaign = models.ForeignKey(
        Campaign,
        models.CASCADE,
        null=True,
        related_name="+",
        help_text="Whose owners and researchers see it, if that is its scope.",
    )
    bound = models.BooleanField(
        default=False, help_text="It came from texts of a campaign, so its scope never changes."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="Its owner.",
    )

    class Meta:
        abstract = True

    @property
    def place(self) -> Ownership:
        """Where it is."""
        return Ownership(Visibility(self.scope), self.campaign, self.created_by_id, self.bound)


def scope_checks(model: str) -> list[models.CheckConstraint]:
    """What holds in each such table; `model` begins the names."""
    return [
        models.CheckConstraint(
            condition=Q(scope="campaign", campaign__isnull=False)
            | Q(scope__in=["mine", "site"], campaign__isnull=True),
            name=f"{model}_scope_names_campaign",
        ),
        models.CheckConstraint(
            condition=Q(bound=False) | ~Q(scope="site"), name=f"{model}_bound_is_not_site_wide"
        ),
    ]


def once_in_place(model: str, *fields: str) -> list[models.UniqueConstraint]:
    """`fields` stand once in each place."""
    return [
        models.UniqueConstraint(
            fields=[*fields, "created_by"], condition=Q(scope="mine"), name=f"{model}_once_mine"
        ),
        models.UniqueConstraint(
            fields=[*fields, "campaign"],
            condition=Q(scope="campaign"),
            name=f"{model}_once_in_campaign",
        ),
        models.UniqueConstraint(
            fields=[*fields], condition=Q(scope="site"), name=f"{model}_once_in_site"
        ),
    ]


# Templates that people keep.


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
