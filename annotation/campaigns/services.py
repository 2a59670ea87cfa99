"""Create, configure, open, pause and close campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings as site
from django.db import IntegrityError
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.access import quota_check
from annotation.campaigns.scales import names_apart
from annotation.campaigns.setup import preview_now
from annotation.campaigns.templating.parts import parts_add, template_named
from annotation.campaigns.templating.queries import (
    FIXED_ONCE_OPEN,
    SETTINGS,
    check_bounds,
    language_read,
)
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Guideline, Membership, Scale, ScalePoint, ThresholdChange
from annotation.sheets.slots import annotators_per_sheet_set, sheets_make
from annotation.starters import starter_for
from paraanno import clock
from paraanno.common.panel_links import CampaignTemplate, ScaleTemplate


def campaign_create(
    *,
    actor: Actor,
    slug: str,
    name: str = "",
    template: str | CampaignTemplate = "phrase",
    scales: list[ScaleTemplate] | None = None,
    guideline: str = "",
    copied_from: Campaign | None = None,
    pilot: bool = False,
    **settings: Any,
) -> Campaign:
    """Create a draft campaign as the template says, owned by `actor`.

    template    its name (`template_named`; a task's has questions in the language that `settings`
                give, where there are such), or one that was read from a file
    scales, guideline   instead of the template's
    settings    instead of the template's; an empty one leaves them

    Callers check that the actor may (`access.creator`). Raises Invalid if the slug is
    taken, the template unknown, a setting out of bounds or the actor's quota used up.
    """
    if isinstance(template, str):
        template = starter_for(template, settings.get("language") or "")
    named = template if isinstance(template, str) else "file"
    design = template_named(template, actor) if isinstance(template, str) else template
    given = {name: value for name, value in settings.items() if value not in (None, "")}
    values: dict[str, Any] = {**design.settings, **given}
    check_bounds(values)
    values["name"] = name or values.get("name") or slug
    values["language"] = language_read(values.get("language", ""))
    try:
        with short_write():
            quota_check(actor=actor, model=Campaign, most=site.CAMPAIGNS_PER_USER)
            campaign = Campaign.objects.create(
                slug=slug,
                created_by_id=actor.pk if actor else None,
                copied_from=copied_from,
                pilot=pilot,
                **values,
            )
            if actor is not None and actor.pk is not None:
                Membership.objects.create(
                    campaign=campaign, user_id=actor.pk, role=Membership.Role.OWNER
                )
            for position, scale in enumerate(scales or design.scales or ()):
                scale_add(campaign=campaign, template=scale, position=position, actor=actor)
            guideline_add(campaign=campaign, text=guideline or design.guidelines or "", actor=actor)
            parts_add(campaign=campaign, template=design, actor=actor)
            audit(actor=actor, verb="create", about=campaign, campaign=campaign, template=named)
    except IntegrityError as error:
        if "slug" in str(error):
            raise Invalid(
                _("A campaign %(slug)s exists already: choose another short name.")
                % {"slug": f"{slug!r}"}
            ) from error
        raise
    return campaign


def scale_add(*, campaign: Campaign, template: ScaleTemplate, position: int, actor: Actor) -> Scale:
    """Create a scale with its points.

    Raises Invalid if files of gold have a column of its name.
    """
    names_apart([*campaign.scales.values_list("name", flat=True), template.name])
    scale = Scale.objects.create(
        campaign=campaign,
        position=position,
        **template.columns,
    )
    ScalePoint.objects.bulk_create(
        ScalePoint(scale=scale, value=value, label=label, anchor=anchor)
        for value, label, anchor in template.points
    )
    ThresholdChange.objects.create(
        scale=scale, threshold=template.threshold, changed_by_id=actor.pk if actor else None
    )
    return scale


def threshold_set(*, scale: Scale, threshold: float | None, actor: Actor) -> Scale:
    """Set the value from which a judgment passes; the history keeps the old threshold."""
    if threshold is not None and not scale.minimum <= threshold <= scale.maximum:
        raise Invalid(_("The threshold of %(name)s must be on the scale.") % {"name": scale.name})
    with short_write():
        scale = lock_row(Scale, scale.pk)
        if scale.threshold == threshold:
            return scale
        before, scale.threshold = scale.threshold, threshold
        scale.save(update_fields=["threshold"])
        ThresholdChange.objects.create(
            scale=scale, threshold=threshold, changed_by_id=actor.pk if actor else None
        )
        audit(
            actor=actor,
            verb="set threshold",
            about=scale,
            campaign=scale.campaign,
            before=before,
            after=threshold,
        )
    return scale


def guideline_add(*, campaign: Campaign, text: str, actor: Actor) -> Guideline:
    """Add a version of the guidelines; unchanged text adds none."""
    with short_write():
        lock_row(Campaign, campaign.pk)
        last = campaign.guidelines.order_by("-version").first()
        if last is not None and last.text == text:
            return last
        return Guideline.objects.create(
            campaign=campaign,
            version=last.version + 1 if last else 1,
            text=text,
            created_by_id=actor.pk if actor else None,
        )


def campaign_update(*, campaign: Campaign, actor: Actor, changes: Mapping[str, Any]) -> Campaign:
    """Change settings. Those that shape sheets and their order are fixed once the campaign was
    opened. The language may be corrected at any time: runs that read another one say so.
    """
    unknown = set(changes) - {*SETTINGS, "annotators_per_sheet"}
    if unknown:
        raise Invalid(_("%(unknown)s cannot be changed.") % {"unknown": ", ".join(sorted(unknown))})
    check_bounds(changes)
    if "language" in changes:
        changes = {**changes, "language": language_read(changes["language"])}
    with short_write():
        campaign = lock_row(Campaign, campaign.pk)
        changed = {
            name: value
            for name, value in changes.items()
            if name in SETTINGS and getattr(campaign, name) != value
        }
        fixed = [name for name in FIXED_ONCE_OPEN if name in changed]
        if fixed and campaign.opened_at is not None:
            raise Invalid(
                _("%(fixed)s cannot be changed after the campaign was opened.")
                % {"fixed": ", ".join(fixed)}
            )
        before = {name: getattr(campaign, name) for name in changed}
        for name, value in changed.items():
            setattr(campaign, name, value)
        if changed:
            # Runs of metrics that read the language compare this number with their own.
            campaign.language_changes += "language" in changed
            campaign.save(update_fields=[*changed, "language_changes"])
            audit(
                actor=actor,
                verb="change",
                about=campaign,
                campaign=campaign,
                before=before,
                after=changed,
            )
    wanted = changes.get("annotators_per_sheet")
    if wanted is not None and wanted != campaign.annotators_per_sheet:
        campaign = annotators_per_sheet_set(campaign=campaign, wanted=wanted, actor=actor)
    return campaign


def campaign_open(*, campaign: Campaign, actor: Actor) -> Campaign:
    """Create sheets and slots for the imported texts and start handing them out."""
    if not campaign.substitutions.exists():
        raise Invalid(_("The campaign has no paraphrases yet: import items first."))
    if not campaign.scales.exists():
        raise Invalid(_("The campaign asks nothing yet: add a scale first."))
    # From here on scales and rules are fixed, and imports create sheets for new texts.
    with short_write():
        fresh = Campaign.objects.filter(pk=campaign.pk, opened_at=None)
        fresh.update(opened_at=clock.now())
    sheets_make(campaign=campaign)
    return _set_status(campaign, Campaign.Status.OPEN, actor)


def campaign_pause(*, campaign: Campaign, actor: Actor) -> Campaign:
    """Stop handing out sheets; open sheets can still be saved and submitted."""
    return _set_status(campaign, Campaign.Status.PAUSED, actor)


def campaign_close(*, campaign: Campaign, actor: Actor) -> Campaign:
    """End the collection: later submissions do not count."""
    return _set_status(campaign, Campaign.Status.CLOSED, actor)


def _set_status(campaign: Campaign, status: str, actor: Actor) -> Campaign:
    with short_write():
        # Lock the full row: a running submission finishes first, and no new one starts
        # (`sql.lock_for_save`).
        campaign = lock_row(Campaign, campaign.pk, key=True)
        if campaign.status == status:
            return campaign
        now = clock.now()
        before, campaign.status = campaign.status, status
        campaign.closed_at = now if status == Campaign.Status.CLOSED else None
        campaign.save(update_fields=["status", "closed_at"])
        audit(
            actor=actor,
            verb=f"set status {status}",
            about=campaign,
            campaign=campaign,
            before=before,
        )
    return campaign


def scale_append(*, campaign: Campaign, template: ScaleTemplate, actor: Actor) -> Scale:
    """Add a scale to a draft campaign.

    Raises Invalid once the campaign was opened: sheets already done would become incomplete.
    """
    probe = Scale(
        minimum=template.minimum, maximum=template.maximum, step=template.step, name=template.name
    )
    off = [value for value, _, _ in template.points if not probe.holds(value)]
    if off:
        raise Invalid(_("%(value)s is not on the scale.") % {"value": f"{off[0]:g}"})
    try:
        with short_write():
            campaign = lock_row(Campaign, campaign.pk)
            if campaign.opened_at is not None:
                raise Invalid(_("Scales are fixed since the campaign was opened."))
            last = campaign.scales.aggregate(last=Max("position"))["last"]
            scale = scale_add(
                campaign=campaign,
                template=template,
                position=0 if last is None else last + 1,
                actor=actor,
            )
            audit(actor=actor, verb="add scale", about=scale, campaign=campaign, name=scale.name)
    except IntegrityError as error:
        raise Invalid(_("There is a scale %(name)s already.") % {"name": template.name}) from error
    return scale


def preview_approve(*, campaign: Campaign, seen: str, actor: Actor) -> Campaign:
    """Note that somebody looked at the preview. `seen` is the digest of what it showed.

    Raises Conflict if the questions or the guidelines were changed since.
    """
    with short_write():
        campaign = lock_row(Campaign, campaign.pk)
        if seen != preview_now(campaign=campaign):
            raise Conflict(_("The campaign was changed in the meantime: look at it again."))
        if campaign.preview_seen != seen:
            campaign.preview_seen = seen
            campaign.save(update_fields=["preview_seen"])
            audit(actor=actor, verb="approve preview", about=campaign, campaign=campaign)
    return campaign


# Archived campaigns: out of the lists, read-only, and back.


COLLECTING = (Campaign.Status.OPEN, Campaign.Status.PAUSED)


def campaign_put_away(*, campaign: Campaign, actor: Actor) -> Campaign:
    """Take the campaign out of the lists; nothing of it can be changed. Raises Invalid while it
    collects judgments. Repeatable."""
    with short_write():
        campaign = lock_row(Campaign, campaign.pk, key=True)
        if campaign.status in COLLECTING:
            raise Invalid(_("The campaign still collects judgments: close it first."))
        if campaign.archived_at is None:
            campaign.archived_at = clock.now()
            campaign.save(update_fields=["archived_at"])
            audit(actor=actor, verb="put away", about=campaign, campaign=campaign)
    return campaign


def campaign_bring_back(*, campaign: Campaign, actor: Actor) -> Campaign:
    """Undo `campaign_put_away`. Repeatable."""
    with short_write():
        campaign = lock_row(Campaign, campaign.pk, key=True)
        if campaign.archived_at is not None:
            campaign.archived_at = None
            campaign.save(update_fields=["archived_at"])
            audit(actor=actor, verb="bring back", about=campaign, campaign=campaign)
    return campaign
