"""How much annotators judge: at least, at most, the largest share, or fixed lists."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.campaigns.campaign import Campaign
from annotation.models.fields import public_key


def _bounds(name: str, of: str = "sheets") -> models.BaseConstraint:
    least, most = f"{of}_at_least", f"{of}_at_most"
    return models.CheckConstraint(
        condition=Q(**{f"{most}__isnull": True})
        | Q(**{f"{most}__gte": F(least)})
        | Q(**{f"{least}__isnull": True}),
        name=f"{name}_least_up_to_most",
    )


class WorkGroup(models.Model):
    """Some annotators of a campaign, with their own numbers of sheets per person and in total."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="work_groups")
    key = public_key()
    name = models.CharField(max_length=60)
    sheets_at_least = models.PositiveIntegerField(null=True, blank=True)
    sheets_at_most = models.PositiveIntegerField(null=True, blank=True)
    total_at_least = models.PositiveIntegerField(
        null=True, blank=True, help_text="Sheets of the whole group."
    )
    total_at_most = models.PositiveIntegerField(
        null=True, blank=True, help_text="Sheets of the whole group, open ones too."
    )

    class Meta:
        ordering = ["campaign_id", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="work_group_name_once_per_campaign"
            ),
            _bounds("work_group"),
            _bounds("work_group_total", "total"),
        ]

    def __str__(self) -> str:
        return self.name


class WorkRule(models.Model):
    """The numbers of a campaign, for annotators whose group and panel say nothing else, and where
    sheets come from."""

    class Lists(models.TextChoices):
        POOL = "", _("Everybody draws from the pool")
        LISTED = "listed", _("Fixed lists, in their order")
        SHUFFLED = "shuffled", _("Fixed lists, each in a random order")

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="work_rule")
    sheets_at_least = models.PositiveIntegerField(null=True, blank=True)
    sheets_at_most = models.PositiveIntegerField(null=True, blank=True)
    largest_share = models.FloatField(
        null=True, blank=True, help_text="Of the sheets that one annotator may judge, up to 1."
    )
    pay_floor = models.DecimalField(
        max_digits=8, decimal_places=2, null=True, blank=True,
        help_text="Per hour, for panels that name none.",
    )  # fmt: skip
    currency = models.CharField(max_length=12, blank=True)
    lists = models.CharField(max_length=8, choices=Lists, default=Lists.POOL, blank=True)

    class Meta:
        ordering = ["campaign_id"]
        constraints = [
            _bounds("work_rule"),
            models.CheckConstraint(
                condition=Q(largest_share__isnull=True)
                | Q(largest_share__gt=0, largest_share__lte=1),
                name="work_rule_share_is_share",
            ),
            models.CheckConstraint(
                condition=Q(lists__in=["", "listed", "shuffled"]), name="work_rule_lists_known"
            ),
        ]

    def __str__(self) -> str:
        return f"Work in {self.campaign_id}"
