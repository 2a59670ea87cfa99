"""Deleting a campaign with everything in it."""

from __future__ import annotations

from django.db import models, router
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.models import AuditEntry, Campaign, SavedTemplate, Scoped, Visibility
from annotation.services.audit import Actor, audit
from annotation.services.transactions import short_write
from scoring.models import Build, Resource
from scoring.selectors.archives.tables import TABLES

# The log outlives what it is about.
KEPT = {AuditEntry, Campaign}
# What people gave to a campaign, with what stands once in a place.
GIVEN: dict[type[Scoped], tuple[str, ...]] = {
    Resource: ("kind", "sha256"),
    SavedTemplate: ("name",),
    Build: ("key",),
}


def campaign_delete(*, campaign: Campaign, actor: Actor, typed: str) -> None:
    """Delete the campaign. `typed` is its short name, as somebody who means it has typed it.

    What was made of its texts goes too; files that somebody gave to it are theirs again. Rows go
    table by table in one transaction; Django would first load every judgment. Entries of
    the log stay, without a campaign. Files of exports go with the next sweep of a worker. Raises
    Invalid for another text, and for a campaign that a shared task is made of.
    """
    if typed.strip() != campaign.slug:
        raise Invalid(
            _("Type the short name %(slug)s to delete the campaign.") % {"slug": campaign.slug}
        )
    with short_write():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        _check_free(campaign)
        counts = {
            "items": campaign.items.count(),
            "judgments": campaign.judgments.count(),
            "annotators": campaign.annotators.count(),
        }
        audit(
            actor=actor, verb="delete", about=campaign, campaign=None, slug=campaign.slug,
            name=campaign.name, **counts,
        )  # fmt: skip
        using = router.db_for_write(Campaign)
        for table in reversed(TABLES):
            if table.model not in KEPT:
                rows = table.model._default_manager.filter(**{table.owner: campaign})
                rows.order_by()._raw_delete(using)
        _give_back(campaign)
        campaign.delete()


def _give_back(campaign: Campaign) -> None:
    """Make files, builds and templates that are not bound their owners' own, unless those have the
    same; the rest goes with the campaign."""
    for model, content in GIVEN.items():
        mine = model._default_manager.filter(
            scope=Visibility.MINE, created_by=OuterRef("created_by"),
            **{name: OuterRef(name) for name in content},
        )  # fmt: skip
        given = model._default_manager.filter(campaign=campaign, bound=False)
        owned = given.filter(~Exists(mine), created_by__isnull=False)
        owned.update(scope=Visibility.MINE, campaign=None)


def _check_free(campaign: Campaign) -> None:
    """Raise Invalid if a shared task needs the campaign. Django would tell after everything else is
    deleted; and the app of the tasks, which alone protects campaigns, is not known here."""
    for one in Campaign._meta.related_objects:
        if one.on_delete is models.PROTECT:
            rows = one.related_model._default_manager.filter(**{one.field.name: campaign})
            if (user := rows.first()) is not None:
                raise Invalid(
                    _("The shared task “%(name)s” is made from this campaign, so both stay.")
                    % {"name": user}
                )
